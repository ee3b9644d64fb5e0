// Lines that stay whatever the budget: K-28's frame of code, K-30's headings of docs.
import { type LineTable, lineAt } from "./lines.ts";
import { type Outline, ROLE } from "./outline.ts";
import { WHY } from "./why.ts";

const PROTECTED = WHY.indexOf("protected") + 1;
const HEADER = WHY.indexOf("header") + 1;

/** Every import, every class, function and type header, and the comment that opens the file. */
export function protectFrame(table: LineTable, outline: Outline, must: Uint8Array): void {
  for (let i = 0; i < table.count; i++) if (((outline.role[i] ?? 0) & ROLE.import) !== 0) must[i] = PROTECTED;
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

export function protectHeadings(table: LineTable, outline: Outline, must: Uint8Array): void {
  for (const scope of outline.scopes) {
    if (scope.kind === "section") must.fill(HEADER, scope.start, Math.min(scope.headerEnd, table.count - 1) + 1);
  }
}
