// pytest's failures beside their blocks: its summary, and the lines of `--tb=line`.
import type { LogLines } from "../logs/log-lines.ts";
import type { FoundReport } from "./report.ts";

const RULE = /^=+ .* =+$/;
const FAILURES = /^=+ FAILURES =+$/;
const SUMMARY = /^=+ short test summary info =+$/;
const BLOCK = /^_{3,} .+ _{3,}$/;
/** The last line of a failure in `--tb=line`. */
const PLACE = /^(\S+\.py):(\d+): \S/;
/** `FAILED a.py::TestSums::test_adds[1 - 2] - assert 7 == 6`. A reason that was too long for the line ends in dots. */
const FAILED = /^FAILED (\S+\.py)::(\S+?(?:\[.*\])?)(?: - (.*))?$/;

interface Listed extends FoundReport {
  readonly reason: string;
}

/** The failures of the summary; those of `--tb=line` by their names there. */
export function pytestReports(lines: LogLines): FoundReport[] {
  const { table, clean } = lines;
  if (!/ (?:FAILURES|short test summary info) =/.test(table.text)) return [];
  const at = { failures: -1, summary: -1 };
  for (let line = 0; line < table.count; line++) {
    if (FAILURES.test(clean(line))) at.failures = line;
    else if (SUMMARY.test(clean(line))) at.summary = line;
  }
  const listed = at.summary < 0 ? [] : listedBelow(lines, at.summary);
  if (at.failures < 0) return listed.filter(({ reason }) => reason !== "" && !reason.endsWith("..."));
  const end = endOfSection(lines, at.failures);
  for (let i = at.failures + 1; i < end; i++)
    if (BLOCK.test(clean(i))) return listed.map((report) => ({ ...report, needsFull: true }));
  const places = placesIn(lines, at.failures + 1, end);
  if (listed.length === 0) return places;
  // They are in the same order. Where printed text looks like a place, they cannot be matched.
  if (listed.length !== places.length) return [];
  const named = places.map(({ from, to }, index): FoundReport => {
    const { names, file = "" } = listed[index] ?? { names: [] };
    return { from, to, names, file };
  });
  return [...named, ...listed];
}

function listedBelow({ table, clean }: LogLines, summary: number): Listed[] {
  const found: Listed[] = [];
  for (let line = summary + 1; line < table.count && !RULE.test(clean(line)); line++) {
    const [, file, test, reason = ""] = FAILED.exec(clean(line).trimEnd()) ?? [];
    if (file === undefined || test === undefined) continue;
    // As its block is called.
    const name = test.replace(/^[^[]*/, (path) => path.replaceAll("::", "."));
    found.push({ from: line, to: line, names: [name], isListed: true, file, reason });
  }
  return found;
}

function placesIn({ clean }: LogLines, start: number, end: number): FoundReport[] {
  const found: FoundReport[] = [];
  let from = start;
  for (let line = start; line < end; line++) {
    const [, path, number] = PLACE.exec(clean(line)) ?? [];
    if (path === undefined) continue;
    found.push({ from, to: line, names: [clean(line).trim()], place: { path, line: Number(number) } });
    from = line + 1;
  }
  return found;
}

function endOfSection({ table, clean }: LogLines, start: number): number {
  let line = start + 1;
  while (line < table.count && !RULE.test(clean(line))) line++;
  return line;
}
