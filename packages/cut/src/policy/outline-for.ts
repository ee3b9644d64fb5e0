// How much an outline of a result shows: of a whole file every header and the best tenth, a fifth in all; of a part
// of one, a twentieth and the scopes that are worth a line. Of a command's output, a fifth is a candidate where nothing is
// looked up in it line by line: of tests, runs and long listings of a directory, not of searches and lists of paths.
import type { OutlineAmount } from "@jeeves/prune";
import type { OutputClass } from "./situation.ts";

const WHOLE: OutlineAmount = { keep: 0.1 };
const PART: OutlineAmount = { keep: 0.05, minScopeLines: 8 };
const PRINTED: OutlineAmount = { ...PART, keepOfLog: 0.2 };

/** A line of `ls -l`. */
const LISTED = /^[-bcdlps][-rwxsStT]{9}[.+@]?\s/gm;
const FILLED_LINE = /^.*\S/gm;
/** A text that begins otherwise is no listing. */
const LOOK_CHARS = 20_000;

/** The outline that is a candidate for a result of this class. */
export function outlineFor(outputClass: OutputClass, text: string): OutlineAmount {
  if (outputClass === "read") return WHOLE;
  const isPrinted = outputClass === "test" || outputClass === "run" || (outputClass === "search" && isListing(text));
  return isPrinted ? PRINTED : PART;
}

/** Whether at least every second line is one of `ls -l`. */
function isListing(text: string): boolean {
  const head = text.slice(0, LOOK_CHARS);
  const listed = head.match(LISTED)?.length ?? 0;
  return listed > 0 && listed * 2 >= (head.match(FILLED_LINE)?.length ?? 0);
}
