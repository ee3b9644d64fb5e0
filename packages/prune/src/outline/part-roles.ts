// A language's PartTable by node type id: which nodes of its grammar are lists, and what they are as children of one.
import type { Language } from "web-tree-sitter";
import type { PartTable } from "./languages.ts";

/** Kinds of lists, see PartTable. */
export const LIST = { none: 0, any: 1, one: 2, last: 3, mixed: 4, tokens: 5 } as const;
const LISTS = ["any", "one", "last", "mixed", "tokens"] as const;
/** What a node is as a child of a list. */
export const CHILD = {
  comment: 1,
  lead: 2,
  clause: 3,
  label: 4,
  prose: 5,
  separator: 6,
  elseWord: 7,
  bracket: 8,
} as const;

/** The roles of a grammar's nodes. */
export interface PartRoles {
  /** By node type id. */
  readonly list: Uint8Array;
  readonly child: Uint8Array;
  readonly isNamed: Uint8Array;
  readonly isTry: Uint8Array;
  readonly isExcept: Uint8Array;
  readonly isIf: Uint8Array;
  /** By field id: what stands before the items of a mixed list. */
  readonly isHeadField: Uint8Array;
  /** Id of the field that holds what an `if` does. */
  readonly consequence: number;
}

/** The roles of a language's nodes; `comments` are its types of comments, separated by spaces. */
export function readPartRoles(language: Language, table: PartTable, comments: string): PartRoles {
  const count = language.nodeTypeCount;
  const roles: PartRoles = {
    list: new Uint8Array(count),
    child: new Uint8Array(count),
    isNamed: new Uint8Array(count),
    isTry: new Uint8Array(count),
    isExcept: new Uint8Array(count),
    isIf: new Uint8Array(count),
    isHeadField: Uint8Array.from(language.fields, (name) => (name && name !== "body" && name !== "attribute" ? 1 : 0)),
    consequence: language.fieldIdForName("consequence") ?? -1,
  };
  const words = (list: string | undefined): Set<string> => new Set((list ?? "").split(" "));
  const lists = LISTS.map((name) => [words(table[name]), LIST[name]] as const);
  const children = [
    [words(comments), CHILD.comment],
    [words(table.leads), CHILD.lead],
    [words(table.clauses), CHILD.clause],
    [words(table.labels), CHILD.label],
  ] as const;
  const [tries, excepts, ifs] = [words(table.tries), words(table.excepts), words(table.ifs)];
  for (let id = 0; id < count; id++) {
    const type = language.nodeTypeForId(id) ?? "";
    if (!language.nodeTypeIsNamed(id)) {
      if (type === "," || type === ";") roles.child[id] = CHILD.separator;
      if (type.length === 1 && "()[]{}".includes(type)) roles.child[id] = CHILD.bracket;
      if (type === "else") roles.child[id] = CHILD.elseWord;
      continue;
    }
    roles.isNamed[id] = 1;
    if (PROSE.test(type)) roles.child[id] = CHILD.prose;
    for (const [types, code] of lists) if (types.has(type)) roles.list[id] = code;
    for (const [types, code] of children) if (types.has(type)) roles.child[id] = code;
    if (tries.has(type)) roles.isTry[id] = 1;
    if (excepts.has(type)) roles.isExcept[id] = 1;
    if (ifs.has(type)) roles.isIf[id] = 1;
  }
  return roles;
}

const PROSE =
  /^(?:(?:multiline_)?string_(?:content|fragment)|raw_string(?:_literal)?_content|heredoc_content|nowdoc_string)$/;
