// The sources of every package and what they import, for test/architecture.test.ts. It reads text, not syntax: Biome
// gives every import and every comment a form that a pattern can match.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findCycles } from "../scripts/cycles.mjs";

export const root = resolve(fileURLToPath(import.meta.url), "../..");

export interface Import {
  /** The importing file, from the root of the repository. */
  readonly file: string;
  /** As it is written. */
  readonly name: string;
  /** `import type` and `export type`: gone at run time. */
  readonly isType: boolean;
}

export interface Source {
  readonly file: string;
  readonly text: string;
  /** The text without lines of comments; line numbers stay. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s(?!from\b))?(?:[^"';]*?\sfrom\s*)?"([^"]+)"|(typeof\s+)?\bimport\(\s*"([^"]+)"\s*\)|\brequire(?:\.resolve)?\(\s*"([^"]+)"\s*\)/g;

/** Empties the lines that are comments. A comment behind code stays. */
function withoutComments(text: string): string {
  let isInside = false;
  return text
    .split("\n")
    .map((line) => {
      const start = line.trimStart();
      const isComment = isInside || start.startsWith("//") || start.startsWith("/*");
      if (isInside || start.startsWith("/*")) isInside = !line.includes("*/");
      return isComment ? "" : line;
    })
    .join("\n");
}

/** A source file by its path from the root. */
export function readSource(file: string): Source {
  const text = readFileSync(join(root, file), "utf8");
  const imports = [...text.matchAll(IMPORT)].map(([, type, name, isTypeof, dynamic, required]) => ({
    file,
    name: name ?? dynamic ?? required ?? "",
    isType: type !== undefined || isTypeof !== undefined,
  }));
  return { file, text, code: withoutComments(text), imports };
}

/** The TypeScript files below a folder; none where there is no such folder. */
export function sourcesIn(folder: string): Source[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/(?:^|\/)(?:node_modules|fixtures|dist)\//.test(file))
    .map((file) => readSource(posix.join(folder, file)))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** The file that a relative import means; undefined for a package. */
export function targetOf({ file, name }: Import): string | undefined {
  return name.startsWith(".") ? posix.normalize(posix.join(posix.dirname(file), name)) : undefined;
}

/** `@scope/name/sub` and `name/sub` are the packages `@scope/name` and `name`. */
export function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Groups of files that import each other, directly or through others, values and types alike. */
export function cyclesIn(sources: readonly Source[]): string[][] {
  const targets = ({ file, imports }: Source) =>
    imports.map(targetOf).filter((to): to is string => to !== undefined && to !== file);
  return findCycles(new Map(sources.map((source) => [source.file, targets(source)])));
}

/** Where a pattern matches the code of a file, as `file:line`. */
export function placesOf({ file, code }: Source, pattern: RegExp): string[] {
  return [...code.matchAll(new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`))].map(
    ({ index }) => `${file}:${code.slice(0, index).split("\n").length}`,
  );
}
