// From a syntax tree to marks on lines: one cursor pass that enters only nodes of several lines, so its cost follows
// the lines and not the expressions. Names come from the tree where it has them, else from the header's text.
import type { Language, Tree, TreeCursor } from "web-tree-sitter";
import type { LanguageTable } from "./languages.ts";
import type { MarkKind, SyntaxMark } from "./syntax.ts";

export interface Roles {
  /** By node type id. */
  readonly kind: readonly (MarkKind | undefined)[];
  readonly isBody: Uint8Array;
}

const BODY =
  /block|body|suite|statements|statement_list|program|module$|source_file|translation_unit|compilation_unit|declaration_list|compound_statement|document|stylesheet/;
const ERROR_TYPE = 65535;
/** Deeper than this is generated or hostile: its lines stay plain. */
const MAX_DEPTH = 150;
/** A longer literal is not one statement to the reader: it becomes a block with a first and a last line. */
const ATOMIC_LINES = 12;

export function readRoles(language: Language, table: LanguageTable): Roles {
  const kindOf = new Map<string, MarkKind>();
  for (const [kind, types] of Object.entries(table.roles))
    for (const type of types.split(" ")) kindOf.set(type, kind as MarkKind);
  const kind: (MarkKind | undefined)[] = [];
  const isBody = new Uint8Array(language.nodeTypeCount);
  for (let id = 0; id < language.nodeTypeCount; id++) {
    const type = language.nodeTypeForId(id) ?? "";
    const named = language.nodeTypeIsNamed(id);
    kind.push(named ? kindOf.get(type) : undefined);
    if (named && BODY.test(type)) isBody[id] = 1;
  }
  return { kind, isBody };
}

export function sketch(tree: Tree, text: string, roles: Roles): { marks: SyntaxMark[]; errorLines: number } {
  const marks: SyntaxMark[] = [];
  const cursor = tree.walk();
  let errorLines = 0;

  /** Visits the children of the node under the cursor; true when a scope was found below. */
  const visitChildren = (inBody: boolean, depth: number): boolean => {
    let found = false;
    if (depth > MAX_DEPTH || !cursor.gotoFirstChild()) return false;
    do {
      const id = cursor.nodeTypeId;
      const start = cursor.startPosition.row;
      const endPoint = cursor.endPosition;
      const end = endPoint.column === 0 && endPoint.row > start ? endPoint.row - 1 : endPoint.row;
      if (id === ERROR_TYPE) errorLines += end - start + 1;
      const kind = roles.kind[id];
      if (kind === undefined) {
        if (end === start) continue;
        const at = marks.length;
        const inner = visitChildren(roles.isBody[id] === 1, depth + 1);
        if (inner) {
          found = true;
          // What stands around a scope (a call, an object) and begins above it needs its own first and last line; of
          // several that begin there, the longest.
          const first = roles.isBody[id] === 1 ? undefined : marks[at];
          if (first?.start === start && first.isLong === true) marks[at] = { ...first, end };
          else if (first !== undefined && first.start !== start)
            marks.splice(at, 0, { kind: "block", name: "", start, headerEnd: start, end, isLong: true });
        } else if (inBody && roles.isBody[id] !== 1) {
          marks.length = at;
          const long = end - start + 1 > ATOMIC_LINES;
          if (long) marks.push({ kind: "block", name: "", start, headerEnd: start, end, isLong: true });
          else marks.push({ kind: "statement", name: "", start, headerEnd: start, end });
        }
      } else if (kind === "import" || kind === "comment" || kind === "decorator") {
        marks.push({ kind, name: "", start, headerEnd: start, end });
      } else {
        found = true;
        if (end === start) {
          if (kind === "function" || kind === "class")
            marks.push({ kind, name: nameHere(cursor, text), start, headerEnd: start, end });
          continue;
        }
        marks.push({
          kind,
          name: kind === "function" || kind === "class" ? nameHere(cursor, text) : "",
          start,
          headerEnd: headerEndHere(cursor, text, roles, start),
          end,
        });
        visitChildren(false, depth + 1);
      }
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
    return found;
  };
  try {
    visitChildren(true, 0);
  } finally {
    cursor.delete();
  }
  return { marks, errorLines };
}

/** The last line of the signature: the one that opens the body, or the one before a body without braces. */
function headerEndHere(cursor: TreeCursor, text: string, roles: Roles, start: number): number {
  let last = start;
  let hasBody = false;
  if (!cursor.gotoFirstChild()) return start;
  do {
    const field = cursor.currentFieldName;
    if (field === "body" || field === "consequence" || field === "block" || roles.isBody[cursor.nodeTypeId] === 1) {
      if ("{[(".includes(text.charAt(cursor.startIndex))) last = cursor.startPosition.row;
      hasBody = true;
      break;
    }
    last = cursor.endPosition.row;
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  // A struct whose body the grammar hides deeper: what is that long is no signature.
  return hasBody || last - start < ATOMIC_LINES ? last : start;
}

const BOUND =
  /([\p{L}_$][\p{L}\p{N}_$.]*)\s*(?::[^=]{0,80})?[=:]\s*(?:async\s*)?(?:function\b|\(|[\p{L}_$][\p{L}\p{N}_$]*\s*=>|func\b|\|)/u;
const CALLED = /([\p{L}_$][\p{L}\p{N}_$.]*)\s*\(\s*(["'`])((?:(?!\2).){1,80})/u;

function nameHere(cursor: TreeCursor, text: string): string {
  const from = cursor.startIndex;
  let name = "";
  if (cursor.gotoFirstChild()) {
    do {
      const field = cursor.currentFieldName;
      if (field === "name") {
        name = text.slice(cursor.startIndex, Math.min(cursor.endIndex, cursor.startIndex + 200));
        break;
      }
      if (field === "body") break;
      // C: the name hides in the declarator; Rust: impl Trait for Type; CSS: the selectors
      if (field === "declarator")
        name =
          /[\p{L}_~][\p{L}\p{N}_:~]*(?=\s*\()/u.exec(
            text.slice(cursor.startIndex, cursor.endIndex).slice(0, 300),
          )?.[0] ?? "";
      if (field === "type" || field === "trait")
        name = `${name} ${text.slice(cursor.startIndex, Math.min(cursor.endIndex, cursor.startIndex + 100))}`.trim();
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  if (name !== "") return name;
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const before = text.slice(Math.max(lineStart, from - 200), from + 60);
  const bound = BOUND.exec(before)?.[1];
  if (bound !== undefined) return bound;
  const called = CALLED.exec(before);
  return called === null ? "" : `${called[1]} ${called[3]}`;
}
