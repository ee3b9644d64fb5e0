// The failures of a run, held against those of the run before. A failure is as before only if all of its report says the
// same, and only if whatever would be shown of it stands in an earlier result that the model still has.
import {
  type FailureReport,
  findReports,
  gutterOf,
  type LineTable,
  lineAt,
  splitLines,
  stableWords,
} from "@jeeves/prune";
import type { EarlierOutput } from "./earlier-output.ts";

export interface ComparedFailures {
  /** As before, and shown before. */
  readonly told: readonly FailureReport[];
  /** The same name, and another report. */
  readonly changed: readonly string[];
  /** Undefined where not all of the last run is known. */
  readonly fresh?: readonly string[];
  /** Names of the last run that this one does not report. */
  readonly gone: readonly string[];
}

/** A report as it is compared. */
interface Said {
  readonly report: FailureReport;
  readonly exact: string;
  /** Without what differs from run to run. */
  readonly stable: string;
  /** The numbers of the source that it quotes. */
  readonly gutter: readonly number[];
}

const MARKER = "⟦… ";
const MIN_RUN_LINES = 4;
const MIN_RUN_CHARS = 300;

/**
 * Undefined where nothing is as before.
 * @param kept per line, whether it would be shown
 */
export function compareFailures(
  table: LineTable,
  kept: Uint8Array,
  { last, isWhole, shown }: EarlierOutput,
): ComparedFailures | undefined {
  const now = saidIn(table);
  const before = saidIn(splitLines(last));
  const { same, left } = pairsOf(now, before);
  const unlike = now.filter((said) => !same.has(said));
  // What a test's report says counts, not the list that it stands in besides.
  const endsOfSame = endsOf(namesIn([...same]));
  const others = new Set([...namesIn(unlike)].filter((name) => !endsOfSame.has(name)));
  const endsOfOthers = endsOf(others);
  const isOther = (name: string) => others.has(name) || endsOfOthers.has(name);
  const isShown = shownIn(shown);
  const told = now.filter((said) => same.has(said) && isShown(table, said.report, kept)).map(({ report }) => report);
  const hidden = worthHiding(
    table,
    told.filter(({ names, place }) => place !== undefined || !names.some(isOther)),
  );
  if (hidden.length === 0) return undefined;
  const [namesNow, namesBefore] = [namesIn(now), namesIn(before)];
  const fresh = [...withoutAliases([...others].filter((name) => !namesBefore.has(name))), ...findingsIn(unlike)];
  return {
    told: hidden,
    changed: withoutAliases([...others].filter((name) => namesBefore.has(name))),
    ...(isWhole ? { fresh } : {}),
    gone: [...withoutAliases([...namesIn(left)].filter((name) => !namesNow.has(name))), ...findingsIn(left)],
  };
}

/** The names of tests. */
function namesIn(all: readonly Said[]): Set<string> {
  return new Set(all.flatMap(({ report }) => (report.place === undefined ? report.names : [])));
}

/** A finding has no name but its words: in other words it is another one. */
function findingsIn(all: readonly Said[]): string[] {
  return all.flatMap(({ report }) => (report.place === undefined ? [] : report.names));
}

/** Reports that make up a run of some size: in the place of a shorter one a marker costs as much. */
function worthHiding(table: LineTable, reports: readonly FailureReport[]): FailureReport[] {
  const runs: FailureReport[][] = [];
  for (const report of reports) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.end === report.from - 1) run.push(report);
    else runs.push([report]);
  }
  const isLong = (run: readonly FailureReport[]) => {
    const [from, end] = [run[0]?.from ?? 0, run.at(-1)?.end ?? 0];
    const chars = (table.starts[end + 1] ?? table.text.length) - (table.starts[from] ?? 0);
    return end - from >= MIN_RUN_LINES - 1 || chars >= MIN_RUN_CHARS;
  };
  return runs.filter(isLong).flat();
}

/** Without names that only end another one: a test is listed by its own name, and reported with its file's. */
export function withoutAliases(names: readonly string[]): string[] {
  const ends = endsOf(names);
  return names.filter((name) => !ends.has(name));
}

