// The keys of a TOML file with their tables and lines: where entries of ours are, and where others have some of that name.
import { parse as parseToml, TomlError } from "smol-toml";
import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import { SetupError } from "../setup-error.ts";

/** A key of the file, or the header of a table. */
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

/** Throws SetupError where the text is no TOML, with line and column. */
export function keysOfToml(path: string, content: string): TomlKey[] {
  const text = content.replace(/^\uFEFF/, "");
  const toKey = (node: AST.TOMLKeyValue, table: readonly string[]): TomlKey => ({
    names: [...table, ...namesOf(node.key)],
    isTable: false,
    value: text.slice(...node.value.range),
    line: node.loc.start.line,
    lastLine: node.loc.end.line,
  });
  return parse(path, text).body[0].body.flatMap((node) => {
    if (node.type === "TOMLKeyValue") return toKey(node, []);
    const names = namesOf(node.key);
    const { line } = node.loc.start;
    const header = { names, isTable: true, value: "", line, lastLine: line };
    return [header, ...node.body.map((each) => toKey(each, names))];
  });
}

function parse(path: string, text: string): AST.TOMLProgram {
  try {
    // Codex may know a newer TOML than this parser does by default.
    return parseTOML(text, { tomlVersion: "next" });
  } catch (error) {
    const fault = faultOf(text) ?? (error instanceof ParseError ? error : undefined);
    if (fault === undefined) throw new SetupError(`${path} is nested too deeply`, "it was left untouched");
    const [words = ""] = fault.message.replace("Invalid TOML document: ", "").split(/\.?\n/);
    const [line, column] =
      fault instanceof TomlError ? [fault.line, fault.column] : [fault.lineNumber, fault.column + 1];
    throw new SetupError(
      `${path} is not valid TOML: ${words} in line ${line}, column ${column}`,
      "it was left untouched",
    );
  }
}

/** Where the text is broken: this parser names the line that a value began in. */
function faultOf(text: string): TomlError | undefined {
  try {
    parseToml(text);
  } catch (error) {
    if (error instanceof TomlError) return error;
  }
  return undefined;
}

function namesOf({ keys }: AST.TOMLKey): string[] {
  return keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
}
