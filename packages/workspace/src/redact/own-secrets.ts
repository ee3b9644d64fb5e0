// What secretlint does not look for: tokens by their form, values by their name, private keys, long random strings
// (C-40). Every repetition is bounded, so each pattern stays linear. Digests are no secrets.

import { digestRanges, isDigest } from "./digests.ts";
import { knownTokens } from "./known-tokens.ts";
import { namedSecrets } from "./named-secrets.ts";
import type { Range } from "./ranges.ts";

const PRIVATE_KEY_BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|^PuTTY-User-Key-File-\d:/gm;
const PRIVATE_KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|^Private-MAC:.*$/m;
const LONGEST_KEY_CHARS = 16_384;
const HEX = /^[\da-f]{32,}$/i;
/** A name before hexadecimal digits that makes them a key instead of a digest. */
const NAMED_HEX = /(?:key|secret|token|password)\W{1,4}$/i;
const LONG_RUN = /[A-Za-z\d+_-]{32,}={0,2}/g;

/** The secrets in a text, in no order; ranges may overlap. */
export function ownSecrets(text: string): Range[] {
  return [...knownTokens(text), ...namedSecrets(text), ...privateKeys(text), ...longTokens(text)];
}
/** From the first dash to the last; of a key without an end, to the end of its base64 lines. */
function privateKeys(text: string): Range[] {
  const found: Range[] = [];
  let from = 0;
  for (const begin of text.matchAll(PRIVATE_KEY_BEGIN)) {
    if (begin.index < from) continue;
    const body = begin.index + begin[0].length;
    const end = PRIVATE_KEY_END.exec(text.slice(body, body + LONGEST_KEY_CHARS));
    from = end === null ? endOfBase64(text, body) : body + end.index + end[0].length;
    found.push({ start: begin.index, end: from });
  }
  return found;
}

function endOfBase64(text: string, start: number): number {
  let end = start + (/^[A-Za-z\d+/=\\]*/.exec(text.slice(start, start + LONGEST_KEY_CHARS))?.[0].length ?? 0);
  const line = /\r?\n[ \t]*[A-Za-z\d+/=]{16,128}(?=\r?\n|$)/y;
  for (line.lastIndex = end; line.test(text); ) end = line.lastIndex;
  return end;
}

function longTokens(text: string): Range[] {
  const found: Range[] = [];
  const digests = digestRanges(text);
  for (const match of text.matchAll(LONG_RUN)) {
    const start = match.index;
    const end = start + match[0].length;
    const isNamed = HEX.test(match[0]) && NAMED_HEX.test(text.slice(Math.max(0, start - 24), start));
    if ((!isTokenLike(match[0]) && !isNamed) || isReference(text, end)) continue;
    if (!digests.some((digest) => digest.start < end && start < digest.end)) found.push({ start, end });
  }
  return found;
}

/** Random letters and digits, or a long hexadecimal key; not a name, a digest or a UUID. */
function isTokenLike(run: string): boolean {
  if (/^[\da-f]+$/i.test(run)) return run.length >= 48 && !isDigest(run) && /\d/.test(run) && /[a-f]/i.test(run);
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(run)) return false;
  const digitGroups = run.match(/\d+/g)?.length ?? 0;
  const upper = run.match(/[A-Z]/g)?.length ?? 0;
  const lower = run.match(/[a-z]/g)?.length ?? 0;
  return digitGroups >= 3 && upper >= 3 && lower >= 3;
}

/** `name.ext:12`, `name:12`: a place in a file, whatever the name looks like. */
function isReference(text: string, end: number): boolean {
  return /^(?:\.\w{1,8}){0,2}:\d/.test(text.slice(end, end + 24));
}
