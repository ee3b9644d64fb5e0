// The reports of a run as they are compared, and whether earlier results have shown them.
import { type FailureReport, findReports, type LineTable, splitLines, stableLines } from "@jeeves/prune";

/** A report of a failure with its text in comparable forms. */
export interface Said {
  readonly report: FailureReport;
  /** Without what differs from run to run, with all places. */
  readonly exact: string;
  /** Without the numbers of places whose source is quoted. */
  readonly stable: string;
  readonly lines: readonly SaidLine[];
}

interface SaidLine {
  /** 0-based. */
  readonly line: number;
  readonly said: string;
  readonly stable: string;
}

const MARKER = "⟦… ";

/** The reports of failures in a text. */
export function saidIn(table: LineTable): Said[] {
  const reports = findReports(table);
  const { said, stable } = stableLines(table, reports);
  return reports.map((report) => {
    const lines: SaidLine[] = [];
    for (let line = report.from; line <= report.to; line++) {
      const words = said[line] ?? "";
      if (words !== "") lines.push({ line, said: words, stable: stable[line] ?? "" });
    }
    const textOf = (form: "said" | "stable") => [report.file ?? "", ...lines.map((one) => one[form])].join("\n");
    return { report, exact: textOf("said"), stable: textOf("stable"), lines };
  });
}

/**
 * Makes a test whether one of the results has every line of a report that would be shown, together and in order.
 * @param kept per line, whether it would be shown
 */
export function shownIn(results: readonly string[], kept: Uint8Array): (said: Said) => boolean {
  const all = results.map((result) => {
    const { said, stable } = stableLines(splitLines(result));
    const lines = said.map((words, line) => ({ line, said: words, stable: stable[line] ?? "" }));
    const at = new Map<string, number[]>();
    for (const { line, said: words, stable: alike } of lines)
      for (const form of new Set([words, alike])) {
        const same = at.get(form);
        if (same === undefined) at.set(form, [line]);
        else same.push(line);
      }
    return { lines, at };
  });
  return ({ lines: report }) => {
    const [first] = report;
    if (first === undefined) return false;
    const isNeeded = report.map(({ line }) => kept[line] !== 0);
    const startsIn = (at: ReadonlyMap<string, readonly number[]>) =>
      [first.said, first.stable].flatMap((form) => at.get(form) ?? []);
    return all.some(({ lines, at }) => startsIn(at).some((start) => hasAll(lines, start, report, isNeeded)));
  };
}

/** Whether a result has, from a line on, all needed lines, with nothing in between but markers of left-out blocks. */
function hasAll(
  result: readonly SaidLine[],
  start: number,
  report: readonly SaidLine[],
  isNeeded: readonly boolean[],
): boolean {
  let next = 0;
  for (let i = start; i < result.length && next < report.length; i++) {
    const line = result[i];
    if (line === undefined || line.said === "" || line.said.startsWith(MARKER)) continue;
    let found = next;
    while (found < report.length && !isSame(report[found], line) && !isNeeded[found]) found++;
    if (!isSame(report[found], line)) break;
    next = found + 1;
  }
  return !isNeeded.slice(next).includes(true);
}

function isSame(one: SaidLine | undefined, other: SaidLine): boolean {
  return one?.said === other.said || one?.stable === other.stable;
}
