// Tables as programs print them for people: a rule under the names (psql, sqlite, dpkg), names in capitals above columns
// (docker, kubectl, ps), and the long listing of a directory.
import { LOG_LINE } from "../../logs/line-looks.ts";
import { type LineTable, lineHead } from "../../text/lines.ts";
import type { TableLines } from "./table-lines.ts";

const MIN_LINES = 6;
const LOOK_LINES = 80;
const MOST_HEADER = 8;
const RULE = /^[\s|+║├┌└╞]*[-=─━]{2,}[-=─━+|┼┬╪╬┤┐┘\s/]*$/;
const COLUMN = /[-=─━]{2,}/g;
/** `NAME  READY  STATUS`, `%CPU`, `1K-blocks`, `State  Recv-Q`. */
const NAMES = /^\s*(?:[A-Z%#][A-Za-z0-9%()/_.:#-]*)(?:\s+[A-Z%0-9][A-Za-z0-9%()/_.:-]*){2,}\s*$/;
const CAPITALS = /^[A-Z%][A-Z0-9%()/_-]*$/;
/** A line of `ls -l`. */
const LISTED = /^[-bcdlps][-rwxsStT]{9}[.+@]?\s+\d/;
const SHARE = 0.8;
const MOST_LOG_SHARE = 0.1;

/** The table in a text; undefined where it has no such header and is not a listing. */
export function headedTable(table: LineTable): TableLines | undefined {
  if (table.count < MIN_LINES) return undefined;
  const header = ruledHeader(table) ?? namedHeader(table) ?? listing(table);
  if (header === undefined || readsLikeLog(table, header)) return undefined;
  return { headerEnd: header, records: [] };
}

/** The line of the rule. */
function ruledHeader(table: LineTable): number | undefined {
  for (let i = 1; i < Math.min(MOST_HEADER, table.count - 1); i++) {
    const line = lineHead(table, i);
    if (!RULE.test(line) || line.trim().length < 5) continue;
    const columns = line.match(COLUMN)?.length ?? 0;
    if (columns >= 2 && sampled(table, i + 1, (text) => hasColumns(text)) >= SHARE) return i;
  }
  return boxedHeader(table);
}

function boxedHeader(table: LineTable): number | undefined {
  if (!RULE.test(lineHead(table, 0)) || !RULE.test(lineHead(table, 2))) return undefined;
  return (lineHead(table, 0).match(COLUMN)?.length ?? 0) >= 2 ? 2 : undefined;
}

function hasColumns(text: string): boolean {
  return /[|│┃║]/.test(text) || /\S {2,}\S/.test(text) || RULE.test(text) || /^\(\d+ rows?\)$/.test(text.trim());
}

function namedHeader(table: LineTable): number | undefined {
  const head = lineHead(table, 0);
  if (!NAMES.test(head)) return undefined;
  const names = head.trim().split(/\s{2,}|\t/);
  const words = head.trim().split(/\s+/);
  const capitals = words.filter((word) => CAPITALS.test(word)).length;
  if (names.length < 3 && capitals < words.length) return undefined;
  const least = Math.max(2, Math.floor(words.length / 2));
  const share = sampled(table, 1, (text) => text.trim().split(/\s+/, least).length >= least);
  return share >= SHARE ? 0 : undefined;
}

function listing(table: LineTable): number | undefined {
  let listed = 0;
  let filled = 0;
  for (const i of looksOf(table, 0)) {
    if (lineHead(table, i).trim() === "") continue;
    filled++;
    if (LISTED.test(lineHead(table, i))) listed++;
  }
  return filled > 0 && listed >= filled * SHARE ? -1 : undefined;
}

function readsLikeLog(table: LineTable, header: number): boolean {
  return sampled(table, header + 1, (text) => LOG_LINE.test(text)) > MOST_LOG_SHARE;
}

/** The share of lines behind `from` that are so, blank ones aside. */
function sampled(table: LineTable, from: number, is: (text: string) => boolean): number {
  let all = 0;
  let found = 0;
  for (const i of looksOf(table, from)) {
    const text = lineHead(table, i);
    if (text.trim() === "") continue;
    all++;
    if (is(text)) found++;
  }
  return all === 0 ? 0 : found / all;
}

function looksOf({ count }: LineTable, from: number): number[] {
  const looks = Math.min(count - from, LOOK_LINES);
  return Array.from({ length: Math.max(0, looks) }, (_, nth) => from + Math.floor((nth * (count - from)) / looks));
}
