// Which lines of a log tell of trouble: by a tool's own sign, or by their words. What is kept around them is decided
// elsewhere.
import type { LineTable } from "./lines.ts";
import { cleanLine } from "./log-lines.ts";
import { ADVICE, CALM, LOG_SIGNS, NAMED_TROUBLE, PASSED, SAID_TROUBLE, TROUBLE } from "./log-signs.ts";
import { timeless } from "./log-templates.ts";

/** Of trouble lines that are the same but for time and address, this many are told; then the last. */
const SAME_TROUBLE = 3;
const SAME_MENTION = 1;

export interface Trouble {
  readonly line: number;
  /** Where the failure that opens here closes; undefined where none opens. */
  readonly end: RegExp | undefined;
  /** Whether what stands around it belongs to it. */
  readonly isTrouble: boolean;
}

/**
 * Every line that tells of trouble, less those that are the same as others but for time and address; where a line only
 * has the word in it, as the names of tests do, a number is no difference either.
 */
export function findTroubles(table: LineTable, first: Int32Array, everyError: boolean): Trouble[] {
  const found: (Trouble & { readonly shape: string | number; readonly nth: number })[] = [];
  const times = new Map<string | number, number>();
  for (let line = 0; line < table.count; line++) {
    const text = cleanLine(table, line);
    const sign = SIGN_HINT.test(text) ? signOf(text) : undefined;
    const trouble = isTrouble(text, everyError);
    if (sign === undefined && !trouble) continue;
    const isMention = sign === undefined && !SAID_TROUBLE.test(text);
    const shape = everyError ? "" : isMention ? (first[line] ?? line) : timeless(text);
    const nth = (times.get(shape) ?? 0) + 1;
    times.set(shape, nth);
    found.push({ line, end: sign?.end, isTrouble: trouble && !isMention, shape, nth });
  }
  return found.filter(({ shape, nth }) => {
    const shown = typeof shape === "number" ? SAME_MENTION : SAME_TROUBLE;
    return everyError || nth <= shown || nth === times.get(shape);
  });
}

function isTrouble(line: string, everyError: boolean): boolean {
  if (everyError && NAMED_TROUBLE.test(line)) return true;
  return TROUBLE.test(line) && !CALM.test(line) && !PASSED.test(line) && !ADVICE.test(line);
}

/** One cheap look before the table is asked: most lines of most logs are none of its business. */
const SIGN_HINT =
  /^(?:[_=E\-✖>*#]|\s*(?:FAIL|×|●|\d+\)|not ok|--- |Test|Traceback|\d+ (?:pass|fail|test|err))|Test|Snap|test |FAILED|ERROR|error|failures|panic|fatal|goroutine|exit|\[?exit|Found|\S+:\d+:|Exception|Caused|[\w.$]+(?:Exception|Error)|\[(?:INFO|ERROR)\]|BUILD|npm |make|ninja|ok\s|PASS|Process|.+\(\d+,\d+\): error| > \[)/;

function signOf(line: string): { isSum: boolean; end: RegExp | undefined } | undefined {
  let isSum = false;
  let end: RegExp | undefined;
  for (const sign of LOG_SIGNS) {
    if (sign.sum?.test(line) === true) isSum = true;
    if (end === undefined && sign.fail?.test(line) === true) end = sign.end ?? /^\s*$/;
  }
  return isSum || end !== undefined ? { isSum, end } : undefined;
}
