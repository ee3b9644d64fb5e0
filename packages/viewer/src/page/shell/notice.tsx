// Notices in place of content: what is missing or wrong, and what to do about it.
import type { ComponentChildren } from "preact";
import type { ApiError } from "../api.ts";

/** A centred notice for a view without content. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What went wrong with a request. For 401 it explains where to get an address with a token. */
export function Trouble({ error }: { readonly error: ApiError }) {
  if (error.status === 401) return <NoToken />;
  return (
    <div class="empty" role="alert">
      <h2>{error.status === 404 ? "No longer there" : "Something is wrong"}</h2>
      <p>{error.message}</p>
    </div>
  );
}

function NoToken() {
  return (
    <div class="empty" role="alert">
      <h2>This address lacks its token</h2>
      <p>
        Open the address that was printed when the viewer started: it ends in <code>#token=…</code>. For a project that
        is up already, this prints it again:
      </p>
      <Shell>jeeves up</Shell>
    </div>
  );
}

/** Shown until the first answer is there. */
export function Loading() {
  return (
    <p class="loading" role="status">
      Reading…
    </p>
  );
}

/** A command to be copied by hand. */
export function Shell({ children }: { readonly children: string }) {
  return (
    <pre class="shell">
      <code>{children}</code>
    </pre>
  );
}
