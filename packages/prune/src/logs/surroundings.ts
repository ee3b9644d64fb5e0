// Whether the lines around a failure were written by a person. Output of an unknown tool has no sign of its own, so the
// question is asked the other way round: what is neither source nor prose was printed.
import type { LineTable } from "../text/lines.ts";
import { isSentence, lookOf } from "./line-looks.ts";
import type { LogLines } from "./log-lines.ts";
import { formOf } from "./log-templates.ts";

/** So many lines before and after are looked at; with fewer than the least the question has no answer. */
export const NEAR_LINES = 20;
const LEAST_LINES = 5;
const MOST_WRITTEN = 0.3;
/** A form that so many lines have, and so large a part of the text, is a program's, whatever its lines look like. */
const SAME_FORM = 20;
const SAME_FORM_SHARE = 0.08;

const MOST_WRITTEN_AROUND_WRITTEN = 0.1;

const BLANK = 1;
const WRITTEN = 2;
const OTHER = 3;

/**
 * Tells of a line whether the lines around it look printed. Of a line that itself looks written more is asked: hardly a
 * line around it does, and none of the many has its form. Each line is judged once.
 */
export function createSurroundings(lines: LogLines): (line: number, looksWritten: boolean) => boolean {
  const { table, clean } = lines;
  const isRegular = regularForms(table);
  const known = new Uint8Array(table.count);
  const judge = (i: number): number => {
    const text = clean(i);
    if (text.trim() === "") return BLANK;
    if (isRegular(i)) return OTHER;
    const look = lookOf(text);
    return look === "written" || (look === "unclear" && isSentence(text)) ? WRITTEN : OTHER;
  };
  return (line, looksWritten) => {
    if (looksWritten && isRegular(line)) return false;
    let written = 0;
    let filled = 0;
    const last = Math.min(table.count - 1, line + NEAR_LINES);
    for (let i = Math.max(0, line - NEAR_LINES); i <= last; i++) {
      if (i === line) continue;
      known[i] ||= judge(i);
      if (known[i] !== BLANK) filled++;
      if (known[i] === WRITTEN) written++;
    }
    const most = looksWritten ? MOST_WRITTEN_AROUND_WRITTEN : MOST_WRITTEN;
    return filled >= LEAST_LINES && written <= filled * most;
  };
}

/** Tells of a line whether many others have its form: the same marks between words and numbers, whatever these are. */
function regularForms(table: LineTable): (line: number) => boolean {
  const forms = new Int32Array(table.count);
  const counts = new Map<number, number>();
  let filled = 0;
  for (let i = 0; i < table.count; i++) {
    const form = formOf(table, i);
    forms[i] = form;
    if (form === 0) continue;
    filled++;
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const least = Math.max(SAME_FORM, filled * SAME_FORM_SHARE);
  return (i) => (counts.get(forms[i] ?? 0) ?? 0) >= least;
}
