// Names of files as they are shown: a name may hold line ends, terminal escapes, marks that turn the text around, and
// characters that cannot be seen (zero width, tags; the two that join letters and emoji stay).
import { UNSAFE } from "./one-line.ts";

const UNSEEN = /[\u061c\u200b\u200e\u200f\u2060-\u2065\ufeff\u{e0000}-\u{e0fff}]/u;
const ESCAPED = new RegExp(`${UNSAFE.source}|${UNSEEN.source}`, "gu");

/**
 * The name as it is, or as a JSON string with escapes where it holds characters that are not safe to print, or begins as
 * such a string does: two names are never shown as one.
 */
export function shownName(name: string): string {
  return name.search(ESCAPED) < 0 && !name.startsWith('"') ? name : shownText(JSON.stringify(name));
}

/** A text with names in it as one line: characters that are not safe to print are escaped, all others stay. */
export function shownText(text: string): string {
  return text.replace(ESCAPED, (unsafe) =>
    Array.from({ length: unsafe.length }, (_, index) => escapeOf(unsafe.charCodeAt(index))).join(""),
  );
}

function escapeOf(code: number): string {
  return code === 0x0a ? "\\n" : `\\u${code.toString(16).padStart(4, "0")}`;
}
