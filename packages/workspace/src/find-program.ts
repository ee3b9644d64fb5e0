// An absolute path for a program's name. Only absolute entries of PATH count: an empty or relative
// one would start a program from the very directory that is being looked at.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

export async function findProgram(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const dir of (env.PATH ?? "").split(delimiter).filter(isAbsolute)) {
    const path = join(dir, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
