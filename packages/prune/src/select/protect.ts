// Lines that stay whatever the budget: K-28's frame of code, K-30's headings of docs.
import { type Outline, ROLE, type Scope } from "../outline/outline.ts";
import { type LineTable, lineHead, lineLength } from "../text/lines.ts";
import { MARKER_CHARS } from "./select.ts";
import { WHY } from "./why.ts";

const PROTECTED = WHY.indexOf("protected") + 1;
const HEADER = WHY.indexOf("header") + 1;
const CONTENTS_SHARE = 0.03;
/** Headers and imports that have neither a scope nor a role of their own: by the first or the last line of a statement. */
const FRAME_LINES = [
  /^\s*(?:export|declare)\s+(?:(?:default|declare|abstract|async|const)\s+)*(?:class|interface|function|type|enum|namespace)\b/,
  /^\s*(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*(?::[^=]+)?=\s*(?:async\s+)?(?:function\b|\([^()]*\)[^=;]*=>|[\w$]+\s*=>)/,
  /^\s*(?:(?:pub(?:\([\w: ]+\))?\s+)?type\s+\w[^=]*=|typedef\s|(?:\w+\s+)*typealias\s)/,
  /^\s*(?:(?:const|let|var)\s[^=]+=\s*require\(|require(?:_relative)?[\s(]+["']|export\s.*\sfrom\s*["'])/,
  /\}\s*(?:=\s*require\(|from\s*["'])/,
  /^\s*(?:require|include)(?:_once)?\b[^=]*["'][^=]*;\s*$/,
];
/** Lines that may precede the comment that opens a file. */
const BEFORE_OPENING = /^\s*$|^\ufeff?<\?php\s*$|^(["'])use \w+\1;?\s*$/;
const DOC_STRING = /^[rRuU]?(?:"""|''')/;

/** Marks every import, every class, function and type header, and the comment that opens the file. */
export function protectFrame(table: LineTable, outline: Outline, must: Uint8Array): void {
  const { scopes, scopeOf, unitStart, unitEnd } = outline;
  const isFrameLine = (i: number): boolean => {
    const role = outline.role[i] ?? 0;
    if ((role & (ROLE.import | ROLE.signature)) !== 0) return true;
    if ((role & (ROLE.comment | ROLE.blank)) !== 0) return false;
    const head = lineHead(table, i);
    return FRAME_LINES.some((pattern) => pattern.test(head));
  };
  for (let i = 0; i < table.count; i++) {
    if (!isFrameLine(i)) continue;
    const scope = scopes[scopeOf[i] ?? 0];
    // Of a statement that is too long to be a unit, the line that ends it is known.
    const start = scope?.kind === "block" && scope.closer === i ? scope.start : (unitStart[i] ?? i);
    must.fill(PROTECTED, start, (unitEnd[i] ?? i) + 1);
  }
  for (const scope of scopes) {
    if (scope.kind === "class" || scope.kind === "function") must.fill(PROTECTED, scope.start, scope.headerEnd + 1);
  }
  protectOpening(table, outline, must);
}

/**
 * Marks the comments above the first line of code, also a doc string; but not a later one that belongs to a function.
 */
function protectOpening(table: LineTable, { scopes, scopeOf, role }: Outline, must: Uint8Array): void {
  let isOpen = false;
  for (let i = 0; i < table.count; i++) {
    const head = lineHead(table, i);
    const scope = scopes[scopeOf[i] ?? 0];
    const isComment = ((role[i] ?? 0) & ROLE.comment) !== 0 || (i === 0 && head.startsWith("#!"));
    if (isComment) {
      if (isOpen && scope?.kind !== "block" && i < (scope?.start ?? 0)) return;
      // Of a long one only the first line has the role.
      const end = scope?.kind === "block" && scope.start === i ? scope.end : i;
      must.fill(PROTECTED, i, end + 1);
      i = end;
    } else if (BEFORE_OPENING.test(head)) {
      isOpen ||= must[i - 1] === PROTECTED;
    } else {
      const quote = DOC_STRING.exec(head)?.[0];
      if (quote === undefined) return;
      const at = table.text.indexOf(quote.slice(-3), (table.starts[i] ?? 0) + quote.length);
      for (let k = i; k < table.count && (table.starts[k] ?? 0) <= at; k++) must[k] = PROTECTED;
      return;
    }
  }
}

/**
 * Marks K-30's titles: all of them under a ratio. Otherwise they are a table of contents, kept only where it is cheap: each
 * costs itself and a marker, and kept lines bring the titles above them anyway.
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

/** K-30: where a line of a block of code must stay, all of the block does. */
export function protectSolid({ role, unitStart, unitEnd }: Outline, must: Uint8Array): void {
  for (let i = 0; i < must.length; i++) {
    if (must[i] === 0 || ((role[i] ?? 0) & ROLE.solid) === 0) continue;
    const end = unitEnd[i] ?? i;
    must.fill(PROTECTED, unitStart[i] ?? i, end + 1);
    i = end;
  }
}
