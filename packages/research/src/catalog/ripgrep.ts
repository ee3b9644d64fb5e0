// One run of ripgrep over a root: its records as they come, bounded in bytes, ended by the signal.
import { spawn } from "node:child_process";
import { access } from "node:fs/promises";
import { findProgram } from "@jeeves/base";

let found: Promise<string> | undefined;

/** The bundled ripgrep, else the system's. */
export function ripgrepPath(): Promise<string> {
  found ??= import("@vscode/ripgrep")
    .then(async ({ rgPath }) => {
      await access(rgPath);
      return rgPath;
    })
    .catch(async () => (await findProgram("rg", process.env)) ?? "rg");
  return found;
}

/** What every run looks at: hidden files, not .git, nothing that is denied. */
export function treeArguments(root: string, deny: readonly string[]): string[] {
  return [
    "--hidden",
    "--no-config",
    "--no-messages",
    "--glob",
    "!.git",
    // ripgrep's globs count from the root, absolute ones too.
    ...deny.flatMap((glob) => ["--glob", `!${glob.startsWith(`${root}/`) ? glob.slice(root.length) : glob}`]),
  ];
}

/** Calls `onLine` for each line of output until it gives false; resolves to whether all of them were seen. */
export async function runRipgrep(
  root: string,
  args: readonly string[],
  options: { readonly signal: AbortSignal; readonly maxChars: number; readonly onLine: (line: string) => boolean },
): Promise<boolean> {
  options.signal.throwIfAborted();
  const child = spawn(await ripgrepPath(), args, {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    signal: options.signal,
    killSignal: "SIGKILL",
  });
  let pending = "";
  let chars = 0;
  let isWhole = true;
  const stop = (): void => {
    isWhole = false;
    child.kill("SIGKILL");
  };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    if (!isWhole) return;
    chars += chunk.length;
    const lines = (pending + chunk).split("\n");
    pending = lines.pop() ?? "";
    if (chars > options.maxChars || pending.length > MAX_LINE_CHARS || !lines.every(options.onLine)) stop();
  });
  await new Promise<void>((done) => {
    child.once("close", () => done()).once("error", () => done());
  });
  options.signal.throwIfAborted();
  return isWhole;
}

const MAX_LINE_CHARS = 1_000_000;
