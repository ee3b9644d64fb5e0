// Tree-sitter behind the engine's Grammars interface: finds the wasm files, loads each grammar once, and keeps the
// tree to itself. A separate entry, so that nobody pays for it who does not parse.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Language, Parser } from "web-tree-sitter";
import { splitLines } from "../text/lines.ts";
import { ASK, flattenTree } from "./flat-tree.ts";
import { LANGUAGE_TABLES } from "./languages.ts";
import { CHILD, LIST, type PartRoles, readPartRoles } from "./part-roles.ts";
import type { Grammar, Grammars } from "./syntax.ts";
import { findParts } from "./walk-parts.ts";
import { type Roles, readRoles, sketch } from "./walk-tree.ts";

// The parser reports every few hundredths of a millisecond; a look at the clock each time would be a hundredth of it all.
const CALLS_PER_POLL = 16;

export function createTreeSitterGrammars(): Grammars {
  const loaded = new Map<string, Promise<Grammar | undefined>>();
  let ready: Promise<void> | undefined;
  const start = (): Promise<void> => {
    // A bundle lives in another package's dist: resolve at run time, from wherever this code ended up.
    const require = createRequire(import.meta.url);
    ready ??= Parser.init({ locateFile: () => require.resolve("web-tree-sitter/web-tree-sitter.wasm") });
    return ready;
  };
  return {
    load(language) {
      let grammar = loaded.get(language);
      if (grammar === undefined) {
        // No grammar is a smaller loss than no answer: the engine falls back to indentation.
        grammar = loadGrammar(language, start).catch(() => undefined);
        loaded.set(language, grammar);
      }
      return grammar;
    },
  };
}

async function loadGrammar(language: string, start: () => Promise<void>): Promise<Grammar | undefined> {
  const table = LANGUAGE_TABLES[language];
  if (table === undefined) return undefined;
  const file = createRequire(import.meta.url).resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${table.wasm}.wasm`);
  const [bytes] = await Promise.all([readFile(file), start()]);
  const compiled = await Language.load(bytes);
  const roles = readRoles(compiled, table);
  const partRoles = readPartRoles(compiled, table.parts, table.roles.comment ?? "");
  const ask = questions(roles, partRoles);
  const parser = new Parser();
  parser.setLanguage(compiled);
  return {
    language,
    parse(text, shouldStop) {
      let calls = 0;
      const progressCallback = () => ++calls % CALLS_PER_POLL === 0 && shouldStop();
      const tree = parser.parse(text, null, { progressCallback });
      if (tree === null) {
        parser.reset();
        return undefined;
      }
      try {
        const table = splitLines(text);
        const flat = flattenTree(tree, table, ask);
        return { ...sketch(flat, text, roles), parts: findParts(flat, table, partRoles) };
      } finally {
        tree.delete();
      }
    },
  };
}

/** What both readers of a tree want to know of its nodes. */
function questions({ kind }: Roles, { list, child, isNamed, isIf }: PartRoles): Uint8Array {
  return Uint8Array.from(list, (own, id) => {
    const role = kind[id];
    const isScope = role === "function" || role === "class" || role === "block" || role === "branch";
    return (
      (isNamed[id] === 1 ? ASK.named : 0) |
      (child[id] === CHILD.separator || child[id] === CHILD.elseWord ? ASK.token : 0) |
      (isScope || own === LIST.tokens ? ASK.tokens : 0) |
      (isScope || own === LIST.mixed || isIf[id] === 1 ? ASK.fields : 0) |
      // A block without braces is one line where it has one statement, which may be an import.
      (role === "function" || role === "class" || own === LIST.one ? ASK.inside : 0)
    );
  });
}
