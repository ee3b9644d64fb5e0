// Where every line of a text begins and ends. A line ends at \n and nowhere else: \r, U+2028 and NUL are
// content. Nothing here copies or rewrites text; a slice of the original is the only thing that comes out.

/** A text with the places of its lines, so that it is split only once. */
export interface LineTable {
  readonly text: string;
  /** Number of lines. */
  readonly count: number;
  /** count + 1 offsets; line i is text[starts[i], starts[i+1]), its \n included. */
  readonly starts: Uint32Array;
}

/**
 * The lines of a text, which end at \n alone. A final \n opens no further line: "a\nb\n" has two lines, "" has none
 * (X-48).
 */
export function splitLines(text: string): LineTable {
  let starts = new Uint32Array(Math.max(16, text.length >>> 4));
  let count = 0;
  let at = 0;
  while (at < text.length) {
    if (count + 2 > starts.length) {
      const grown = new Uint32Array(starts.length * 2);
      grown.set(starts);
      starts = grown;
    }
    starts[count++] = at;
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  starts[count] = text.length;
  return { text, count, starts: starts.slice(0, count + 1) };
}

/** The number of lines, as splitLines counts them. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  return count;
}

/** The content of line i (0-based) without its \n; "" beyond the last one. */
export function lineAt(table: LineTable, i: number): string {
  const start = table.starts[i] ?? table.text.length;
  const end = table.starts[i + 1] ?? table.text.length;
  return table.text.slice(start, end > start && table.text.charCodeAt(end - 1) === 10 ? end - 1 : end);
}

/** A line's shape shows at its beginning; a line of a megabyte is not searched. */
const LOOK_CHARS = 400;

/** The beginning of line i, by which its shape is judged. */
export function lineHead(table: LineTable, i: number): string {
  return lineAt(table, i).slice(0, LOOK_CHARS);
}

/** Characters of line i (0-based), its \n included. */
export function lineLength(table: LineTable, i: number): number {
  return (table.starts[i + 1] ?? table.text.length) - (table.starts[i] ?? table.text.length);
}

/**
 * Lines startLine..endLine (1-based, inclusive) as one exact slice, without the last line's \n; clamped to the text.
 */
export function linesOf(text: string | LineTable, startLine: number, endLine: number): string {
  const table = typeof text === "string" ? splitLines(text) : text;
  const first = Math.max(1, startLine);
  const last = Math.min(table.count, endLine);
  if (first > last) return "";
  const start = table.starts[first - 1] ?? 0;
  const end = table.starts[last] ?? table.text.length;
  return table.text.slice(start, table.text.charCodeAt(end - 1) === 10 ? end - 1 : end);
}

/** Column of the first character that is neither space nor tab (a tab counts 4), or -1 for a blank line. */
export function indentOf(table: LineTable, i: number): number {
  const end = table.starts[i + 1] ?? table.text.length;
  let width = 0;
  for (let at = table.starts[i] ?? end; at < end; at++) {
    const c = table.text.charCodeAt(at);
    if (c === 32) width++;
    else if (c === 9) width += 4;
    else return c === 10 || c === 13 ? -1 : width;
  }
  return -1;
}
