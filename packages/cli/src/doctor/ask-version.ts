// The version of a program: what `PROGRAM --version` prints, or nothing. A program that hangs or fails has no version here.
import { execFile } from "node:child_process";
import { readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isRecord } from "@jeeves/base";

const ASK_MS = 10_000;
/** Directories above a program in which its package is looked for. */
const MAX_ABOVE = 4;

/** Starts the program. */
export async function askVersion(path: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: ASK_MS, killSignal: "SIGKILL", env });
    return /\d+(?:\.\d+)+\S*/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

/**
 * Of a client. Started only where it is no npm package: some leave files in their user's home each time, take seconds, or
 * refuse to start.
 */
export async function clientVersion(path: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return (await packagedVersion(path)) ?? (await askVersion(path, env));
}

/** The version of the package that names this very file as its program. */
async function packagedVersion(path: string): Promise<string | undefined> {
  const program = await realpath(path).catch(() => path);
  let dir = dirname(program);
  for (let above = 0; above < MAX_ABOVE; above++, dir = dirname(dir)) {
    const text = await readFile(join(dir, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) return versionIn(text, dir, program);
  }
  return undefined;
}

async function versionIn(text: string, dir: string, program: string): Promise<string | undefined> {
  const manifest = parsed(text);
  if (!isRecord(manifest) || typeof manifest.version !== "string") return undefined;
  const { bin } = manifest;
  const files = isRecord(bin) ? Object.values(bin) : [bin];
  const named = files.filter((file) => typeof file === "string").map((file) => resolve(dir, file));
  const real = await Promise.all(named.map((file) => realpath(file).catch(() => file)));
  return real.includes(program) ? manifest.version : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
