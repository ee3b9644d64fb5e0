// Finds the reports of failures in a program's output, each with its name: a test's block, a traceback, a compiler's finding.
// Anything without a certain end is skipped.
import { BLOCK_FIRST, BLOCK_LONGEST, endOfDetails } from "../logs/log-blocks.ts";
import { type LogLines, logLinesOf } from "../logs/log-lines.ts";
import { PASSED } from "../logs/log-signs.ts";
import { signOf } from "../logs/log-troubles.ts";
import { indentOf, type LineTable } from "../text/lines.ts";
import { knownReports } from "./known-reports.ts";
import type { FailureReport, FoundReport } from "./report.ts";

export type { FailureReport } from "./report.ts";

/** Lines below mocha's number that may belong to the name: a suite per line. */
const MOST_SUITES = 6;
const LETTER = /\p{L}/u;
const ERROR = /\berror\b/i;
const PLACE = /^\s*((?:[A-Za-z]:)?[^\s:()]+)(?::(\d+)(?::\d+)?|\((\d+),\d+\))(?:: | - )/;
/** The line that jest prints above the failures of a file, and go below those of a package. */
const FAILED_FILE = /^FAIL\s+\S+(?:\s+\(?[\d.]+ ?m?s\)?)?\s*$/;
/** The errors of cargo and rustc that sum up the others. */
const OUTCOME = /^error: (?:\d+ targets? failed|test failed|could not compile|aborting)/;
/** Above the tests of a class that failed. */
const MAVEN_CLASS = /^\[ERROR\] Tests run: .*<<< /;
const GO_FAIL = /^\s*--- FAIL: /;
const GO_PACKAGE = /^(?:FAIL|ok) *\t(\S+)/;
const GO_RUN = /^=== RUN /m;
const NUMBERED = /^\s+\d+\) (.+)$/;
const LISTED = /^\s*× /;
const PYTEST = /^_{3,} (?!ERROR ).+ _{3,}$/;
/** Below the source of a test's function. */
const PYTEST_PLACE = /^(\S+\.py):\d+:(?: |$)/;
/** How tools write the name of what failed. */
const NAMES: readonly RegExp[] = [
  /^_{3,} (.+?) _{3,}$/,
  /^\s*× +(.+?)(?: \d+(?:\.\d+)?m?s)?$/,
  /^\s*FAIL +(.+)$/,
  /^\s*● (.+)$/,
  /^---- (.+) stdout ----$/,
  /^\s*--- FAIL: (\S+)/,
  /^\s*not ok \d+(?: -)? (.+)$/,
  /^\s*Failed (\S.*) \[[\d.<, ]+ m?s\]$/,
  /^\[ERROR\] (\S+) .*<<< /,
];

/** The reports of failures in a text, in order; none contains another. `poll` is called now and then and may throw. */
export function findReports(table: LineTable, poll: () => void = () => {}): FailureReport[] {
  const lines = logLinesOf(table, poll);
  const reports: FailureReport[] = [];
  const known = knownReports(lines);
  for (let line = 0; line < table.count; line++) {
    const found = known.get(line);
    const report = found === undefined ? reportAt(lines, line) : toReport(lines, found);
    if (report === undefined) continue;
    reports.push(report);
    line = report.end;
  }
  const full = new Set(reports.flatMap(({ isListed, names }) => (isListed ? [] : names)));
  return withPackages(lines, reports).filter(
    ({ needsFull, names }) => !needsFull || names.every((name) => full.has(name)),
  );
}

/** Go names a package below all of its tests. Those of two packages may have the same names, files and messages. */
function withPackages({ table, clean }: LogLines, reports: readonly FailureReport[]): FailureReport[] {
  const isOfGo = ({ from }: FailureReport) => GO_FAIL.test(clean(from));
  const first = reports.find(isOfGo);
  if (first === undefined) return [...reports];
  const byLine = new Map(reports.filter(isOfGo).map((report) => [report.from, report]));
  const named = new Map<FailureReport, FailureReport>();
  let file: string | undefined;
  for (let line = table.count - 1; line >= first.from; line--) {
    file = GO_PACKAGE.exec(clean(line))?.[1] ?? file;
    const report = byLine.get(line);
    if (report !== undefined && file !== undefined) named.set(report, { ...report, file });
  }
  return reports.map((report) => named.get(report) ?? report);
}

function reportAt(lines: LogLines, line: number): FailureReport | undefined {
  const { clean } = lines;
  const text = clean(line);
  if (FAILED_FILE.test(text) || OUTCOME.test(text) || MAVEN_CLASS.test(text)) return undefined;
  const sign = signOf(text);
  const { end, closes = false } = sign ?? {};
  if (end === undefined) {
    const place = sign !== undefined || ERROR.test(text) ? placeIn(text) : undefined;
    if (place === undefined) return undefined;
    return toReport(lines, { from: line, to: endOfDetails(lines, line), names: [nameIn(text)], place });
  }
  const opens = [line];
  for (let next = line + 1; next < lines.table.count && signOf(clean(next))?.end === end; next++) opens.push(next);
  const to = endOf(lines, opens.at(-1) ?? line, { end, closes });
  if (to === undefined) return undefined;
  // With -v go prints a test's output before its outcome: a name alone does not show whether that is the same.
  if (to === line && GO_FAIL.test(text) && GO_RUN.test(lines.table.text)) return undefined;
  const names = closes ? [nameIn(closingLine(lines, line, to, end))] : opens.map((open) => nameAt(lines, open, to));
  const place = placeIn(text);
  const file = fileIn(lines, line, to);
  return toReport(lines, {
    from: line,
    to,
    names,
    ...(isListing(lines, opens, to) ? { isListed: true } : {}),
    ...(file === undefined ? {} : { file }),
    ...(place === undefined ? {} : { place }),
  });
}

