// The token beyond loopback. It is in the fragment of the printed address, which no browser sends; the page puts it on
// each request for data. The page's own files say nothing about anybody and need none.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { HttpError } from "@jeeves/kit/http";

export function requireToken(request: IncomingMessage, token: string | undefined): void {
  if (token === undefined) return;
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  // Hashes have one length, so that the time taken tells nothing about the token.
  if (given !== undefined && timingSafeEqual(hashOf(given), hashOf(token))) return;
  throw new HttpError(401, "unauthorized", "open the address that was printed: it carries a token", {
    headers: { "www-authenticate": "Bearer" },
  });
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
