// Removes secrets from text for a model or a file. Deterministic and linear: what looks like a secret is
// replaced; line ends and `path:line` references stay.

import { knownTokens } from "./redact/known-tokens.ts";
import { ownSecrets } from "./redact/own-secrets.ts";
import { mergeRanges, type Range } from "./redact/ranges.ts";
import { loadSecretlint } from "./redact/secretlint-rules.ts";

/** The replacement for a secret. */
export const REDACTED = "[redacted]";

/** A function that replaces every secret in a text; its line ends stay. */
export async function createRedactor(): Promise<(text: string) => string> {
  const secretlint = await loadSecretlint();
  return (text) => replaceRanges(text, mergeRanges([...ownSecrets(text), ...secretlint(text)]));
}

/**
 * For references and paths: only secrets with a known form are replaced, so that a place can be found again even where its
 * name looks random (C-40).
 */
export async function createReferenceRedactor(): Promise<(text: string) => string> {
  const secretlint = await loadSecretlint();
  return (text) => replaceRanges(text, mergeRanges([...knownTokens(text), ...secretlint(text)]));
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let out = "";
  let from = 0;
  for (const { start, end } of ranges) {
    // Line ends survive, so that every line keeps its number.
    out += text.slice(from, start) + text.slice(start, end).replace(/[^\n]+/g, REDACTED);
    from = end;
  }
  return out + text.slice(from);
}
