// Tree-sitter behind the engine's Grammars interface: finds the wasm files, loads each grammar once, and keeps the
// tree to itself. A separate entry, so that only callers that parse load it.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { findBeside } from "@jeeves/base";
import type { Parser, Tree } from "web-tree-sitter";
import { splitLines } from "../text/lines.ts";
import { ASK, flattenTree, type OpenCursor, treeCursors } from "./flat-tree.ts";
import { LANGUAGE_TABLES } from "./languages.ts";
import { CHILD, LIST, type PartRoles, readPartRoles } from "./part-roles.ts";
import type { Grammar, Grammars } from "./syntax.ts";
import { findParts } from "./walk-parts.ts";
import { type Roles, readRoles, sketch } from "./walk-tree.ts";

// Some broken texts take a parser minutes or gigabytes, and nothing else runs meanwhile. What it may do is counted, so
// that the same text has the same outline on a busy machine: a step is a hundred of the parser's operations.
const MAX_STEPS = 25_000;
/** Usual texts take up to 0.03. */
const MAX_STEPS_PER_CHAR = 0.1;
/** The parser asks for the text piece by piece, and again wherever it looks far ahead. */
const STEPS_PER_READ = 5;
const READ_CHARS = 5_119;
/** Pages of 64 KiB. An instance that has used them all is lost, so a text is stopped long before. */
const MEMORY_PAGES = { initial: 512, maximum: 8_192 };
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
/** Polling on every call would cost a hundredth of the parse. */
const CALLS_PER_POLL = 16;
const PARSER = "web-tree-sitter.wasm";
const PARSER_CODE = "web-tree-sitter.cjs";

/** The names of the languages that have a grammar, as `Grammars.load` takes them. */
export const GRAMMAR_LANGUAGES: readonly string[] = Object.keys(LANGUAGE_TABLES);

/**
 * The grammars of tree-sitter for `PruneOptions.grammars`, each loaded with its first text. Make one per process: all
 * grammars of one share a parser. A language without a grammar, or whose file cannot be read, gives undefined; its texts are
 * read by their indentation.
 */
export function createTreeSitterGrammars(): Grammars {
  const loaded = new Map<string, Promise<Grammar | undefined>>();
  let instance: Promise<Instance> | undefined;
  const onLost = (): void => {
    instance = undefined;
    loaded.clear();
  };
  const start = (): Promise<Instance> => {
    instance ??= startInstance(onLost);
    return instance;
  };
  return {
    load(language) {
      let grammar = loaded.get(language);
      if (grammar === undefined) {
        // Without a grammar the engine falls back to indentation.
        grammar = loadGrammar(language, start).catch(() => undefined);
        loaded.set(language, grammar);
      }
      return grammar;
    },
  };
}

/** One instance of tree-sitter, which all grammars share. */
interface Instance {
  readonly parsing: Pick<typeof import("web-tree-sitter"), "Parser" | "Language">;
  readonly memory: WebAssembly.Memory;
  readonly openCursor: OpenCursor;
  /** Called when it has failed and cannot parse any more. */
  readonly onLost: () => void;
}

async function startInstance(onLost: () => void): Promise<Instance> {
  const require = createRequire(import.meta.url);
  const file = carried(PARSER_CODE) ?? resolve("web-tree-sitter");
  delete require.cache[file]; // a module has one instance for good
  const parsing: Instance["parsing"] = require(file);
  const memory = new WebAssembly.Memory(MEMORY_PAGES);
  const options = { wasmMemory: memory, locateFile: parserFile, printErr: () => {} };
  await parsing.Parser.init(options);
  return { parsing, memory, openCursor: treeCursors(options), onLost };
}

async function loadGrammar(language: string, start: () => Promise<Instance>): Promise<Grammar | undefined> {
  const table = LANGUAGE_TABLES[language];
  if (table === undefined) return undefined;
  const [bytes, instance] = await Promise.all([readFile(grammarFile(table.wasm)), start()]);
  const compiled = await instance.parsing.Language.load(bytes);
  const roles = readRoles(compiled, table);
  const partRoles = readPartRoles(compiled, table.parts, table.roles.comment ?? "");
  const ask = questions(roles, partRoles);
  const parser = new instance.parsing.Parser();
  parser.setLanguage(compiled);
  return {
    language,
    parse(text, shouldStop) {
      const tree = parseWithin(parser, text, { ...instance, shouldStop });
      if (tree === undefined) return undefined;
      try {
        const table = splitLines(text);
        const flat = flattenTree(tree, instance.openCursor, table, ask);
        return { ...sketch(flat, text, roles), parts: findParts(flat, table, partRoles) };
      } finally {
        tree.delete();
      }
    },
  };
}

interface ParseLimits extends Pick<Instance, "memory" | "onLost"> {
  readonly shouldStop: () => boolean;
}

/** The tree; undefined where the text exceeds a limit, or where the caller stops. */
function parseWithin(parser: Parser, text: string, { memory, onLost, shouldStop }: ParseLimits): Tree | undefined {
  const maxSteps = MAX_STEPS + text.length * MAX_STEPS_PER_CHAR;
  const firstBytes = memory.buffer.byteLength;
  let steps = 0;
  let calls = 0;
  let isOver = false;
  const take = (cost: number): void => {
    steps += cost;
    isOver ||= steps > maxSteps || isTooLarge() || (++calls % CALLS_PER_POLL === 0 && shouldStop());
  };
  // Memory that an earlier text took stays with the instance.
  const isTooLarge = (): boolean => {
    const bytes = memory.buffer.byteLength;
    return bytes > firstBytes && bytes > MAX_MEMORY_BYTES;
  };
  const read = (index: number): string => {
    take(STEPS_PER_READ);
    return isOver ? "" : text.slice(index, index + READ_CHARS);
  };
  const progressCallback = (): boolean => {
    take(1);
    return isOver;
  };
  try {
    const tree = parser.parse(read, null, { progressCallback });
    if (tree !== null && !isOver) return tree;
    tree?.delete();
    parser.reset();
  } catch {
    onLost(); // it grew faster than it could be stopped
  }
  return undefined;
}

/** The bits of ASK that both readers of a tree need. */
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

/** The parser's own file. Throws where it is not installed. */
function parserFile(): string {
  return carried(PARSER) ?? resolve(`web-tree-sitter/${PARSER}`);
}

/** The file of one grammar. Throws where it is not installed. */
function grammarFile(name: string): string {
  const file = `tree-sitter-${name}.wasm`;
  return carried(file) ?? resolve(`@vscode/tree-sitter-wasm/wasm/${file}`);
}

/**
 * What a published package carries: in `prune/grammars` of jeeves, in `grammars` of @jeeves/prune. These come first: the
 * node_modules around it may hold another version of the parser, which does not fit the code that was bundled.
 */
function carried(file: string): string | undefined {
  return findBeside(`prune/grammars/${file}`, import.meta.url) ?? findBeside(`grammars/${file}`, import.meta.url);
}

/** A bundle lives in another package's dist: resolve at run time, from wherever this code ended up. */
function resolve(specifier: string): string {
  return createRequire(import.meta.url).resolve(specifier);
}
