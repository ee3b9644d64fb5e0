// The matches that are not shown in full, as a list behind the kept lines: `path: 59, 1149`, or `path (17)` where that
// would be too long. Pure: parsed matches and the kept lines in, text out.
import type { MatchLines } from "./match-lines.ts";
import { directoryRows } from "./path-list.ts";

/** The matches of one file that are not shown in full. */
export interface OtherMatches {
  readonly path: string;
  /** Line numbers in the order of the search, each once; empty where the search printed none. */
  readonly lines: readonly number[];
  readonly count: number;
}

/** How a list names matches: `path: 59, 1149` or `path (17)`. */
export type ListForm = "lines" | "counts";

/**
 * The matches that are not kept, by file. `kept` has a value per line of the output, 0 for a dropped one. A line that is
 * shown for another match in it is not listed again; where the file is not known, equal numbers may be different lines, and
 * each counts.
 */
export function otherMatches({ entries }: MatchLines, kept: Uint8Array): OtherMatches[] {
  const seen = new Set<string>();
  const keyOf = (path: string, line: number) => `${line}:${path}`;
  entries.forEach((entry, index) => {
    if (entry.kind === "match" && entry.line !== undefined && kept[index] !== 0)
      seen.add(keyOf(entry.path, entry.line));
  });
  const files = new Map<string, { lines: number[]; count: number }>();
  entries.forEach((entry, index) => {
    if (entry.kind !== "match" || kept[index] !== 0) return;
    const { path, line } = entry;
    if (path !== "" && line !== undefined && seen.has(keyOf(path, line))) return;
    const file = files.get(path) ?? { lines: [], count: 0 };
    files.set(path, file);
    file.count++;
    if (line === undefined) return;
    seen.add(keyOf(path, line));
    file.lines.push(line);
  });
  return [...files].map(([path, file]) => ({ path, ...file }));
}

interface RenderListOptions {
  readonly form: ListForm;
  readonly unit: MatchLines["unit"];
  /** Files that do not fit are counted in the last line instead. */
  readonly maxChars?: number;
}

/**
 * Renders the list with a line above it that counts its matches, without a final line end; "" for no matches. With the form
 * "lines" every number is listed if all are known. Paths are printed as they are: the caller makes them safe.
 */
export function renderOtherMatches(others: readonly OtherMatches[], options: RenderListOptions): string {
  if (others.length === 0) return "";
  const total = sum(others);
  if (options.unit === "paths") return renderPaths(others, options);
  // Other names of files and lines without a place have no shorter form.
  if (options.unit !== "matches") return `[${total} more ${plural(total, options.unit.slice(0, -1), options.unit)}]`;
  const { form, maxChars = Number.POSITIVE_INFINITY } = options;
  const hasLines = form === "lines" && others.every(({ lines }) => lines.length > 0);
  const rows = others.map((other) => (hasLines ? lineRow(other) : countRow(other)));
  const head = `[${total} more ${plural(total, "match", "matches")}, ${hasLines ? "path: lines" : countsHead(others)}]`;
  const whole = [head, ...rows].join("\n");
  if (whole.length <= maxChars) return whole;
  let room = maxChars - head.length - restRow(others).length - 1;
  let fitting = 0;
  while (fitting < rows.length && room > (rows[fitting]?.length ?? 0)) room -= (rows[fitting++]?.length ?? 0) + 1;
  if (fitting === 0) return `[${total} more ${plural(total, "match", "matches")} in ${filesOf(others)}]`;
  return [head, ...rows.slice(0, fitting), restRow(others.slice(fitting))].join("\n");
}

/** All paths by directory; only their number where that is too long. */
function renderPaths(
  files: readonly OtherMatches[],
  { form, maxChars = Number.POSITIVE_INFINITY }: RenderListOptions,
): string {
  const paths = files.map(({ path }) => path);
  const whole = [`[${filesOf(files)}, by directory]`, ...directoryRows(paths, { isNamed: form === "lines" })].join(
    "\n",
  );
  return whole.length <= maxChars ? whole : `[${filesOf(files)}]`;
}

function lineRow({ path, lines }: OtherMatches): string {
  return path === "" ? `lines: ${lines.join(", ")}` : `${path}: ${lines.join(", ")}`;
}

/** The number of a single line is as short as its count, and more useful. */
function countRow(other: OtherMatches): string {
  if (other.count === 1 && other.lines.length === 1) return lineRow(other);
  return `${other.path === "" ? "lines" : other.path} (${other.count})`;
}

function countsHead(others: readonly OtherMatches[]): string {
  const hasSingles = others.some(({ count, lines }) => count === 1 && lines.length === 1);
  return hasSingles ? "path: line or path (matches)" : "path (matches)";
}

function restRow(others: readonly OtherMatches[]): string {
  return `[and ${sum(others)} more in ${filesOf(others)}]`;
}

function filesOf(others: readonly OtherMatches[]): string {
  return `${others.length} ${plural(others.length, "file", "files")}`;
}

function sum(others: readonly OtherMatches[]): number {
  return others.reduce((total, { count }) => total + count, 0);
}

function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
