// Text of any origin as one line that is safe to print.

/** Control characters, line separators, lone surrogates, and marks that change the direction of the text after them. */
export const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * The text on one line: unsafe characters become spaces, and runs of spaces one space. A text of more than `maxChars`
 * characters is cut and ends with "…", which is counted.
 */
export function oneLine(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  if (text.length <= maxChars && PLAIN.test(text)) return text;
  // Enough for characters of two units and some white space; the rest of a huge text is never looked at.
  const head = text.slice(0, maxChars * 4);
  const flat = head.replace(UNSAFE, " ").replace(/\s+/g, " ").trim();
  if (head.length === text.length && flat.length <= maxChars) return flat;
  const chars = [...flat];
  if (head.length === text.length && chars.length <= maxChars) return flat;
  return `${chars
    .slice(0, Math.max(0, maxChars - 1))
    .join("")
    .trimEnd()}…`;
}
