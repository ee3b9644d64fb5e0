// The keys of a TOML file, with their tables, and whether the file is sound enough to be added to: every line is a table,
// a key with a value, a comment, or inside a value that goes on. It is no parser: it looks into no value, and finds what
// an interrupted edit leaves behind.
import { SetupError } from "./setup-error.ts";

export interface TomlKey {
  /** From the top: table and key. */
  readonly names: readonly string[];
  /** A [table]; else a key with a value. */
  readonly isTable: boolean;
  /** The text behind the equals sign; of a table none. */
  readonly value: string;
  /** Counted from 1. */
  readonly line: number;
  /** Where the value ends. */
  readonly lastLine: number;
}

const NAME = /\s*(?:([\w-]+)|"((?:[^"\\]|\\.)*)"|'([^']*)')\s*/y;

/** Throws SetupError where the text is no TOML, with the line. */
export function keysOfToml(path: string, text: string): TomlKey[] {
  const keys: TomlKey[] = [];
  let table: readonly string[] = [];
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? "").trim();
    if (line === "" || line.startsWith("#")) continue;
    const first = index;
    const brackets = /^\[\[?/.exec(line)?.[0].length ?? 0;
    const { names, end } = namesAt(line, brackets);
    const rest = line.slice(end);
    if (brackets > 0) {
      const close = "]".repeat(brackets);
      if (names.length === 0 || !rest.startsWith(close) || !/^\s*(?:#.*)?$/.test(rest.slice(brackets)))
        throw broken(path, first, line);
      table = names;
      keys.push({ names, isTable: true, value: "", line: first + 1, lastLine: first + 1 });
      continue;
    }
    let value = /^=\s*(.+)$/.exec(rest)?.[1];
    if (names.length === 0 || value === undefined) throw broken(path, first, line);
    for (let open = isOpen(value); open !== false; open = isOpen(value)) {
      if (open === "broken" || ++index >= lines.length) throw broken(path, first, line);
      value += `\n${lines[index] ?? ""}`;
    }
    keys.push({ names: [...table, ...names], isTable: false, value, line: first + 1, lastLine: index + 1 });
  }
  return keys;
}

/** A dotted key; no names where there is none. */
function namesAt(line: string, from: number): { readonly names: readonly string[]; readonly end: number } {
  const names: string[] = [];
  for (let at = from; ; at++) {
    NAME.lastIndex = at;
    const found = NAME.exec(line);
    if (found === null) return { names: [], end: from };
    names.push(found[1] ?? found[2] ?? found[3] ?? "");
    at = NAME.lastIndex;
    if (line[at] !== ".") return { names, end: at };
  }
}

/** Whether a value goes on in the next line; "broken" where it cannot. */
function isOpen(value: string): boolean | "broken" {
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    const quote = /^(?:"""|'''|"|')/.exec(value.slice(at, at + 3))?.[0];
    if (quote !== undefined) {
      const end = endOfString(value, at + quote.length, quote);
      if (end === undefined) return quote.length === 3 ? true : "broken";
      at = end;
    } else if (value[at] === "#") at = (value.indexOf("\n", at) + 1 || value.length + 1) - 1;
    else if (value[at] === "[" || value[at] === "{") depth++;
    else if (value[at] === "]" || value[at] === "}") depth--;
    if (depth < 0) return "broken";
  }
  return depth > 0;
}

function endOfString(value: string, from: number, quote: string): number | undefined {
  for (let at = from; at < value.length; at++) {
    if (quote.startsWith('"') && value[at] === "\\") at++;
    else if (quote.length === 1 && value[at] === "\n") return undefined;
    else if (value.startsWith(quote, at)) return at + quote.length - 1;
  }
  return undefined;
}

function broken(path: string, index: number, line: string): SetupError {
  return new SetupError(`${path} is not valid TOML: line ${index + 1}: ${line.slice(0, 80)}`, "it was left untouched");
}
