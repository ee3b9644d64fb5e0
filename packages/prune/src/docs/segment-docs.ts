// Outlines of prose: sections under their headings, paragraphs and list items as units, code and small tables solid (K-30),
// a long table as rows under its head. Markdown, reStructuredText, AsciiDoc, plain text; anything unknown is prose.
import { finishOutline, type Outline, ROLE, type Scope, type Unit } from "../outline/outline.ts";
import { indentOf, type LineTable, lineAt, lineLength } from "../text/lines.ts";
import { COMMIT, findHeadings, type Heading } from "./doc-headings.ts";

/** A fence, in a quotation, too. */
const FENCE = /^\s*((?:>\s*)*)(?:[-*+] |\d+\. )?\s*(`{3,}(?!.*`)|~{3,})/;
const QUOTED = /^(?:>\s*)+/;
const PRE = /^\s*(?:<\w[^<>]*>\s*)*<pre\b(?!.*<\/pre>)/i;
const INDENTED = /^(?: {4}|\t)\s*\S/;
/** Lines below these may be indented as a part of them: admonitions, tabs, footnotes. */
const HAS_INDENTED = /^(?:!!!|\?\?\?|===|\[\^)/;
/** AsciiDoc's delimited blocks; four or more, alone on their line. */
const DELIMITER = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,})\s*$/;
const DIRECTIVE =
  /^\s*\.\. (?:code-block|code|sourcecode|literalinclude|ipython|parsed-literal|math|csv-table|list-table)::/;
const TABLE = /^\s*\|.*\|\s*$/;
const GRID = /^\s*\+(?:[-=]+\+)+\s*$/;
/** A simple table of reStructuredText; one column of it would be an underline. */
const SIMPLE = /^\s*=+(?: +=+)+\s*$/;
const ITEM = /^\s*(?:[-*+•] |\d{1,3}[.)] |[a-z][.)] |\.{1,5} |:[\w -]+:(?: |$))/;
const LINE_CHARS = 500;
/** Where a document's first titles stand. */
const TITLE_CHARS = 4000;
/** A longer table is shown by its head and the rows that matter. */
const SOLID_ROWS = 15;
const PARAGRAPH_LINES = 12;
/** A shorter line was not wrapped, so the next one does not continue it. */
const WRAPPED_CHARS = 50;

/** The outline of a document. */
export function segmentDocs(table: LineTable): Outline {
  const units: Unit[] = [];
  const scopes: Omit<Scope, "parent">[] = [];
  const isTaken = new Uint8Array(table.count);
  const line = (i: number): string => lineAt(table, i).slice(0, LINE_CHARS);
  const solid = (start: number, end: number): void => {
    units.push({ start, end, role: ROLE.solid });
    isTaken.fill(1, start, end + 1);
  };
  const isMarked = isMarkdown(table);
  let outer = "";
  for (let i = 0; i < table.count; i++) {
    const code = isMarked && isIndentedCode(table, i, outer) ? indentedCodeEnd(table, i) : codeEnd(table, i);
    if (/^ {0,3}\S/.test(line(i))) outer = line(i);
    if (code >= i) {
      solid(i, code);
      i = code;
      continue;
    }
    const { end, headEnd } = tableAt(table, i);
    if (end <= i) continue;
    if (end - i < SOLID_ROWS) solid(i, end);
    else {
      scopes.push({
        kind: "block",
        name: "",
        lead: i,
        start: i,
        headerEnd: headEnd,
        end,
        closer: closerOf(line(end), end),
      });
      isTaken.fill(1, i, end + 1);
    }
    i = end;
  }
  const headings = findHeadings(table, isTaken);
  for (const { start, end } of headings) isTaken.fill(1, start, end + 1);
  for (const section of sectionsOf(headings, table.count)) scopes.push(section);
  addProse(table, isTaken, units);
  return finishOutline(table, scopes, units);
}

