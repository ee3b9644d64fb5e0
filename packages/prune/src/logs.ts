// Logs and command output: what failed stays, what repeats is told once. Linear in the text, no grammar; a line's
// shape (numbers, times and ids masked) says how rare it is.
import { type LineTable, lineAt } from "./lines.ts";
import { templatesOf } from "./log-templates.ts";
import { WHY } from "./why.ts";

export interface LogReading {
  readonly scores: Float64Array;
  readonly must: Uint8Array;
  /** Line (0-based) with the same template that came first, or -1. */
  readonly repeatOf: Int32Array;
}

const ERROR = WHY.indexOf("error") + 1;
const TROUBLE =
  /\b(?:error|errors|exception|traceback|fatal|panic|panicked|failed|failure|fail|failures|segfault|abort(?:ed)?|critical|severe|undefined reference|cannot find|not found|denied|unhandled|assertion\w*)\b|\w(?:Error|Exception)\b|^E {2,}|^\s*✗|✖|^not ok\b|^--- FAIL/i;
const CALM = /\b(?:0|no) (?:errors?|failures?|failed)\b|\b(?:errors?|failures?|failed)\b\s*[:=]\s*0\b/i;
const SUMMARY =
  /^(?:=+ .*(?:passed|failed|error).* =+$|test result:|Tests?:? +\d|Tests run:|\s*Tests +\d+|Test Files +|\d+ (?:passing|failing|passed|failed)|BUILD |ok\s|FAIL\s|exit|make: \*\*\*|npm ERR!|Found \d+ error|error: (?:could not|aborting)|\[exit)/i;
const FRAME = /^\s+(?:at |File "|\d+: |from |in )|^\s*(?:Caused by|During handling|The above exception)/;
const CONTEXT_BEFORE = 2;
const CONTEXT_AFTER = 3;
const LAST_LINES = 8;

export function readLog(
  table: LineTable,
  relevance: Float64Array,
  how: { barriers: readonly number[]; keepEveryError: boolean },
): LogReading {
  const n = table.count;
  const { first, seen, count } = templatesOf(table);
  const must = new Uint8Array(n);
  const repeatOf = new Int32Array(n).fill(-1);
  const scores = new Float64Array(n);
  const mark = (from: number, to: number): void => {
    for (let i = Math.max(0, from); i <= Math.min(n - 1, to); i++) must[i] = ERROR;
  };
  for (let i = 0; i < n; i++) {
    const origin = first[i] ?? i;
    if (origin !== i) repeatOf[i] = origin;
    const times = count[origin] ?? 1;
    scores[i] = Math.round(((relevance[i] ?? 0) + 0.1 / times) * 1024) / 1024;
    const line = lineAt(table, i).slice(0, 600);
    if (SUMMARY.test(line) && times < 50) mark(i, i);
    if (!TROUBLE.test(line) || (CALM.test(line) && !how.keepEveryError)) continue;
    // The same trouble again and again is told by its first three and its last.
    const nth = seen[i] ?? 1;
    if (!how.keepEveryError && nth > 3 && nth < times) continue;
    let end = i;
    while (end + 1 < n && end - i < 30 && FRAME.test(lineAt(table, end + 1).slice(0, 200))) end++;
    mark(i - CONTEXT_BEFORE, end + CONTEXT_AFTER);
  }
  for (const part of [...how.barriers, n]) mark(part - LAST_LINES, part - 1);
  return { scores, must, repeatOf };
}
