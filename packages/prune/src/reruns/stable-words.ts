// A line of a failure's report without what differs from run to run although nothing changed: colours, how long a test
// took, the line numbers of places and of quoted source, where an object lies in memory, the names of temporary
// directories. Each is taken out only where a tool prints it about the run: a value that a test compared stays as it is.
import { withoutColours } from "../matches/match-lines.ts";
import { kindOfPath } from "../outline/extensions.ts";

const HEX = "0x[0-9a-fA-F]+";
/** The time that a test took, in brackets at the end of the line that names it, or behind vitest's name of it. */
const TOOK = /^(\s*(?:--- |[×✕✖✗●] |Failed |not ok |FAIL ).*?)\s*[([]<? ?\d+(?:[.,]\d+)? ?m?s[)\]]$/;
const VITEST_TOOK = /^(\s*× .*?) \d+(?:\.\d+)?m?s$/;
const NUMBERED = /^(\s+)\d+\) /;
const TAP_NUMBER = /^(\s*not ok) \d+/;
const CLOCK = /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?/;
/** A file and a line at the beginning of a line. */
const LEADING_PLACE = /^(\s*(?:[❯#] |--> )?)([^\s:()]+)(?::\d+(?::\d+)?|\(\d+,\d+\))(?=:|$| - | \+0x)/;
const FRAME_PLACE = /^(\s+at .*?)(?::line \d+|:\d+(?::\d+)?)(\)?)$/;
const PYTHON_PLACE = /^(\s*(?:[|E] +)?File ".*", line )\d+/;
const RUST_PLACE = /( panicked at .*?\.rs):\d+:\d+/;
const RUST_THREAD = /^(\s*thread '.*?') \(\d+\)/;
const GO_OFFSET = /^(\s+\S+\.go:#) \+0x[0-9a-f]+$/;
const GOROUTINE = /^goroutine \d+ /;
const WORKER = /^\[gw\d+\] /;
const OBJECT = new RegExp(`\\bat ${HEX}>`, "g");
const GUTTER = /^\s*(>?)\s*(\d+)( ?[|│])/;
const TEMPORARY = /(\/(?:tmp|T|temp|Temp|var\/tmp)\/)([\w.-]+)/g;
const PYTHON_TEMPORARY = /^tmp[a-z0-9_]{8}$/;
const PYTEST_TEMPORARY = /\/pytest-\d+\//g;
const RANDOM_END = /^(.*[-_.])?([A-Za-z0-9]{6})$/;
/** So often do letters and digits change their kind in a name that nobody chose. */
const LEAST_CHANGES = 3;

/** What the line says, whenever it is said. */
export function stableWords(line: string): string {
  const text = withoutColours(line).trimEnd();
  if (text === "") return "";
  return text
    .replace(CLOCK, "#")
    .replace(TOOK, "$1")
    .replace(VITEST_TOOK, "$1")
    .replace(NUMBERED, "$1#) ")
    .replace(TAP_NUMBER, "$1 #")
    .replace(FRAME_PLACE, "$1:#$2")
    .replace(LEADING_PLACE, (place, before: string, path: string) =>
      kindOfPath(path) === "code" ? `${before}${path}:#` : place,
    )
    .replace(PYTHON_PLACE, "$1#")
    .replace(RUST_PLACE, "$1:#")
    .replace(RUST_THREAD, "$1")
    .replace(GO_OFFSET, "$1")
    .replace(GOROUTINE, "goroutine # ")
    .replace(WORKER, "[gw#] ")
    .replace(OBJECT, "at #>")
    .replace(GUTTER, "$1#$3")
    .replace(PYTEST_TEMPORARY, "/pytest-#/")
    .replace(TEMPORARY, (_, dir: string, name: string) => `${dir}${isRandom(name) ? "#" : name}`);
}

/** The number that a tool prints before a line of source; undefined where there is none. */
export function gutterOf(line: string): number | undefined {
  const [, , number] = GUTTER.exec(withoutColours(line)) ?? [];
  return number === undefined ? undefined : Number(number);
}

function isRandom(name: string): boolean {
  if (PYTHON_TEMPORARY.test(name)) return true;
  const [, , end = ""] = RANDOM_END.exec(name) ?? [];
  let changes = 0;
  for (let i = 1; i < end.length; i++) if (kindOf(end.charCodeAt(i)) !== kindOf(end.charCodeAt(i - 1))) changes++;
  return changes >= LEAST_CHANGES;
}

function kindOf(code: number): "digit" | "capital" | "small" {
  return code < 58 ? "digit" : code < 91 ? "capital" : "small";
}
