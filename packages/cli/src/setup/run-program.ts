// Runs a program to its end, for what it prints.
import { execFile } from "node:child_process";

/** No client waits longer for what is tried here. */
export const LIMIT_MS = 30_000;

/** Where a program runs. */
export interface ProgramPlace {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program prints, whatever its exit code; `input` is its stdin. Rejects where it cannot be started or hangs. */
export async function runProgram(words: readonly string[], place: ProgramPlace, input = ""): Promise<string> {
  return (await runToEnd(words, place, input)).stdout;
}

/** The same, with how it ended. */
export function runToEnd(
  [program = "", ...args]: readonly string[],
  { cwd, env }: ProgramPlace,
  input = "",
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env, timeout: LIMIT_MS, killSignal: "SIGKILL", maxBuffer: 1 << 24 } as const;
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== "number") reject(new Error(`${program}: ${stderr || error.message}`));
      else resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr });
    });
    // A program that does not read it may have ended.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
