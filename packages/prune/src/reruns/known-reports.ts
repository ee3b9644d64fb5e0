// Reports whose form is known better than by their tool's sign in a log: where the name is, and where the report ends.
import { BLOCK_LONGEST } from "../logs/log-blocks.ts";
import type { LogLines } from "../logs/log-lines.ts";
import { indentOf } from "../text/lines.ts";
import { pytestReports } from "./pytest-reports.ts";
import type { FoundReport } from "./report.ts";

/** `✖ adds (1.65ms)`: node's own runner, as people read it. */
const NODE = /^\s*✖ (.+) \(\d+(?:\.\d+)?ms\)$/;
const NODE_LIST = /^✖ failing tests:$/;
const NODE_PLACE = /^test at (\S.*):\d+:\d+$/;
const UNITTEST = /^(?:FAIL|ERROR): (\S+ \(.+)$/;
const RULE = /^(?:={70}|-{70})$/;
const PHPUNIT = /^\d+\) ([\w\\]+::\S.*)$/;
const PHPUNIT_END = /^(?:\d+\) [\w\\]+::\S|(?:FAILURES|ERRORS|WARNINGS)!$|--$|There (?:was|were) \d)/;
/** Of JUnit's XML: the test is named by the element around what it reports. */
const JUNIT = /^\s*<(failure|error)\b/;
const JUNIT_END = /<\/(?:failure|error)>|<testcase\b/;
const JUNIT_NAME = /<testcase\b[^>]*?\sname="([^"]+)"/;
const GRADLE = /^(\S.* > .+) FAILED$/;

/** The reports of known form, by the number of their first line. */
export function knownReports(lines: LogLines): Map<number, FoundReport> {
  const found = new Map<number, FoundReport>();
  const add = (report: FoundReport | undefined) => report && found.set(report.from, report);
  for (const report of pytestReports(lines)) add(report);
  const { table, clean } = lines;
  let nodeList = -1;
  if (table.text.includes("✖ failing tests:"))
    for (let line = 0; line < table.count; line++) if (NODE_LIST.test(clean(line))) nodeList = line;
  for (let line = 0; line < table.count; line++) {
    const text = clean(line);
    const nameOf = (form: RegExp) => form.exec(text)?.[1];
    const [node, unittest, phpunit, gradle] = [NODE, UNITTEST, PHPUNIT, GRADLE].map(nameOf);
    if (node !== undefined) add(nodeAt(lines, { line, name: node }, nodeList));
    else if (unittest !== undefined) add(unittestAt(lines, { line, name: unittest }));
    else if (phpunit !== undefined) add(until(lines, { from: line, names: [phpunit] }, line + 1, PHPUNIT_END));
    else if (JUNIT.test(text)) add(junitAt(lines, line));
    else if (gradle !== undefined) add(withBody(indentedBelow(lines, line, gradle)));
  }
  return found;
}

interface NamedLine {
  readonly line: number;
  readonly name: string;
}

/** Node prints each below its suite and again, with its place, in a list at the end of the run. */
function nodeAt(lines: LogLines, { line, name }: NamedLine, list: number): FoundReport | undefined {
  const report = { from: line, to: endOfBody(lines, line, { hasBlanks: true }), names: [name] };
  const [, file] = list >= 0 && line > list ? (NODE_PLACE.exec(lines.clean(line - 1)) ?? []) : [];
  if (file !== undefined) return withBody({ ...report, from: line - 1, head: line, file });
  return withBody(list > line ? { ...report, isListed: true } : report);
}

/** unittest prints the name between two rules, and the traceback below them. */
function unittestAt({ table, clean }: LogLines, { line, name }: NamedLine): FoundReport | undefined {
  if (line === 0 || !RULE.test(clean(line - 1))) return undefined;
  let at = line + 1;
  // A line of the test's own description may stand before the rule.
  while (at < table.count && at <= line + 2 && !RULE.test(clean(at))) at++;
  if (at >= table.count || !RULE.test(clean(at))) return undefined;
  return until({ table, clean }, { from: line, names: [name] }, at + 1, RULE);
}

function junitAt(lines: LogLines, line: number): FoundReport | undefined {
  const name = line === 0 ? undefined : JUNIT_NAME.exec(lines.clean(line - 1))?.[1];
  return name === undefined ? undefined : until(lines, { from: line, names: [name] }, line + 1, JUNIT_END);
}

function indentedBelow(lines: LogLines, line: number, name: string): FoundReport {
  return { from: line, to: endOfBody(lines, line, { hasBlanks: false }), names: [name] };
}

/** A report down to the line before one that ends it; none where that is not found. */
function until(
  { table, clean }: Pick<LogLines, "table" | "clean">,
  report: Omit<FoundReport, "to">,
  start: number,
  end: RegExp,
): FoundReport | undefined {
  for (let i = start; i < table.count && i <= start + BLOCK_LONGEST; i++)
    if (end.test(clean(i))) return { ...report, to: i - 1 };
  return undefined;
}

/** The last line that is indented deeper than the first one. */
function endOfBody({ table }: LogLines, start: number, { hasBlanks }: { readonly hasBlanks: boolean }): number {
  const indent = indentOf(table, start);
  let to = start;
  for (let i = start + 1; i < table.count; i++) {
    const deep = indentOf(table, i);
    if (deep < 0 ? !hasBlanks : deep <= indent) break;
    if (deep >= 0) to = i;
  }
  return to;
}

/** A report that is certain: more than a name, and not too long to be one failure. */
function withBody(report: FoundReport): FoundReport | undefined {
  const { from, to, head = from } = report;
  return to > head && to - from <= BLOCK_LONGEST ? report : undefined;
}
