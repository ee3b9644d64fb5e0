// A list under a heading such as "Failed tests:": each of its items is a failure, whatever its words.
import { indentOf } from "../text/lines.ts";
import type { LogLines } from "./log-lines.ts";
import { formOf } from "./log-templates.ts";

const LONGEST_LIST = 400;
const FAILED = /\b(?:fail(?:ing|ed|ures?)|unsuccessful)\b/i;
const WHAT =
  /\b(?:tests?|scenarios?|specs?|examples?|cases?|suites?|checks?|jobs?|steps?|features?|files?|hooks?|modules?|packages?|targets?|tasks?|projects?|hosts?|assertions?)\b/i;
const LONGEST_HEADING = 100;
const FIRST_WORD = /^\S+/;

/** The last item of the list of failures that opens at a line; the line itself where none does. */
export function endOfFailedList({ table, clean }: LogLines, heading: number, text: string): number {
  const title = text.trimEnd();
  if (!title.endsWith(":") || title.length > LONGEST_HEADING || !FAILED.test(title) || !WHAT.test(title))
    return heading;
  const stop = Math.min(table.count - 1, heading + LONGEST_LIST);
  let first = heading + 1;
  if (first <= stop && indentOf(table, first) < 0) first++;
  const indent = first > stop ? -1 : indentOf(table, first);
  if (indent < 0) return heading;
  const isInside = indent > indentOf(table, heading);
  const [word] = FIRST_WORD.exec(clean(first)) ?? [];
  const isItem = (i: number): boolean =>
    isInside
      ? indentOf(table, i) >= indent
      : indentOf(table, i) >= 0 &&
        (FIRST_WORD.exec(clean(i))?.[0] === word || formOf(table, i) === formOf(table, first));
  let last = first;
  while (last < stop && isItem(last + 1)) last++;
  return last;
}
