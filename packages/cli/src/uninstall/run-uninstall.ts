// Connects `jeeves uninstall` to the terminal, the current directory and the exit code, wherever it is started from.
import { homeOf } from "@jeeves/base";
import { ask, canAsk } from "../terminal/ask.ts";
import { type UninstallOptions, uninstall } from "./uninstall.ts";

/** Uninstalls and sets the exit code. It asks only where stdin and stdout are a terminal. */
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
