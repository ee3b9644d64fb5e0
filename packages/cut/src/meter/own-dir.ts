// A directory that is really ours: made 0700, or refused where a stranger could have prepared it in a shared place.
import { lstat, mkdir } from "node:fs/promises";

export async function makeOwnDir(dir: string): Promise<void> {
  await mkdir(dir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(dir);
  const uid = process.getuid?.();
  const isOurs = found.isDirectory() && (uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0));
  if (!isOurs) throw new Error(`${dir} is not a directory of ours`);
}
