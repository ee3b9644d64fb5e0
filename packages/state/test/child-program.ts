// Real processes that use this package: a few lines of TypeScript, bundled and started.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import { scratchDir } from "./scratch.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));

export interface Child {
  readonly process: ChildProcess;
  /** Resolves with the next line that it prints; fails when it ends instead. */
  nextLine(): Promise<string>;
  ended(): Promise<number | null>;
}

/**
 * `source` may import from "@jeeves/state"; its arguments are in `process.argv.slice(2)`. With `maxFileBytes` (a
 * multiple of 512) the system refuses to write any file beyond that, as a full disk would.
 */
export function buildProgram(
  source: string,
  options: { readonly maxFileBytes?: number } = {},
): (...args: string[]) => Child {
  const outfile = join(scratchDir(), "program.mjs");
  buildSync({
    stdin: { contents: source, resolveDir: HERE, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "error",
  });
  const { maxFileBytes } = options;
  if (maxFileBytes === undefined) return (...args) => startChild(process.execPath, [outfile, ...args]);
  const limited = `trap "" XFSZ; ulimit -f ${maxFileBytes / 512}; exec "$0" "$@"`;
  return (...args) => startChild("sh", ["-c", limited, process.execPath, outfile, ...args]);
}

function startChild(command: string, args: readonly string[]): Child {
  const child = spawn(command, [...args], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    async nextLine() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error("the program ended before it said anything");
      return value;
    },
    async ended() {
      const [code] = await exit;
      return code;
    },
  };
}