/** What stands behind each suite in these names. */
function endsOf(names: Iterable<string>): Set<string> {
  const ends = new Set<string>();
  for (const name of names) for (const { index } of name.matchAll(/ [>›] /g)) ends.add(name.slice(index + 3));
  return ends;
}

function saidIn(table: LineTable): Said[] {
  return findReports(table).map((report) => {
    const exact: string[] = [];
    const stable: string[] = [];
    const gutter: number[] = [];
    for (let i = report.from; i <= report.to; i++) {
      const line = lineAt(table, i);
      if (line.trim() === "") continue;
      exact.push(line);
      stable.push(stableWords(line));
      const number = gutterOf(line);
      if (number !== undefined) gutter.push(number);
    }
    return { report, exact: exact.join("\n"), stable: stable.join("\n"), gutter };
  });
}

/** The reports of now that the run before has, each of its own once, and those of its own that are left. */
function pairsOf(now: readonly Said[], before: readonly Said[]) {
  const found = new Set<Said>();
  const left = new Set(before);
  // To the letter first: of several in the same words the one that did not move is the same.
  for (const words of ["exact", "stable"] as const) {
    const byWords = new Map<string, Said[]>();
    for (const said of left) {
      const alike = byWords.get(said[words]);
      if (alike === undefined) byWords.set(said[words], [said]);
      else alike.push(said);
    }
    for (const said of now) {
      const alike = found.has(said) ? [] : (byWords.get(said[words]) ?? []);
      const at = alike.findIndex((other) => hasMoved(said, other));
      const match = alike[at];
      if (match === undefined) continue;
      alike.splice(at, 1);
      left.delete(match);
      found.add(said);
    }
  }
  return { same: found, left: [...left] };
}

/** Quoted source moves as a whole, or with the place that is named beside it: other numbers are what a table holds. */
function hasMoved(now: Said, before: Said): boolean {
  const by = (now.gutter[0] ?? 0) - (before.gutter[0] ?? 0);
  const isSource = by === 0 || now.gutter.length > 1 || (isPlace(now) && isPlace(before));
  return isSource && now.gutter.every((number, index) => number - (before.gutter[index] ?? 0) === by);
}

function isPlace({ exact, gutter: [number] }: Said): boolean {
  return exact.includes(`:${number}:`) || exact.includes(`(${number},`);
}

type AskShown = (table: LineTable, report: FailureReport, kept: Uint8Array) => boolean;

/** Tells whether one of the results has every line of the report that would be shown, together and in order. */
function shownIn(results: readonly string[]): AskShown {
  const all = results.map((result) => {
    const lines = result.split("\n").map(stableWords);
    const at = new Map<string, number[]>();
    for (const [index, line] of lines.entries()) {
      const same = at.get(line);
      if (same === undefined) at.set(line, [index]);
      else same.push(index);
    }
    return { lines, at };
  });
  return (table, { from, to }, kept) => {
    const words: string[] = [];
    const isNeeded: boolean[] = [];
    for (let i = from; i <= to; i++) {
      const said = stableWords(lineAt(table, i));
      if (said === "") continue;
      words.push(said);
      isNeeded.push(kept[i] !== 0);
    }
    const [first = ""] = words;
    return all.some(({ lines, at }) => (at.get(first) ?? []).some((start) => hasAll(lines, start, words, isNeeded)));
  };
}

/** Whether a result has, from a line on, all the words that are needed, with nothing in between but blocks left out. */
function hasAll(
  lines: readonly string[],
  start: number,
  words: readonly string[],
  isNeeded: readonly boolean[],
): boolean {
  let next = 0;
  for (let i = start; i < lines.length && next < words.length; i++) {
    const line = lines[i] ?? "";
    if (line === "" || line.startsWith(MARKER)) continue;
    let found = next;
    while (found < words.length && words[found] !== line && !isNeeded[found]) found++;
    if (words[found] !== line) break;
    next = found + 1;
  }
  return !isNeeded.slice(next).includes(true);
}
