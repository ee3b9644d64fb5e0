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
  const isGone = error.status === 404;
  return (
    <div class="empty" role="alert">
      <h2>
        {isGone ? "No longer there" : error.status === 401 ? "This address lacks its token" : "Something is wrong"}
      </h2>
      <p>{error.message}</p>
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