/** Last line of the code that begins at line i; less than i where none does. */
function codeEnd(table: LineTable, i: number): number {
  const line = lineAt(table, i).slice(0, LINE_CHARS);
  const last = table.count - 1;
  const until = (isEnd: (text: string) => boolean): number => {
    // In a log the next commit ends what a message left open; a document may show a log in its code.
    const isLog = COMMIT.test(lineAt(table, 0));
    for (let end = i + 1; end <= last; end++) {
      if (isEnd(lineAt(table, end).trim())) return end;
      if (isLog && COMMIT.test(lineAt(table, end))) return end - 1;
    }
    return last;
  };
  const [, quote = "", fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined && !isUnderline(table, i)) {
    const isLeft = (text: string): boolean => quote !== "" && !text.startsWith(">");
    const closes = (text: string): boolean => text.startsWith(fence) && text.replaceAll(fence.charAt(0), "") === "";
    const end = until((text) => isLeft(text) || closes(quote === "" ? text : text.replace(QUOTED, "")));
    return isLeft(lineAt(table, end).trim()) ? end - 1 : end;
  }
  if (PRE.test(line)) return until((text) => /<\/pre>/i.test(text));
  // Front matter, which would else read as a heading.
  if (i === 0 && /^---\s*$/.test(line) && last > 0) return until((text) => text === "---");
  const mayDelimit = DELIMITER.test(line) && (i === 0 || /^\s*$|^[.[]/.test(lineAt(table, i - 1)));
  if (mayDelimit && isAsciiDoc(table)) {
    const end = until((text) => text === line.trim());
    return lineAt(table, end).trim() === line.trim() ? end : -1;
  }
  return DIRECTIVE.test(line) || /::\s*$/.test(line) ? indentedEnd(table, i) : -1;
}

function isMarkdown({ text }: LineTable): boolean {
  return /^(?:#{1,6} \S|```)/m.test(text.slice(0, TITLE_CHARS));
}

/** Markdown's indented code: four columns in, below a blank line, and not as a part of a list item or the like. */
function isIndentedCode(table: LineTable, i: number, outer: string): boolean {
  const line = lineAt(table, i).slice(0, LINE_CHARS);
  if (!INDENTED.test(line) || (i > 0 && indentOf(table, i - 1) >= 0)) return false;
  return !ITEM.test(line) && !ITEM.test(outer) && !HAS_INDENTED.test(outer);
}

function indentedCodeEnd(table: LineTable, i: number): number {
  let end = i;
  for (let j = i + 1; j < table.count; j++) {
    if (INDENTED.test(lineAt(table, j).slice(0, LINE_CHARS))) end = j;
    else if (indentOf(table, j) >= 0) break;
  }
  return end;
}

/** Elsewhere a row of dashes is a rule between sections. */
function isAsciiDoc({ text }: LineTable): boolean {
  return /^={1,5} \S/m.test(text.slice(0, TITLE_CHARS)) && !/^#{1,6} \S/m.test(text.slice(0, TITLE_CHARS));
}

/** A row of `~` or of backticks under a title is no fence. */
function isUnderline(table: LineTable, i: number): boolean {
  const bare = lineAt(table, i).trimEnd();
  if (i === 0 || !/^([`~])\1{3,}$/.test(bare)) return false;
  const above = lineAt(table, i - 1).trimEnd();
  const isAlone = i === 1 || indentOf(table, i - 2) < 0;
  return /^\S/.test(above) && isAlone && bare.length >= above.length;
}

/** reStructuredText: what is indented deeper than the line that announces it. */
function indentedEnd(table: LineTable, i: number): number {
  const own = indentOf(table, i);
  let end = -1;
  for (let j = i + 1; j < table.count; j++) {
    const indent = indentOf(table, j);
    if (indent < 0) continue;
    if (indent <= own) break;
    end = j;
  }
  return end;
}

/** Last line of the table that begins at line i, and of its head; i - 1 where none does. */
function tableAt(table: LineTable, i: number): { end: number; headEnd: number } {
  const line = (at: number): string => lineAt(table, at).slice(0, LINE_CHARS);
  const run = (isRow: (text: string) => boolean): number => {
    let end = i;
    while (end + 1 < table.count && isRow(line(end + 1))) end++;
    return end;
  };
  const first = line(i);
  if (TABLE.test(first)) {
    const end = run((text) => /^\s*\|/.test(text));
    return { end, headEnd: /^[\s|:-]+$/.test(line(i + 1)) ? i + 1 : i };
  }
  if (GRID.test(first)) {
    const end = run((text) => /^\s*[|+]/.test(text));
    return { end, headEnd: Math.min(end, i + 2) };
  }
  if (SIMPLE.test(first)) {
    const rules = [i];
    for (let j = i + 1; j < table.count && rules.length < 3; j++) {
      if (SIMPLE.test(line(j))) rules.push(j);
      else if (indentOf(table, j) < 0 && rules.length === 2 && !SIMPLE.test(line(j + 1))) break;
    }
    return { end: rules.at(-1) ?? i, headEnd: rules[1] ?? i };
  }
  if (/^\|===\s*$/.test(first)) {
    for (let j = i + 1; j < table.count; j++) if (/^\|===\s*$/.test(line(j))) return { end: j, headEnd: i + 1 };
  }
  return { end: i - 1, headEnd: i - 1 };
}

function closerOf(last: string, end: number): number {
  return GRID.test(last) || SIMPLE.test(last) || /^\|===/.test(last) ? end : end + 1;
}

/** A section ends where the next title of its rank or above begins. */
function sectionsOf(headings: readonly Heading[], lineCount: number): Omit<Scope, "parent">[] {
  const open: Heading[] = [];
  const found: Omit<Scope, "parent">[] = [];
  const close = (level: number, end: number): void => {
    while ((open.at(-1)?.level ?? 0) >= level) {
      const { name, start, end: headerEnd } = open.pop() ?? { name: "", start: 0, end: 0 };
      found.push({ kind: "section", name, lead: start, start, headerEnd, end, closer: end + 1 });
    }
  };
  for (const heading of headings) {
    close(heading.level, heading.start - 1);
    open.push(heading);
  }
  close(1, lineCount - 1);
  return found;
}

/** A paragraph is one unit, and so is a list's item with the lines that continue it. */
function addProse(table: LineTable, isTaken: Uint8Array, units: Unit[]): void {
  for (let i = 0; i < table.count; i++) {
    if (isTaken[i] === 1 || indentOf(table, i) < 0) continue;
    let end = i;
    while (
      end + 1 < table.count &&
      end - i + 1 < PARAGRAPH_LINES &&
      lineLength(table, end) >= WRAPPED_CHARS &&
      isTaken[end + 1] === 0 &&
      indentOf(table, end + 1) >= 0 &&
      !ITEM.test(lineAt(table, end + 1).slice(0, LINE_CHARS))
    ) {
      end++;
    }
    if (end > i) units.push({ start: i, end, role: 0 });
    i = end;
  }
}
