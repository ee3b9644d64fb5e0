// Every file of a root that research may look at, sorted: ripgrep's walk, which respects .gitignore, follows no
// symlinks and so knows no loops. The deny list holds here already.
import { type ChildProcess, spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { shownName } from "@jeeves/base";
import { ResearchError } from "../research-error.ts";
import { isSkipped } from "./file-kind.ts";
import { ripgrepPath, treeArguments } from "./ripgrep.ts";

/** `deny` holds globs as ripgrep takes them; files beyond `maxFiles` are not listed. */
export interface ListOptions {
  readonly deny: readonly string[];
  readonly maxFiles: number;
  readonly signal: AbortSignal;
}

/** The files that can be scanned; `paths` are relative to the root and sorted. */
export interface Listing {
  readonly paths: readonly string[];
  /** How many are passed by for their kind, or because their names cannot be referred to. */
  readonly passedBy: number;
  /** There are more than maxFiles. */
  readonly truncated: boolean;
}

/** Lists a root. Rejects with `root_unavailable`, with `search_failed`, or with the reason of the signal. */
export async function listFiles(root: string, options: ListOptions): Promise<Listing> {
  options.signal.throwIfAborted();
  await readdir(root).catch((cause: unknown) => {
    throw new ResearchError("root_unavailable", `the root ${root} cannot be read`, {
      hint: "name a directory that exists",
      cause,
    });
  });
  const program = await ripgrepPath();
  const child = spawn(program, ["--files", "--null", ...treeArguments(root, options.deny)], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const listing = await collect(child, options);
    return { ...listing, paths: listing.paths.sort((a, b) => (a < b ? -1 : 1)) };
  } finally {
    if (child.exitCode === null) child.kill("SIGKILL");
  }
}

async function collect(child: ChildProcess, options: ListOptions): Promise<Listing & { readonly paths: string[] }> {
  const paths: string[] = [];
  let passedBy = 0;
  let pending = "";
  let truncated = false;
  const onAbort = () => child.kill("SIGKILL");
  options.signal.addEventListener("abort", onAbort, { once: true });
  try {
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      const parts = (pending + chunk).split("\0");
      pending = parts.pop() ?? "";
      for (const path of parts) {
        if (isSkipped(path) || !isReferable(path)) {
          passedBy++;
          continue;
        }
        if (paths.length >= options.maxFiles) {
          truncated = true;
          child.kill("SIGKILL");
          return;
        }
        paths.push(path);
      }
    });
    const code = await new Promise<number | null>((done, fail) => {
      child.once("error", fail).once("close", done);
    });
    options.signal.throwIfAborted();
    // 1: nothing found; 2: something could not be read, which costs that directory only.
    if (code === null && !truncated) throw new ResearchError("search_failed", "the list of files was cut off");
    return { paths, passedBy, truncated };
  } finally {
    options.signal.removeEventListener("abort", onAbort);
  }
}

/**
 * `path:line` must be readable again, and safe to print: a name with a colon, a line end or a terminal escape in it, or
 * no UTF-8, cannot be referred to.
 */
export function isReferable(path: string): boolean {
  return !/[:\ufffd]|^\s/.test(path) && shownName(path) === path;
}
