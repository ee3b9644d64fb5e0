// The lines of a failure's report without what differs from run to run although nothing changed: colours, durations,
// addresses in memory, the names of temporary directories, the line numbers of quoted source. They are removed only where a
// tool prints them about the run: values that a test compared stay as they are, and so does anything that may be one.
import { ADVICE } from "../logs/log-signs.ts";
import { withoutColours } from "../matches/match-lines.ts";
import { type LineTable, lineAt } from "../text/lines.ts";
import { withoutQuotedPlaces } from "./quoted-source.ts";
import { type FailureReport, findReports } from "./reports.ts";

/** The lines of a text in comparable forms, one by one; "" for a blank line or advice. */
export interface StableLines {
  /** Each line with all places. */
  readonly said: readonly string[];
  /** The same without the line numbers of quoted source and of the places that it is quoted from. */
  readonly stable: readonly string[];
}

const HEX = "0x[0-9a-fA-F]+";
/** The time that a test took, in brackets at the end of the line that names it, or behind vitest's name of it. */
const TOOK = /^(\s*(?:--- |Failed |✖ ).*?)\s*[([]<? ?\d+(?:[.,]\d+)? ?m?s[)\]]$/;
const VITEST_TOOK = /^(\s*× .*?) \d+(?:\.\d+)?m?s$/;
const MAVEN_TOOK = /^(\[ERROR\] \S+ .*?\bTime elapsed:) [\d.,]+ m?s(?=\s+<<< )/;
const NUMBERED = /^(\s*)\d+\) /;
const TAP_NUMBER = /^(\s*not ok) \d+/;
/** The second line below a test of TAP. */
const TAP_TOOK = /^(\s+duration_ms:) \d+(?:\.\d+)?$/;
const TAP_TOOK_LINE = 2;
/** A record of a log: no value has a date, a time, parts of a second and words behind them. */
const CLOCK = /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,]\d+(?:Z|[+-]\d\d:?\d\d)?\]?(?= +\S)/;
const RUST_THREAD = /^(\s*thread '.*?') \(\d+\)(?= panicked at )/;
const GO_OFFSET = /^(\s+\S+\.go:\d+) \+0x[0-9a-f]+$/;
const GOROUTINE = /^goroutine \d+ (?=\[)/;
const WORKER = /^\[gw\d+\] (?=\w+ -- Python |\[ *\d+%\] )/;
const OBJECT = new RegExp(`\\bat ${HEX}>`, "g");
const TEMPORARY = /(\/(?:tmp|T|temp|Temp|var\/tmp)\/)([\w.-]+)/g;
const PYTHON_TEMPORARY = /^tmp[a-z0-9_]{8}$/;
const PYTEST_TEMPORARY = /(\/pytest-of-[^/\s]+\/pytest-)\d+(?=\/)/g;
const RANDOM_END = /^(.*[-_.])?([A-Za-z0-9]{6})$/;
/** A name is random if letters and digits change their kind at least so often. */
const LEAST_CHANGES = 3;

/** The lines of a text without what differs from run to run; `reports` are those of findReports. */
export function stableLines(table: LineTable, reports: readonly FailureReport[] = findReports(table)): StableLines {
  const said = Array.from({ length: table.count }, (_, line) => stableWords(lineAt(table, line)));
  const stable = [...said];
  for (const { from, to, names, head = from } of reports) {
    for (let i = head; i < head + names.length; i++) said[i] = headWords(said[i] ?? "");
    const took = from + TAP_TOOK_LINE;
    if (took <= to && TAP_NUMBER.test(lineAt(table, from))) said[took] = said[took]?.replace(TAP_TOOK, "$1") ?? "";
    for (const [index, line] of withoutQuotedPlaces(said.slice(from, to + 1)).entries()) stable[from + index] = line;
  }
  return { said, stable };
}

/** The words of a line that names what failed, without durations and numbers. */
function headWords(words: string): string {
  return words
    .replace(TOOK, "$1")
    .replace(VITEST_TOOK, "$1")
    .replace(MAVEN_TOOK, "$1")
    .replace(NUMBERED, "$1#) ")
    .replace(TAP_NUMBER, "$1 #");
}

function stableWords(line: string): string {
  // Blanks at the end stay: they may be what a test compares.
  const text = withoutColours(line).replace(/\r$/, "");
  if (text.trim() === "" || ADVICE.test(text)) return "";
  return text
    .replace(CLOCK, "#")
    .replace(RUST_THREAD, "$1")
    .replace(GO_OFFSET, "$1")
    .replace(GOROUTINE, "goroutine # ")
    .replace(WORKER, "[gw#] ")
    .replace(OBJECT, "at #>")
    .replace(PYTEST_TEMPORARY, "$1#")
    .replace(TEMPORARY, (_, dir: string, name: string) => dir + withoutRandom(name));
}

/** A temporary name with `#` for its random part. */
function withoutRandom(name: string): string {
  if (PYTHON_TEMPORARY.test(name)) return "#";
  const [, chosen = "", end = ""] = RANDOM_END.exec(name) ?? [];
  let changes = 0;
  for (let i = 1; i < end.length; i++) if (kindOf(end.charCodeAt(i)) !== kindOf(end.charCodeAt(i - 1))) changes++;
  return changes >= LEAST_CHANGES ? `${chosen}#` : name;
}

function kindOf(code: number): "digit" | "capital" | "small" {
  return code < 58 ? "digit" : code < 91 ? "capital" : "small";
}
