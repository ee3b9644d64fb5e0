// What stands where there is nothing to show: what it is, and what to do about it.
import type { ComponentChildren } from "preact";
import type { ApiError } from "../api.ts";

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

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
