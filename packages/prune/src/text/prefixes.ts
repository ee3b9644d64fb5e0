// Removes what a CI service, a supervisor or a task runner prints before each line of a program: a time, a name, a quote.
// Signs of failures are at the beginning of a line, so they are looked for without it. Ranking and the answer keep it.
import { indentOf, type LineTable, lineHead, splitLines } from "./lines.ts";

/** Most lines must have a prefix: headings and the lines of a second tool have none. */
const MIN_SHARE = 0.9;
const MIN_LINES = 8;
const SAMPLE_LINES = 64;
/** A time behind a name behind a quote: as many prefixes as are taken from one line. */
const MOST_PREFIXES = 4;
/** Names repeat; where nearly every line has a different one, they are the keys of a table or of a settings file. */
const MOST_NAMES_SHARE = 0.25;

/** Levels and outcomes are part of the message and stay: `ERROR: `, `[warn] `, `FAIL | `. */
const NO_LEVEL =
  "(?![\\[( ]*(?:error|err|warn(?:ing)?|info|notice|debug|trace|fatal|fail(?:ed|ure)?|panic|crit(?:ical)?|severe|alert|emerg|exception|caused by|pass(?:ed)?|ok|not ok|note|help|hint|e|w|f|i|d)\\b(?! *\\d))";

interface Prefix {
  readonly pattern: RegExp;
  /** The part before a program's line is a name of the writer's choice, see MOST_NAMES_SHARE. */
  readonly isName?: true;
  /** What stands after the program's line. */
  readonly suffix?: RegExp;
}

const PREFIXES: readonly Prefix[] = [
  // GitHub Actions, GitLab (`01O `), journald and `docker logs -t`; syslog; `ts` and most loggers.
  {
    pattern:
      /\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?\]?:? (?:\d\d[OE](?:\+| ))?/y,
  },
  { pattern: /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? [\w.-]+ [\w./@-]+(?:\[\d+\])?: /y },
  { pattern: /(?:\[\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\]|\d\d:\d\d:\d\d(?:[.,]\d+)?) /y },
  // `gh run view --log`: job, step, time.
  { pattern: /[^\t\n]{1,120}\t[^\t\n]{1,120}\t(?=\uFEFF?\d{4}-\d\d-\d\dT)/y },
  // docker compose; BuildKit.
  { pattern: new RegExp(`${NO_LEVEL}[A-Za-z][\\w./@-]* *\\|(?: |(?=\\n|$))`, "iy"), isName: true },
  { pattern: /#\d+ (?:\d+\.\d+ )?/y },
  // kubectl and stern, concurrently, foreman; turbo, lerna, make -O.
  { pattern: new RegExp(`${NO_LEVEL}\\[[\\w./:@ -]{1,120}\\](?: |(?=\\n|$))`, "iy"), isName: true },
  { pattern: new RegExp(`${NO_LEVEL}[@A-Za-z][\\w./@-]*(?::[\\w./@-]+)*:(?: |(?=\\n|$))`, "iy"), isName: true },
  // A quoted mail or comment.
  { pattern: />(?: |(?=\n|$))/y },
  // A list of strings, as `JSON.stringify(lines, null, 2)` prints it.
  { pattern: /[ \t]{0,16}"(?=(?:[^"\\\n]|\\.)*",?(?:\r?\n|$))/y, suffix: /(?<=.)",?(?=\r?\n?$)/ },
];

/** The same lines without what stands before each of them; undefined where they have no prefix in common. */
export function withoutPrefixes(table: LineTable): LineTable | undefined {
  const sample = sampleOf(table);
  if (sample.length < MIN_LINES) return undefined;
  const found: Prefix[] = [];
  const ends = sample.map(() => 0);
  while (found.length < MOST_PREFIXES) {
    const next = PREFIXES.find((prefix) => isOnMost(prefix, sample, ends));
    if (next === undefined) break;
    sample.forEach((line, i) => {
      ends[i] = endOf(next, line, ends[i] ?? 0);
    });
    found.push(next);
  }
  return found.length === 0 ? undefined : splitLines(withoutFound(table, found));
}

/** The same lines without the indentation that all of them have, as a paste or a nested runner gives it to them. */
export function withoutMargin(table: LineTable): LineTable {
  const margin = marginOf(table);
  if (margin === 0) return table;
  return splitLines(table.text.replace(new RegExp(`^(?: {${margin}}|\\t{${Math.ceil(margin / 4)}})`, "gm"), ""));
}

function sampleOf(table: LineTable): string[] {
  const looks = Math.min(table.count, SAMPLE_LINES);
  const sample: string[] = [];
  for (let nth = 0; nth < looks; nth++) {
    const line = lineHead(table, Math.floor((nth * table.count) / looks));
    if (line.trim() !== "") sample.push(line);
  }
  return sample;
}

function isOnMost(prefix: Prefix, sample: readonly string[], ends: readonly number[]): boolean {
  const names = new Set<string>();
  let having = 0;
  for (const [i, line] of sample.entries()) {
    const from = ends[i] ?? 0;
    const end = endOf(prefix, line, from);
    if (end === from) continue;
    having++;
    names.add(line.slice(from, end));
  }
  if (having < sample.length * MIN_SHARE) return false;
  return prefix.isName !== true || names.size <= having * MOST_NAMES_SHARE;
}

/** Where the prefix ends that begins at `from`, or `from` where there is none. */
function endOf({ pattern }: Prefix, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function withoutFound({ text, starts, count }: LineTable, found: readonly Prefix[]): string {
  const suffixes = found.flatMap(({ suffix }) => suffix ?? []);
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const end = starts[i + 1] ?? text.length;
    let at = starts[i] ?? end;
    for (const prefix of found) at = Math.min(end, endOf(prefix, text, at));
    // A line stays one, whatever is taken from it.
    const line = text.slice(Math.min(at, end - 1), end);
    lines.push(suffixes.reduce((rest, suffix) => rest.replace(suffix, ""), line));
  }
  return lines.join("");
}

function marginOf(table: LineTable): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < table.count && least > 0; i++) {
    const indent = indentOf(table, i);
    if (indent >= 0 && indent < least) least = indent;
  }
  return Number.isFinite(least) ? least : 0;
}
