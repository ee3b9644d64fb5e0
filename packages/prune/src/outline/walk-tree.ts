// From a syntax tree to marks on lines: scopes with their headers, statements, imports, comments. Names come from the
// tree where it has them, else from the header's text.
import type { Language } from "web-tree-sitter";
import { ERROR_TYPE, type FlatTree } from "./flat-tree.ts";
import type { LanguageTable } from "./languages.ts";
import type { MarkKind, SyntaxMark } from "./syntax.ts";

/** What the nodes of a grammar are. */
export interface Roles {
  /** By node type id. */
  readonly kind: readonly (MarkKind | undefined)[];
  readonly isBody: Uint8Array;
  /** Names of fields by their id. */
  readonly fields: readonly (string | null)[];
}

const BODY =
  /block|body|suite|statements|statement_list|program|module$|source_file|translation_unit|compilation_unit|declaration_list|compound_statement|document|stylesheet/;
/** A longer literal is not one statement but a block with a first and a last line. */
const ATOMIC_LINES = 12;

/** The roles of a language's nodes. */
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
  return { kind, isBody, fields: language.fields };
}

/** The marks of a text, and the number of lines that the grammar could not read. */
export function sketch(tree: FlatTree, text: string, roles: Roles): { marks: SyntaxMark[]; errorLines: number } {
  const marks: SyntaxMark[] = [];
  let errorLines = 0;

  /** Visits the children of a node; true when a scope was found below. */
  const visitChildren = (parent: number, inBody: boolean): boolean => {
    let found = false;
    for (let node = tree.firstChild[parent] ?? -1; node >= 0; node = tree.next[node] ?? -1) {
      const id = tree.type[node] ?? 0;
      const start = tree.start[node] ?? 0;
      const end = tree.end[node] ?? start;
      if (id === ERROR_TYPE) errorLines += end - start + 1;
      const kind = roles.kind[id];
      if (kind === undefined) {
        if (end === start && tree.firstChild[node] === -1) continue;
        const at = marks.length;
        const inner = visitChildren(node, roles.isBody[id] === 1);
        if (inner) {
          found = true;
          // What stands around a scope (a call, an object) and begins above it needs its own first and last line; of
          // several that begin there, the longest.
          const first = roles.isBody[id] === 1 ? undefined : marks[at];
          if (first?.start === start && first.isLong === true) marks[at] = { ...first, end };
          else if (first !== undefined && first.start !== start)
            marks.splice(at, 0, { kind: "block", name: "", start, headerEnd: start, end, isLong: true });
        } else if (inBody && roles.isBody[id] !== 1) {
          // Inside one statement only the frame has marks of its own.
          const frame = marks.splice(at).filter((mark) => mark.kind === "import" || mark.kind === "signature");
          const long = end - start + 1 > ATOMIC_LINES;
          if (long) marks.push({ kind: "block", name: "", start, headerEnd: start, end, isLong: true });
          else marks.push({ kind: "statement", name: "", start, headerEnd: start, end });
          marks.push(...frame);
        }
      } else if (kind === "import" || kind === "comment" || kind === "decorator" || kind === "signature") {
        marks.push({ kind, name: "", start, headerEnd: start, end });
      } else {
        found = true;
        const isNamed = kind === "function" || kind === "class";
        if (end === start) {
          if (isNamed) marks.push({ kind, name: nameOf(tree, node, text, roles), start, headerEnd: start, end });
          continue;
        }
        const name = isNamed ? nameOf(tree, node, text, roles) : "";
        marks.push({ kind, name, start, headerEnd: headerEndOf(tree, node, text, roles), end });
        visitChildren(node, false);
      }
    }
    return found;
  };
  visitChildren(0, true);
  return { marks, errorLines };
}

/** The last line of the signature: the one that opens the body, or the one before a body without braces. */
function headerEndOf(tree: FlatTree, node: number, text: string, roles: Roles): number {
  const start = tree.start[node] ?? 0;
  let last = start;
  let hasBody = false;
  for (let child = tree.firstChild[node] ?? -1; child >= 0; child = tree.next[child] ?? -1) {
    const field = roles.fields[tree.field[child] ?? 0];
    if (field === "body" || field === "consequence" || field === "block" || roles.isBody[tree.type[child] ?? 0] === 1) {
      if ("{[(".includes(text.charAt(tree.startAt[child] ?? 0))) last = tree.start[child] ?? last;
      hasBody = true;
      break;
    }
    last = tree.end[child] ?? last;
  }
  // A struct whose body the grammar hides deeper: what is that long is no signature.
  return hasBody || last - start < ATOMIC_LINES ? last : start;
}

// From the beginning of a word only: from within one nothing new is found, and each letter would be tried.
const BOUND =
  /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$.]*)\s*(?::[^=]{0,80})?[=:]\s*(?:async\s*)?(?:function\b|(?:<[^()]{0,80}>\s*)?\(|[\p{L}_$][\p{L}\p{N}_$]*\s*=>|func\b|\|)/u;
const CALLED = /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$.]*)\s*\(\s*(["'`])((?:(?!\2).){1,80})/u;

function nameOf(tree: FlatTree, node: number, text: string, roles: Roles): string {
  const from = tree.startAt[node] ?? 0;
  let name = "";
  for (let child = tree.firstChild[node] ?? -1; child >= 0; child = tree.next[child] ?? -1) {
    const field = roles.fields[tree.field[child] ?? 0];
    const written = (most: number): string => {
      const start = tree.startAt[child] ?? 0;
      return text.slice(start, Math.min(tree.endAt[child] ?? start, start + most));
    };
    if (field === "name") {
      name = written(200);
      break;
    }
    if (field === "body") break;
    // C: the name hides in the declarator; Rust: impl Trait for Type; CSS: the selectors
    if (field === "declarator") name = /[\p{L}_~][\p{L}\p{N}_:~]*(?=\s*\()/u.exec(written(300))?.[0] ?? "";
    if (field === "type" || field === "trait") name = `${name} ${written(100)}`.trim();
  }
  if (name !== "") return name;
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const before = text.slice(Math.max(lineStart, from - 200), from + 60);
  const bound = BOUND.exec(before)?.[1];
  if (bound !== undefined) return bound;
  const called = CALLED.exec(before);
  return called === null ? "" : `${called[1]} ${called[3]}`;
}
