// Lines that stay whatever the budget: K-28's frame of code, K-30's headings of docs.
import { type LineTable, lineAt, lineHead, lineLength } from "./lines.ts";
import { type Outline, ROLE, type Scope } from "./outline.ts";
import { MARKER_CHARS } from "./select.ts";
import { WHY } from "./why.ts";

const PROTECTED = WHY.indexOf("protected") + 1;
const HEADER = WHY.indexOf("header") + 1;
const CONTENTS_SHARE = 0.03;
/** Headers and imports of one line that have neither a scope nor a role of their own. */
const FRAME_LINES = [
  /^\s*(?:export|declare)\s+(?:(?:default|declare|abstract|async|const)\s+)*(?:class|interface|function|type|enum|namespace)\b/,
  /^\s*(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*(?::[^=]+)?=\s*(?:async\s+)?(?:function\b|\([^()]*\)[^=;]*=>|[\w$]+\s*=>)/,
  /^\s*(?:(?:pub(?:\([\w: ]+\))?\s+)?type\s+\w[^=]*=|typedef\s)/,
  /^\s*(?:(?:const|let|var)\s[^=]+=\s*require\(|require(?:_relative)?[\s(]+["']|export\s.*\sfrom\s*["'])/,
];

/** Every import, every class, function and type header, and the comment that opens the file. */
export function protectFrame(table: LineTable, outline: Outline, must: Uint8Array): void {
  const isFrameLine = (i: number): boolean => {
    const role = outline.role[i] ?? 0;
    if ((role & ROLE.import) !== 0) return true;
    if ((role & (ROLE.comment | ROLE.blank)) !== 0) return false;
    const head = lineHead(table, i);
    return FRAME_LINES.some((pattern) => pattern.test(head));
  };
  for (let i = 0; i < table.count; i++) if (isFrameLine(i)) must[i] = PROTECTED;
  for (const scope of outline.scopes) {
    if (scope.kind === "class" || scope.kind === "function") must.fill(PROTECTED, scope.start, scope.headerEnd + 1);
  }
  for (let i = 0; i < table.count; i++) {
    const role = outline.role[i] ?? 0;
    const isOpening = (role & ROLE.comment) !== 0 || (i === 0 && lineAt(table, 0).startsWith("#!"));
    if (!isOpening) break;
    must[i] = PROTECTED;
  }
}

/**
 * K-30's titles, under a ratio all of them. Else they are a table of contents, shown where it is cheap: each costs
 * itself and a marker, and what is kept brings the titles above it anyway.
 */
export function protectHeadings(
  table: LineTable,
  outline: Outline,
  { must, isOrder }: { must: Uint8Array; isOrder: boolean },
): void {
  const sections = outline.scopes.filter((scope) => scope.kind === "section");
  const last = (scope: Scope): number => Math.min(scope.headerEnd, table.count - 1);
  let chars = 0;
  for (const scope of sections) {
    chars += MARKER_CHARS;
    for (let i = scope.start; i <= last(scope); i++) chars += lineLength(table, i);
  }
  if (!isOrder && chars > table.text.length * CONTENTS_SHARE) return;
  for (const scope of sections) must.fill(HEADER, scope.start, last(scope) + 1);
}
