// What `PROGRAM --version` says, or nothing: a program that hangs or fails has no version here.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const ASK_MS = 10_000;

export async function askVersion(path: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: ASK_MS, killSignal: "SIGKILL", env });
    return /\d+(?:\.\d+)+\S*/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}
