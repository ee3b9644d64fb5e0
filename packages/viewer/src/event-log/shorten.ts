// A text of any length as one short line for a row.
import { oneLine } from "@jeeves/base";

const MAX_CHARS = 400;

/** A text as one line of at most `maxChars` characters. */
export function shorten(text: string, maxChars = MAX_CHARS): string {
  return oneLine(text, maxChars);
}
