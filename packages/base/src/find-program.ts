// An absolute path for the name of a program. Only absolute entries of PATH count: an empty or relative one would start
// a program from the directory that is being worked in.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** The first executable file of that name on the PATH; undefined if there is none. */
export async function findProgram(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for await (const path of programsOf(name, env)) return path;
  return undefined;
}

/** All of them, in the order of the PATH, each once. */
export async function findPrograms(name: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const found: string[] = [];
  for await (const path of programsOf(name, env)) found.push(path);
  return [...new Set(found)];
}

async function* programsOf(name: string, env: NodeJS.ProcessEnv): AsyncGenerator<string> {
  for (const dir of (env.PATH ?? "").split(delimiter).filter(isAbsolute)) {
    const path = join(dir, name);
    if (await isExecutable(path)) yield path;
  }
}

/** The same environment with the absolute entries of PATH alone, for a program that is started by its name. */
export function withAbsolutePath(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env.PATH === undefined ? env : { ...env, PATH: env.PATH.split(delimiter).filter(isAbsolute).join(delimiter) };
}

/** True for a regular file that this user may execute. A directory that may not be entered counts as empty. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
