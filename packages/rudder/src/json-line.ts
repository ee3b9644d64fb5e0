// JSON that is one line of printable characters for every reader: JSON itself lets control characters above 0x7f and
// the line separators of Unicode through, and some readers end a line there.

const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\uFEFF]/gu;

/** `JSON.stringify` with control characters, line separators and byte order marks escaped. */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
