// Lists of files: what a search prints with `-l` or `-c`, and what lists names alone. Pure.
import { lineAt, splitLines } from "../text/lines.ts";
import { headOf, isMessage, type MatchLine, type MatchLines } from "./match-lines.ts";

/** What `-c` prints behind a file: how many of its lines match. */
const COUNT = /:\d+$/;
const NO_COUNT = /:0$/;

/**
 * Reads a list of files: every line is one. `unit` is "files" for the output of `-l` and `-c`, "paths" for mere paths.
 * `isBare`: the program prints nothing but paths and counts. Of counts, those of 0 are no matches.
 */
export function parseFileLines(
  text: string,
  unit: "files" | "paths" = "files",
  { isBare = false }: { readonly isBare?: boolean } = {},
): MatchLines {
  const table = splitLines(text);
  const lines = Array.from({ length: table.count }, (_, index) => lineAt(table, index));
  const counts = isBare && lines.every((line) => line === "" || COUNT.test(line));
  const entries = lines.map((path): MatchLine => {
    const isMatch = path !== "" && !(counts && NO_COUNT.test(path));
    return isMatch ? { kind: "match", path, line: undefined } : { kind: "context" };
  });
  const arePaths = isBare && !lines.some((line) => isMessage(headOf(line)));
  return { table, entries, unit, ...(arePaths ? { arePaths } : {}) };
}
