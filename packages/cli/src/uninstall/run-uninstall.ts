// The rim of `jeeves uninstall`, wherever it is started from: the terminal, the current directory, the exit code.
import { homeOf } from "@jeeves/base";
import { ask, canAsk } from "../terminal/ask.ts";
import { type UninstallOptions, uninstall } from "./uninstall.ts";

export async function runUninstall(options: UninstallOptions, env: NodeJS.ProcessEnv): Promise<void> {
  process.exitCode = await uninstall(options, {
    env,
    cwd: currentDir(env),
    out: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`jeeves: ${line}\n`),
    ...(canAsk() ? { ask } : {}),
  });
}

/** The directory may be the very installation that was deleted. */
function currentDir(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd();
  } catch {
    return homeOf(env);
  }
}
