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

/** `source` may import from "../src/index.ts"; its arguments are in `process.argv.slice(2)`. */
export function buildProgram(source: string): (...args: string[]) => Child {
  const outfile = join(scratchDir(), "program.mjs");
  buildSync({
    stdin: { contents: source, resolveDir: HERE, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "error",
  });
  return (...args) => startChild([outfile, ...args]);
}

function startChild(args: readonly string[]): Child {
  const child = spawn(process.execPath, [...args], { stdio: ["pipe", "pipe", "inherit"] });
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
