// The rim of `jeeves uninstall`, wherever it is started from: the terminal, the current directory, the exit code.
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { homeOf } from "@jeeves/base";
import { type UninstallOptions, uninstall } from "./uninstall.ts";

export async function runUninstall(options: UninstallOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  process.exitCode = await uninstall(options, {
    env,
    cwd: currentDir(env),
    out: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`jeeves: ${line}\n`),
    ...(isTerminal ? { ask } : {}),
  });
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D mean no. Depending on its version, readline rejects then, or only closes.
  const closed = once(terminal, "close").then(() => "");
  const answered = terminal.question(`${question} [y/N] `).catch(() => "");
  try {
    return /^y(?:es)?$/i.test((await Promise.race([answered, closed])).trim());
  } finally {
    terminal.close();
  }
}

/** The directory may be the very installation that was deleted. */
function currentDir(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd();
  } catch {
    return homeOf(env);
  }
}
