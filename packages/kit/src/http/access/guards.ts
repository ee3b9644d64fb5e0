// Checks that every request must pass. On loopback the danger is a web page: it can reach the port, but cannot choose its
// Host and Origin headers. Beyond loopback the token decides. Further checks of a route are in owner.ts.
import type { IncomingHttpHeaders } from "node:http";
import { hostNameOf, isLoopbackHost, toUrlHost } from "../addresses.ts";
import { HttpError } from "../http-error.ts";
import { bearerOf, isSameToken } from "./same-token.ts";

interface Guard {
  /** What the server is bound to. */
  readonly host: string;
  readonly token?: string | undefined;
  /** The listener's port. Where it is set, an Origin must be our own page's: `http`, the requested host, this port. */
  readonly pagePort?: number | undefined;
}

const LOCAL_NAMES = "localhost, 127.0.0.1 or [::1]";
const MAX_QUOTED_CHARS = 200;

/** Throws an HttpError where the request is refused. */
export function guardRequest(headers: IncomingHttpHeaders, guard: Guard): void {
  const { host: given = "", origin: from } = headers;
  const host = hostNameOf(given);
  // Beyond loopback the names of this machine are unknown.
  const isLocal = isLoopbackHost(guard.host);
  if (host === undefined || (isLocal && !isLoopbackHost(host))) {
    const right = isLocal ? LOCAL_NAMES : "one name or address of this machine";
    throw new HttpError(403, "forbidden_host", `Host must be ${right}, not ${quoted(given)}`);
  }
  if (from !== undefined) {
    const origin = hostNameOf(from);
    const isOwn = origin !== undefined && (isLoopbackHost(origin) || (!isLocal && origin === host));
    const right = isLocal ? LOCAL_NAMES : `${host}, ${LOCAL_NAMES}`;
    if (!isOwn) throw new HttpError(403, "forbidden_origin", `Origin must be at ${right}, not ${quoted(from)}`);
    const own = guard.pagePort === undefined ? from : new URL(`http://${toUrlHost(host)}:${guard.pagePort}`).origin;
    if (from.toLowerCase() !== own.toLowerCase())
      throw new HttpError(403, "forbidden_origin", `Origin must be ${quoted(own)}, not ${quoted(from)}`);
  }
  if (guard.token === undefined) return;
  const sent = bearerOf(headers.authorization);
  if (sent === undefined || !isSameToken(sent, guard.token)) {
    const right = "a bearer token is needed: send Authorization: Bearer <JEEVES_TOKEN of the server>";
    throw new HttpError(401, "unauthorized", right, { headers: { "www-authenticate": "Bearer" } });
  }
}

function quoted(header: string): string {
  return JSON.stringify(header.length > MAX_QUOTED_CHARS ? `${header.slice(0, MAX_QUOTED_CHARS)}…` : header);
}
