// Reads values with a delimiter: commas, semicolons, tabs or bars. Quoted values may hold the delimiter and line ends. A text
// whose path does not name such a table must have a header, and nearly all of its records the same number of values.
import { type LineTable, lineHead } from "../../text/lines.ts";
import type { TableLines } from "./table-lines.ts";

const PATH = /\.(?:csv|tsv|psv)$/i;
const SIGNS = [",", ";", "\t", "|"];
const LOOK_RECORDS = 60;
const MIN_RECORDS = 5;
const SURE_SHARE = 0.9;
const NAMED_SHARE = 0.5;
/** A longer record is a quote that was never closed. */
const MOST_LINES = 200;
const LOOK_LINE = 200_000;
/** A number, a date: a value. */
const VALUE = /^\s*"?[-+.]?\d/;
const MOST_NAME = 60;

interface RecordLines {
  readonly first: number;
  readonly last: number;
  readonly cells: number;
}

/** The table in a text; undefined where it is not delimited. */
export function delimitedTable(table: LineTable, path: string | undefined): TableLines | undefined {
  const isNamed = path !== undefined && PATH.test(path);
  if (table.count < (isNamed ? 3 : MIN_RECORDS) || (path !== undefined && !isNamed)) return undefined;
  let best: { readonly sign: string; readonly share: number; readonly cells: number } | undefined;
  for (const sign of SIGNS) {
    const sample = recordsOf(table, sign, LOOK_RECORDS);
    const cells = mostCommon(sample.map((record) => record.cells));
    const share = sample.filter((record) => record.cells === cells).length / Math.max(1, sample.length);
    const enough = sample.length >= 3 && cells >= (isNamed ? 2 : 3);
    if (enough && (best === undefined || share * cells > best.share * best.cells)) best = { sign, share, cells };
  }
  if (best === undefined || best.share < (isNamed ? NAMED_SHARE : SURE_SHARE)) return undefined;
  const { sign, cells } = best;
  if (!isNamed && !hasHeader(table, sign, cells)) return undefined;
  const records = recordsOf(table, sign, Number.POSITIVE_INFINITY).flatMap(({ first, last }) =>
    last > first ? [[first, last] as const] : [],
  );
  return { headerEnd: records[0]?.[0] === 0 ? records[0][1] : 0, records, delimited: { code: sign.charCodeAt(0) } };
}

/** Names, each once and none a number, without blanks around the sign as prose has them. */
function hasHeader(table: LineTable, sign: string, cells: number): boolean {
  const names = lineHead(table, 0).trim().split(sign);
  if (table.starts[1] !== undefined && (table.starts[1] ?? 0) <= 400 && names.length !== cells) return false;
  if (sign === "," && names.slice(1).every((name) => name.startsWith(" "))) return false;
  const clean = names.map((name) => name.trim().replace(/^"|"$/g, ""));
  return (
    new Set(clean).size === clean.length &&
    clean.every((name) => name !== "" && name.length <= MOST_NAME && !VALUE.test(name))
  );
}

function recordsOf(table: LineTable, sign: string, most: number): RecordLines[] {
  const { text, starts, count } = table;
  const code = sign.charCodeAt(0);
  const found: RecordLines[] = [];
  for (let line = 0; line < count && found.length < most; line++) {
    const first = line;
    let cells = 1;
    let isQuoted = false;
    for (;;) {
      const from = starts[line] ?? 0;
      const end = Math.min(starts[line + 1] ?? text.length, from + LOOK_LINE);
      for (let at = from; at < end; at++) {
        const c = text.charCodeAt(at);
        if (c === 34) isQuoted = !isQuoted;
        else if (c === code && !isQuoted) cells++;
      }
      if (!isQuoted || line + 1 >= count || line - first >= MOST_LINES) break;
      line++;
    }
    // The quote was never closed: the line is a record of its own.
    if (isQuoted) line = first;
    if (lineHead(table, first).trim() !== "") found.push({ first, last: line, cells });
  }
  return found;
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best = 0;
  for (const [value, times] of counts) if (times > (counts.get(best) ?? 0)) best = value;
  return best;
}
