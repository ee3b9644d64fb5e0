// Texts of very long lines: minified code, prose without line ends, data in base64. Each line is several rows, which end
// where a statement, a sentence or a word ends, else anywhere.
import { leastRow, Rows, safeBreak } from "../rows.ts";
import { LONG_LINE, type Shape, type ShapeInput } from "../shape.ts";

/** A row ends at the first good place behind so many characters. */
const ROW = 120;
/** It ends anywhere behind so many. */
const MOST = 480;
/** Least share of a text that is in long lines. */
const LEAST_SHARE = 0.5;
const PLACES = [/[;}]|[.!?](?=\s)/g, /[,{)\]>]/g, /\s/g];

/** The shape of a text of very long lines; undefined where most of it is in lines of usual length. */
export function packedShape({ table, insideLines, poll }: ShapeInput): Shape | undefined {
  if (!insideLines) return undefined;
  const { text, starts, count } = table;
  let long = 0;
  for (let i = 0; i < count; i++) {
    const length = (starts[i + 1] ?? text.length) - (starts[i] ?? 0);
    if (length > 2 * LONG_LINE) long += length;
  }
  if (long === 0 || long < text.length * LEAST_SHARE) return undefined;
  const rows = new Rows(text);
  for (let i = 0; i < count; i++) {
    if (i % 64 === 0) poll();
    rows.begin(starts[i] ?? 0, 0);
    splitLine(rows, { from: starts[i] ?? 0, end: starts[i + 1] ?? text.length, scope: 0, poll });
  }
  return { name: "packed", rows: rows.table(), outline: rows.outline(), isList: false };
}

/** Splits one line, whose first row has begun, into more rows. */
export function splitLine(
  rows: Rows,
  {
    from,
    end,
    scope,
    poll,
  }: { readonly from: number; readonly end: number; readonly scope: number; readonly poll: () => void },
): void {
  const { text } = rows;
  if (end - from <= LONG_LINE) return;
  const length = Math.max(ROW, leastRow(text));
  const most = Math.max(MOST, 2 * length);
  let at = from;
  let turn = 0;
  while (end - at > most) {
    if (++turn % 256 === 0) poll();
    const part = text.slice(at + length, at + most);
    const found = PLACES.map((place) => {
      place.lastIndex = 0;
      return place.exec(part);
    }).find((place) => place !== null);
    at = safeBreak(text, found === undefined ? at + most : at + length + found.index + found[0].length);
    rows.begin(at, scope);
  }
}
