// Prose: sections under their headings, fenced code and tables as solid units (K-30). Markdown, reStructuredText
// underlines and plain paragraphs.
import { type LineTable, lineAt } from "./lines.ts";
import { finishOutline, type Outline, ROLE, type Scope, type Unit } from "./outline.ts";

const FENCE = /^\s{0,3}(?:[-*+] |\d+\. )?\s*(`{3,}|~{3,})/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)[\s#]*$/;
const UNDERLINE = /^([=\-~^"'*+#])\1{2,}\s*$/;
const TABLE = /^\s*\|.*\|\s*$/;

interface Heading {
  readonly start: number;
  readonly end: number;
  readonly level: number;
  readonly name: string;
}

export function segmentDocs(table: LineTable): Outline {
  const n = table.count;
  const units: Unit[] = [];
  const headings: Heading[] = [];
  const underlines: string[] = [];
  for (let i = 0; i < n; i++) {
    const line = lineAt(table, i).slice(0, 500);
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      let end = i + 1;
      while (end < n && !closes(lineAt(table, end), fence)) end++;
      units.push({ start: i, end: Math.min(end, n - 1), role: ROLE.solid });
      i = end;
      continue;
    }
    if (TABLE.test(line)) {
      let end = i;
      while (end + 1 < n && TABLE.test(lineAt(table, end + 1))) end++;
      if (end > i) units.push({ start: i, end, role: ROLE.solid });
      i = end;
      continue;
    }
    const mark = HEADING.exec(line);
    if (mark) headings.push({ start: i, end: i, level: mark[1]?.length ?? 1, name: mark[2] ?? "" });
    else if (i + 1 < n && /^\S/.test(line) && !UNDERLINE.test(line)) {
      const under = UNDERLINE.exec(lineAt(table, i + 1).slice(0, 500))?.[1];
      if (under === undefined || lineAt(table, i + 1).trimEnd().length < Math.min(line.trimEnd().length, 4)) continue;
      if (!underlines.includes(under)) underlines.push(under);
      headings.push({ start: i, end: i + 1, level: underlines.indexOf(under) + 1, name: line.trim() });
      i++;
    }
  }
  const scopes = headings.map((h, k): Omit<Scope, "parent"> => {
    let end = n - 1;
    for (let j = k + 1; j < headings.length; j++) {
      const other = headings[j];
      if (other !== undefined && other.level <= h.level) {
        end = other.start - 1;
        break;
      }
    }
    return { kind: "section", name: h.name, lead: h.start, start: h.start, headerEnd: h.end, end, closer: end + 1 };
  });
  return finishOutline(table, scopes, units);
}

function closes(line: string, fence: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith(fence) && trimmed.replaceAll(fence.charAt(0), "") === "";
}
