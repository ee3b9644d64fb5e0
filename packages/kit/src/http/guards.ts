// Who may talk to us at all. On loopback a web page is the danger: it can reach the port, but it cannot choose its Host
// and Origin headers. Beyond loopback the token decides.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { hostNameOf, isLoopbackHost } from "./addresses.ts";
import { HttpError } from "./http-error.ts";

export interface Guard {
  /** What the server is bound to. */
  readonly host: string;
  readonly token?: string | undefined;
}

const LOCAL_NAMES = "localhost, 127.0.0.1 or [::1]";
const MAX_QUOTED_CHARS = 200;

/** Throws the refusal, or returns. */
export function guardRequest(headers: IncomingHttpHeaders, guard: Guard): void {
  const { host: given = "", origin: from } = headers;
  const host = hostNameOf(given);
  // Beyond loopback nobody knows by which names this machine goes.
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
  }
  if (guard.token !== undefined && !isAuthorized(headers.authorization, guard.token)) {
    throw new HttpError(401, "unauthorized", "a bearer token is needed", {
      headers: { "www-authenticate": "Bearer" },
    });
  }
}

function isAuthorized(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  // Hashes have one length, so that the time taken tells nothing about the token.
  return given !== undefined && timingSafeEqual(hashOf(given), hashOf(token));
}

function quoted(header: string): string {
  return JSON.stringify(header.length > MAX_QUOTED_CHARS ? `${header.slice(0, MAX_QUOTED_CHARS)}…` : header);
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
