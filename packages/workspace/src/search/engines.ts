// The search programs: `rg` on PATH, then the bundled ripgrep, then system grep. This file has
// their arguments; their output is parsed elsewhere.

import { findProgram } from "@jeeves/base";

/** A search program: the system's ripgrep, the one that is installed with us, or grep. */
export type EngineName = "rg" | "bundled-rg" | "grep";

/** The engines in the order in which they are tried. */
export const ENGINE_ORDER: readonly EngineName[] = ["rg", "bundled-rg", "grep"];

/** What to search for, in the terms that all engines share. `paths` begin with `./` or are `.`. */
export interface SearchWords {
  readonly pattern: string;
  readonly fixedString: boolean;
  readonly caseSensitive: boolean;
  readonly contextLines: number;
  /** BusyBox's grep has no `--null`. */
  readonly nulAfterPath?: false;
  readonly paths: readonly string[];
}

/** The absolute path of an engine; undefined where it is not installed. */
export async function findEngine(name: EngineName, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (name === "bundled-rg") return findBundled();
  return findProgram(name, env);
}

/** The arguments for ripgrep: JSON lines, sorted by path. Configuration files of the user are not read. */
export function rgArguments(words: SearchWords): string[] {
  return [
    "--json",
    "--no-config",
    "--sort",
    "path",
    ...(words.fixedString ? ["-F"] : []),
    ...(words.caseSensitive ? [] : ["-i"]),
    ...(words.contextLines > 0 ? ["-C", String(words.contextLines)] : []),
    "-e",
    words.pattern,
    "--",
    ...words.paths,
  ];
}

/** `-r`, because `-R` follows symlinks out of the root and blocks on FIFOs; `-a`, because grep treats all but
 *  UTF-8 as binary. */
export function grepArguments(words: SearchWords): string[] {
  return [
    "-r",
    "-n",
    "-H",
    "-a",
    ...(words.nulAfterPath === false ? [] : ["--null"]),
    words.fixedString ? "-F" : "-E",
    ...(words.caseSensitive ? [] : ["-i"]),
    ...(words.contextLines > 0 ? ["-C", String(words.contextLines)] : []),
    "-e",
    words.pattern,
    "--",
    ...words.paths,
  ];
}

async function findBundled(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath; // throws where no binary was installed for this platform
  } catch {
    return undefined;
  }
}
