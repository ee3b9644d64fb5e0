// Adds what the evidence names and the same text defines (a called helper's signature, a constant, a type), where that is a
// few lines. Only where the engine decides how much to keep, and never more than a small part of it.
import { type Outline, ROLE } from "../outline/outline.ts";
import { completeParts } from "../outline/parts.ts";
import { lineAt, lineLength } from "../text/lines.ts";
import { WordFinder } from "../text/words.ts";
import { codeOf, keptChars, type Selection } from "./select.ts";

const EVIDENCE = codeOf("evidence");
const SUPPORT = codeOf("support");
const SHOWN = 3;
const TRIED = 6;
const LONGEST_LINES = 6;
const LONGEST_CHARS = 400;
/** Share of what is kept anyway; in a small cut, LEAST_CHARS. */
const SHARE = 0.03;
const LEAST_CHARS = 200;
const SHORTEST_NAME = 4;
const AMBIGUOUS = -1;
const BOUND =
  /^(?:(?:export|pub(?:\([^)]*\))?|static|final|private|public|const|let|var|val|type|declare|readonly)\s+)*(?:[\w<>[\]:*&]+\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]{1,80})?=(?!=)/u;

/** Marks at most a few definitions in `kept`; none where that would pass maxChars. */
export function addDefinitions(selection: Selection, kept: Uint8Array, maxChars: number | undefined): void {
  const { table, outline } = selection;
  const defined = definitions(selection, kept);
  if (defined.size === 0) return;
  const uses = new Map<number, number>();
  const finder = new WordFinder(defined);
  for (let i = 0; i < table.count; i++) {
    if (kept[i] !== EVIDENCE || ((outline.role[i] ?? 0) & (ROLE.comment | ROLE.import)) !== 0) continue;
    finder.scan(table.text, table.starts[i] ?? 0, table.starts[i + 1] ?? 0, (word) => {
      const at = defined.get(word);
      if (at !== undefined) uses.set(at, (uses.get(at) ?? 0) + 1);
    });
  }
  const before = keptChars(selection, kept);
  const most = Math.min(before + Math.max(LEAST_CHARS, before * SHARE), maxChars ?? Number.POSITIVE_INFINITY);
  const wanted = [...uses].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, TRIED);
  let shown = 0;
  for (const [line] of wanted) {
    if (shown === SHOWN) break;
    const tried = kept.slice();
    for (let i = line; i <= headEnd(selection, line); i++) if (tried[i] === 0) tried[i] = SUPPORT;
    if (outline.parts !== undefined) completeParts(outline.parts, tried, SUPPORT);
    if (keptChars(selection, tried) > most) continue;
    kept.set(tried);
    shown++;
  }
}

/** Name → first line of the one thing that it means here, where that is short and dropped. */
function definitions(selection: Selection, kept: Uint8Array): Map<string, number> {
  const found = new Map<string, number>();
  for (const [name, line] of shortDefinitions(selection)) if (kept[line] === 0) found.set(name, line);
  return found;
}

const known = new WeakMap<Outline, ReadonlyMap<string, number>>();

/** The same, dropped or not; remembered by the outline. */
function shortDefinitions(selection: Selection): ReadonlyMap<string, number> {
  const found = known.get(selection.outline) ?? findShort(selection);
  known.set(selection.outline, found);
  return found;
}

function findShort(selection: Selection): Map<string, number> {
  const { table, outline } = selection;
  const found = new Map<string, number>();
  const add = (name: string, line: number): void => {
    if (name.length >= SHORTEST_NAME) found.set(name, found.has(name) ? AMBIGUOUS : line);
  };
  for (const scope of outline.scopes) {
    if (scope.kind === "function" || scope.kind === "class") add(scope.name, scope.start);
  }
  for (let i = 0; i < table.count; i = (outline.unitEnd[i] ?? i) + 1) {
    const role = outline.role[i] ?? 0;
    if (outline.scopeOf[i] !== 0 || (role & (ROLE.blank | ROLE.comment | ROLE.import)) !== 0) continue;
    const line = lineAt(table, i).slice(0, LONGEST_CHARS);
    const name = line.includes("=") ? BOUND.exec(line)?.[1] : undefined;
    if (name !== undefined) add(name, i);
  }
  for (const [name, line] of found) {
    if (line === AMBIGUOUS) continue;
    let chars = 0;
    for (let i = line; i <= headEnd(selection, line); i++) chars += lineLength(table, i);
    const isLong = headEnd(selection, line) - line >= LONGEST_LINES || chars > LONGEST_CHARS;
    if (isLong) found.set(name, AMBIGUOUS);
  }
  for (const [name, line] of found) if (line === AMBIGUOUS) found.delete(name);
  return found;
}

/** Last line of a definition: of its signature, or of all of a statement. */
function headEnd({ outline }: Selection, line: number): number {
  const scope = outline.scopes[outline.scopeOf[line] ?? 0];
  return scope !== undefined && scope.start === line && scope.headerEnd >= line
    ? scope.headerEnd
    : (outline.unitEnd[line] ?? line);
}