/** Names alone, vitest's list with a reason for each, or mocha's, whose names have no colon behind them. */
function isListing(lines: LogLines, opens: readonly number[], to: number): boolean {
  const { table, clean } = lines;
  if (opens.every((open) => LISTED.test(clean(open)))) return true;
  if (opens.every((open) => NUMBERED.test(clean(open)) && !partsAt(lines, open, to).at(-1)?.endsWith(":"))) return true;
  for (let i = (opens.at(-1) ?? to) + 1; i <= to; i++) if (indentOf(table, i) >= 0) return false;
  return true;
}

/** The first place of a report of pytest's is the test's own. */
function fileIn({ clean }: LogLines, from: number, to: number): string | undefined {
  if (!PYTEST.test(clean(from))) return undefined;
  for (let i = from + 1; i <= to; i++) {
    const [, file] = PYTEST_PLACE.exec(clean(i)) ?? [];
    if (file !== undefined) return file;
  }
  return undefined;
}

/** The last line of what opens at `start`; undefined where it goes on for too long to be one failure. */
function endOf(
  { table, clean }: LogLines,
  start: number,
  { end, closes }: { readonly end: RegExp; readonly closes: boolean },
): number | undefined {
  const stop = start + BLOCK_LONGEST;
  for (let i = start + 1; i < table.count; i++) {
    if (i > stop) return undefined;
    const line = clean(i);
    if (end.test(line)) return closes ? endOfMessage({ table, clean }, i) : i - 1;
    const sign = signOf(line);
    const isSum = sign !== undefined && sign.end === undefined;
    if (PASSED.test(line) || isSum || FAILED_FILE.test(line)) return i - 1;
  }
  return beforeLastWords(table, start);
}

/**
 * The last line of a failure that goes on to the end of the text, without a summary: a last paragraph that is not
 * indented.
 */
function beforeLastWords(table: LineTable, start: number): number {
  let last = table.count - 1;
  while (last > start && indentOf(table, last) < 0) last--;
  let first = last;
  while (first > start && indentOf(table, first - 1) >= 0) first--;
  return first > start && indentOf(table, first) <= indentOf(table, start) ? first - 1 : last;
}

/** The last line of an exception's message, which may take several lines. */
function endOfMessage({ table, clean }: Pick<LogLines, "table" | "clean">, line: number): number {
  let to = line;
  while (to + 1 < table.count && to - line < BLOCK_FIRST && indentOf(table, to + 1) >= 0) {
    if (signOf(clean(to + 1)) !== undefined) break;
    to++;
  }
  return to;
}

function toReport({ table, clean }: LogLines, report: FoundReport): FailureReport {
  let { to } = report;
  while (to > report.from && indentOf(table, to) < 0) to--;
  let end = to;
  while (end + 1 < table.count && !LETTER.test(clean(end + 1))) end++;
  // Blank lines and rules at the end of the text are no separator.
  return { ...report, to, end: end === table.count - 1 ? to : end };
}

function placeIn(text: string): FailureReport["place"] {
  const [, path, line, other] = PLACE.exec(text) ?? [];
  return path === undefined ? undefined : { path, line: Number(line ?? other) };
}

function closingLine({ clean }: LogLines, from: number, to: number, end: RegExp): string {
  for (let i = from + 1; i <= to; i++) if (end.test(clean(i))) return clean(i);
  return clean(to);
}

function nameAt(lines: LogLines, line: number, to: number): string {
  const parts = partsAt(lines, line, to);
  const [first] = parts;
  if (first === undefined) return nameIn(lines.clean(line));
  return parts.at(-1)?.endsWith(":") ? parts.join(" > ").slice(0, -1) : first.trim();
}

/** Behind mocha's number: the suites of a test, each deeper than the one above it, then the test with a colon. */
function partsAt({ table, clean }: LogLines, line: number, to: number): string[] {
  const [, first] = NUMBERED.exec(clean(line)) ?? [];
  if (first === undefined) return [];
  const parts = [first];
  for (let i = line + 1; i <= Math.min(to, line + MOST_SUITES) && !parts.at(-1)?.endsWith(":"); i++) {
    if (indentOf(table, i) <= indentOf(table, line)) break;
    const part = clean(i).trim();
    if (!/^[^:]+:?$/.test(part)) break;
    parts.push(part);
  }
  return parts;
}

function nameIn(text: string): string {
  for (const form of NAMES) {
    const [, name] = form.exec(text.trimEnd()) ?? [];
    if (name !== undefined) return name;
  }
  return text.trim();
}
