// The programs that our own work needs: Node, a searcher, git; and what is built here.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "@jeeves/base";
import { loadAllGrammars } from "@jeeves/cut";
import { openRoot, searchText } from "@jeeves/workspace";
import { findOwnFiles } from "../init/what-to-set-up.ts";
import { askVersion } from "./ask-version.ts";
import { bad, type Check, good, note } from "./check.ts";

const NODE_NEEDED = [20, 19] as const;
const SEARCH_MS = 10_000;

/** Whether this Node is 20.19 or newer. */
export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1]);
  if (isEnough) return good("node", version);
  return bad("node", `${version} is too old`, `install Node ${NODE_NEEDED.join(".")} or newer: https://nodejs.org`);
}

/** Runs a real search, because a program that exists may still fail. */
export async function checkSearch(env: NodeJS.ProcessEnv): Promise<Check> {
  let dir: string;
  try {
    dir = mkdtempSync(join(tmpdir(), "jeeves-doctor-"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return bad("temporary files", `${tmpdir()} takes none: ${why}`, "make the directory, or set TMPDIR");
  }
  try {
    writeFileSync(join(dir, "needle.txt"), "needle\n");
    const words = { pattern: "needle", paths: [], fixedString: true, caseSensitive: true };
    const limits = { timeoutMs: SEARCH_MS, maxMatches: 1, maxBytes: 1_000 };
    const { engine, matchCount } = await searchText(await openRoot(dir), { ...words, ...limits, env });
    if (matchCount !== 1)
      return bad("ripgrep", `${engine} does not find what is there`, "npm install, or install ripgrep");
    if (engine === "grep")
      return note("ripgrep", "not found; grep is used, which is slower", "npm install, or install ripgrep");
    return good(
      "ripgrep",
      engine === "rg" ? ((await findProgram("rg", env)) ?? "rg") : "the one that comes with jeeves",
    );
  } catch (error) {
    return bad("ripgrep", error instanceof Error ? error.message : String(error), "npm install, or install ripgrep");
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Loads every grammar, because a file that exists may still be damaged. */
export async function checkGrammars(): Promise<Check> {
  const { all, missing } = await loadAllGrammars();
  if (missing.length === 0) return good("grammars", `${all.length} languages`);
  const found = `missing for ${missing.join(", ")}: their scopes come from indentation`;
  return note("grammars", found, "install jeeves again; in a clone: npm install");
}

/** A note where git is missing; bad where it does not answer. */
export async function checkGit(env: NodeJS.ProcessEnv): Promise<Check> {
  const path = await findProgram("git", env);
  if (path === undefined) return note("git", "not on the PATH", "install git; rudder's worktrees need it");
  const version = await askVersion(path, env);
  return version === undefined
    ? bad("git", `${path} does not answer`, "git --version should print a version")
    : good("git", version);
}

/** Whether the server and jeeves-exec exist in this installation. */
export function checkBuild(): Check {
  try {
    const { serverPath, execPath } = findOwnFiles();
    return existsSync(execPath) ? good("build", serverPath) : bad("build", `${execPath} is missing`, "npm run build");
  } catch {
    return bad("build", "mcp-pruner is not built", "npm run build");
  }
}
