// What secretlint does not look for: JWTs, bearer tokens, `password="…"`, credentials in URLs, private
// keys, long random strings (C-40). Every repetition is bounded, so each pattern stays linear.

import type { Range } from "./ranges.ts";

/** Group 1 is what goes; without a group, all of it. */
const PATTERNS: readonly RegExp[] = [
  /(?<![\w-])eyJ[\w-]{5,4096}\.[\w-]{5,8192}(?:\.[\w-]{0,4096})?/dg,
  /\b(?:bearer|basic|token)[ \t]{1,4}([\w.~+/=-]{16,8192})/dgi,
  /\b[a-z][a-z\d+.-]{0,20}:\/\/([^\s/@:"'<>]{0,256}:[^\s/@"'<>]{1,512})@/dgi,
  /(?:\bpass|password|passwd|passphrase|pwd|secret|token|credentials?|api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key)["'`]?[ \t]{0,3}(?:=>|:=|[:=])[ \t]{0,3}["'`]((?!\$\{|<|\{\{)[^"'`\s]{4,1024})["'`]/dgi,
  /\b[A-Z][A-Z\d_]{0,60}?(?:PASSWORD|PASSWD|SECRET|TOKEN|KEY|CREDENTIALS?)=((?![$<({])[^\s"'`;&|]{6,1024})/dg,
  /(?:secret|token|password|passwd|api[_-]?key|access[_-]?key|secret[_-]?key)[ \t]{0,3}[:=][ \t]{0,3}((?=[^\s\d]{0,256}\d)[A-Za-z\d+/=_-]{16,1024})(?![\w(.[])/dgi,
  /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/dg,
];

const PRIVATE_KEY_BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PRIVATE_KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const LONGEST_KEY_CHARS = 16_384;
const LONG_RUN = /[A-Za-z\d+_-]{32,}={0,2}/g;

export function ownSecrets(text: string): Range[] {
  const found: Range[] = [];
  for (const pattern of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
      found.push({ start, end });
    }
  }
  return [...found, ...privateKeys(text), ...longTokens(text)];
}

/** From the first dash to the last; a key that was cut off goes to the end of its base64 lines. */
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
  for (const match of text.matchAll(LONG_RUN)) {
    const end = match.index + match[0].length;
    if (isTokenLike(match[0]) && !isReference(text, end)) found.push({ start: match.index, end });
  }
  return found;
}

/** Random letters and digits, or a long hexadecimal key; not a name, and not the 40 digits of a commit. */
function isTokenLike(run: string): boolean {
  if (/^[\da-f]+$/i.test(run)) return run.length >= 48 && /\d/.test(run) && /[a-f]/i.test(run);
  const digitGroups = run.match(/\d+/g)?.length ?? 0;
  const upper = run.match(/[A-Z]/g)?.length ?? 0;
  const lower = run.match(/[a-z]/g)?.length ?? 0;
  return digitGroups >= 3 && upper >= 3 && lower >= 3;
}

/** `name.ext:12`, `name:12`: a place in a file, whatever the name looks like. */
function isReference(text: string, end: number): boolean {
  return /^(?:\.\w{1,8}){0,2}:\d/.test(text.slice(end, end + 24));
}
