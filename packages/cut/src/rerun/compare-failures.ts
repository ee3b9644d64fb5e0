// Compares the failures of a run with those of the run before. A failure is as before only if all of its report is the same,
// and only if every line that would be shown of it is in an earlier result that the model still has.
import { type FailureReport, type LineTable, splitLines } from "@jeeves/prune";
import type { EarlierOutput } from "./earlier-output.ts";
import { type Said, saidIn, shownIn } from "./said-reports.ts";

/** How the failures of a run differ from those of the run before. */
export interface ComparedFailures {
  /** As before and shown before, so that they are left out. */
  readonly hidden: readonly FailureReport[];
  /** The tests in these reports, each as often as it failed. */
  readonly names: readonly string[];
  /** How many more are as before but are not left out. */
  readonly more: number;
  /** Tests of the same name with another report. */
  readonly changed: readonly string[];
  /** New failures; undefined where not all of the last run is known. */
  readonly fresh?: readonly string[];
  /** Failures of the last run that this one does not report. */
  readonly gone: readonly string[];
}

/** A test that failed, or a finding, with its report. */
interface Failure {
  readonly name: string;
  /** The same for one test, and for findings in the same words about one file. */
  readonly key: string;
  readonly said: Said;
}

const MIN_RUN_LINES = 4;
const MIN_RUN_CHARS = 300;
/** Of a finding: where in the file. */
const LINE = /:\d+(?::\d+)?|\(\d+,\d+\)/;

/**
 * Compares a run with the one before; undefined where nothing can be left out.
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
  const [failed, failedBefore] = [failuresIn(now), failuresIn(before)];
  const nameOf = namesFor([...failed, ...failedBefore]);
  const others = failed.filter(({ said }) => !same.has(said));
  const otherNames = others.map(({ name }) => name);
  const isOther = new Set([...otherNames, ...endsOf(otherNames)]);
  const isShown = shownIn(shown, kept);
  // The test's own report counts, not a list that has its name, too.
  const mayHide = (said: Said) =>
    same.has(said) && !(said.report.isListed && said.report.names.some((name) => isOther.has(name))) && isShown(said);
  const hidden = worthHiding(
    table,
    now.filter(mayHide).map(({ report }) => report),
  );
  const isHidden = new Set(hidden);
  const asBefore = failed.filter(({ said }) => same.has(said));
  const hiddenFailures = asBefore.filter(({ said }) => isHidden.has(said.report));
  if (hiddenFailures.length === 0) return undefined;
  const gone = failedBefore.filter(({ said }) => left.has(said));
  const { changed, fresh } = partOthers(others, gone);
  return {
    hidden,
    names: hiddenFailures.filter(({ said }) => said.report.place === undefined).map(nameOf),
    more: asBefore.filter(({ said: { report } }) => !isHidden.has(report) && isCertain(report)).length,
    changed: changed.map(nameOf),
    ...(isWhole ? { fresh: fresh.map(nameOf) } : {}),
    gone: partOthers(gone, others).fresh.map(nameOf),
  };
}

/** Without a report, a name may be another name of a failure that is reported. */
function isCertain({ isListed, place }: FailureReport): boolean {
  return place !== undefined || !isListed;
}

/** Each failure once: not where it is only listed, if it is reported, too, perhaps with its file's name. */
function failuresIn(all: readonly Said[]): Failure[] {
  const reported = all.flatMap(({ report }) => (report.isListed ? [] : report.names));
  const isReported = new Set([...reported, ...endsOf(reported)]);
  return all.flatMap((said) => {
    const { names, place, file = "", isListed } = said.report;
    return names
      .filter((name) => !isListed || !isReported.has(name))
      .map((name) => ({ name, said, key: place === undefined ? `${file}\n${name}` : name.replace(LINE, "") }));
  });
}

/** The ends of these names behind each of their suites. */
function endsOf(names: Iterable<string>): Set<string> {
  const ends = new Set<string>();
  for (const name of names) for (const { index } of name.matchAll(/ [>›] /g)) ends.add(name.slice(index + 3));
  return ends;
}

/** How failures are named: with the file where tests of several files have the same name. */
function namesFor(failures: readonly Failure[]): (failure: Failure) => string {
  const files = new Map<string, Set<string | undefined>>();
  for (const { name, said } of failures) {
    const known = files.get(name);
    if (known === undefined) files.set(name, new Set([said.report.file]));
    else known.add(said.report.file);
  }
  return ({ name, said: { report } }) =>
    report.file !== undefined && (files.get(name)?.size ?? 0) > 1 ? `${report.file}::${name}` : name;
}

/** Splits failures into those that have a counterpart of the same name among `left`, and the others. */
function partOthers(failures: readonly Failure[], left: readonly Failure[]) {
  const leftOf = new Map<string, number>();
  for (const { key } of left) leftOf.set(key, (leftOf.get(key) ?? 0) + 1);
  const changed: Failure[] = [];
  const fresh: Failure[] = [];
  for (const failure of failures) {
    const count = leftOf.get(failure.key) ?? 0;
    leftOf.set(failure.key, count - 1);
    (count > 0 ? changed : fresh).push(failure);
  }
  return { changed, fresh };
}

/** Reports in runs of some size: a marker in the place of a shorter one costs as much. */
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

/** The reports of now that the run before had, too, each of its own used once, and those of its own that are left. */
function pairsOf(now: readonly Said[], before: readonly Said[]) {
  const same = new Set<Said>();
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
      const match = same.has(said) ? undefined : byWords.get(said[words])?.shift();
      if (match === undefined) continue;
      left.delete(match);
      same.add(said);
    }
  }
  return { same, left };
}
