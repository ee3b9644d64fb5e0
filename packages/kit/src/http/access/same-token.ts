// Comparing tokens, once for all transports.
import { createHash, timingSafeEqual } from "node:crypto";

/** Compares hashes, which have one length, in constant time, so that the time reveals nothing about the token. */
export function isSameToken(given: string, expected: string): boolean {
  return timingSafeEqual(hashOf(given), hashOf(expected));
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
