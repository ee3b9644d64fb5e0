// Where a document's headings are, and how deep: `#` of Markdown, `=` of AsciiDoc, and titles underlined (setext,
// reStructuredText, where the order of the marks is the depth); in git's log the commit's header and its subject. Lines of
// code are skipped.
import { type LineTable, lineAt } from "../text/lines.ts";

/** A heading; lines are 0-based and inclusive, level 1 is the highest. */
export interface Heading {
  readonly start: number;
  readonly end: number;
  readonly level: number;
  readonly name: string;
}

const MARKDOWN = /^ {0,3}(#{1,6})\s+(.*?)[\s#]*$/;
const ASCIIDOC = /^(={1,6})\s+(\S.*)$/;
const UNDERLINE = /^([=\-~^"'*+#`:._])\1{2,}\s*$/;
const HTML = /^\s*<h([1-6])\b[^>]*>(.*?)(?:<\/h\1>|$)/i;
/** The first line of a commit in `git log`. */
export const COMMIT = /^commit [0-9a-f]{40}\b/;
const COMMIT_FIELD = /^[A-Z][A-Za-z]+: /;
const LINE_CHARS = 500;

/** The headings of a document in order; `isCode` is 1 for each line to skip. */
export function findHeadings(table: LineTable, isCode: Uint8Array): Heading[] {
  const headings: Heading[] = [];
  const marks: string[] = [];
  const line = (i: number): string => (isCode[i] === 1 ? "" : lineAt(table, i).slice(0, LINE_CHARS));
  for (let i = 0; i < table.count; i++) {
    const text = line(i);
    if (text === "") continue;
    const mark = MARKDOWN.exec(text) ?? ASCIIDOC.exec(text);
    const html = mark === null ? HTML.exec(text) : null;
    if (COMMIT.test(text)) {
      const start = i;
      while (COMMIT_FIELD.test(line(i + 1))) i++;
      const subject = line(i + 1).trim() === "" ? line(i + 2) : "";
      const name = subject.startsWith("    ") ? subject.trim() : "";
      if (name !== "") i += 2;
      headings.push({ start, end: i, level: 1, name });
    } else if (mark !== null) {
      headings.push({ start: i, end: i, level: mark[1]?.length ?? 1, name: mark[2] ?? "" });
    } else if (html !== null) {
      headings.push({ start: i, end: i, level: Number(html[1]), name: (html[2] ?? "").replace(/<[^>]*>/g, "").trim() });
    } else if (i + 1 < table.count && /^\S|^ \S/.test(text) && !UNDERLINE.test(text)) {
      const under = UNDERLINE.exec(line(i + 1))?.[1];
      if (under === undefined || line(i + 1).trimEnd().length < Math.min(text.trim().length, 4)) continue;
      const isOver = i > 0 && UNDERLINE.exec(line(i - 1))?.[1] === under;
      const kind = isOver ? under + under : under;
      if (!marks.includes(kind)) marks.push(kind);
      headings.push({ start: isOver ? i - 1 : i, end: i + 1, level: marks.indexOf(kind) + 1, name: text.trim() });
      i++;
    }
  }
  return headings;
}
