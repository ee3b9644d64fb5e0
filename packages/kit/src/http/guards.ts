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

/** Throws the refusal, or returns. */
export function guardRequest(headers: IncomingHttpHeaders, guard: Guard): void {
  const host = headers.host === undefined ? undefined : hostNameOf(headers.host);
  if (host === undefined) throw new HttpError(403, "forbidden_host", "a Host header is needed");
  // Beyond loopback nobody knows by which names this machine goes.
  const isLocal = isLoopbackHost(guard.host);
  if (isLocal && !isLoopbackHost(host)) throw new HttpError(403, "forbidden_host", "this Host is not served here");
  if (headers.origin !== undefined) {
    const origin = hostNameOf(headers.origin);
    const isOwn = origin !== undefined && (isLoopbackHost(origin) || (!isLocal && origin === host));
    if (!isOwn) throw new HttpError(403, "forbidden_origin", "this Origin may not call this server");
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

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
