// A client that is started with a prompt on its command line, and ends when it has answered.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Turn } from "./scripted-model.ts";

export interface CommandLineRun {
  readonly prompt: string;
  readonly script: readonly Turn[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** How it failed; undefined where it did not. */
export async function runCommandLine(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string | undefined> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  try {
    const [code] = await once(child, "close");
    return code === 0 ? undefined : `exited with ${code}\n${stderr}`;
  } finally {
    child.kill("SIGKILL");
  }
}
