// Whether the lines around a failure were written by a person. Output of an unknown tool has no sign of its own, so it is
// found by exclusion: lines that are neither source nor prose were printed.
import type { LineTable } from "../text/lines.ts";
import { isSentence, lookOf } from "./line-looks.ts";
import type { LogLines } from "./log-lines.ts";
import { formOf } from "./log-templates.ts";

/** Lines before and after that are looked at. */
export const NEAR_LINES = 20;
/** With fewer filled lines around it nothing counts as printed. */
const LEAST_LINES = 5;
const MOST_WRITTEN = 0.3;
/** A form of so many lines, and of so large a share of the text, is a program's, whatever its lines look like. */
const SAME_FORM = 20;
const SAME_FORM_SHARE = 0.08;

const MOST_WRITTEN_AROUND_WRITTEN = 0.1;

const BLANK = 1;
const WRITTEN = 2;
const OTHER = 3;

/**
 * Makes a test whether the lines around a line look printed. A line that looks written itself must have hardly any such
 * lines around it, and a form that is not frequent. Each line is judged once.
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

/**
 * Makes a test whether many lines have the form of a line: the same marks between words and numbers, whatever these are.
 */
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
