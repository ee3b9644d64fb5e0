// A line of which only the beginning was passed on before the rest of the text was cut.
import type { LineTable } from "@jeeves/prune";
import type { Room } from "../cut-request.ts";

/** Behind a line that is shown in part. */
const BROKEN_MARK = "…\n";

/** Characters for the lines of an answer: a line that is shown in part takes some of them. */
export function roomCharsOf({ maxChars, brokenLine }: Partial<Room> = {}): number | undefined {
  if (maxChars === undefined || brokenLine === undefined) return maxChars;
  return Math.max(1, maxChars - brokenLine.length - BROKEN_MARK.length);
}

/** Ends the line that was passed on in part, unless the rest of it comes next. */
export function withBrokenLine(
  text: string,
  { starts }: LineTable,
  { headLines = 0, brokenLine }: Partial<Room> = {},
): string {
  const at = starts[headLines] ?? 0;
  if (brokenLine === undefined || text.startsWith(brokenLine, at)) return text;
  return `${text.slice(0, at)}${brokenLine}${BROKEN_MARK}${text.slice(at)}`;
}
