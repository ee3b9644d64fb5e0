// Files that jeeves-exec left behind when it was killed together with its command. Those of a command that runs are
// written to at least once a minute, or gone.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isPrivateDir } from "../files/private-dir.ts";
import { statIfThere } from "../files/stat-if-there.ts";

const MAX_BYTES = 256 * 1024 * 1024;
const MAX_AGE_MS = 14 * 86_400_000;
const ABANDONED_AFTER_MS = 3_600_000;
/** The names that jeeves-exec gives: the end of the session's id and a number. */
const NAME = /^[A-Za-z0-9]{1,8}-\d{1,9}$/;

/** Paths of the held output in a directory; none where it does not belong to this user alone. */
export async function listHeldOutput(dir: string): Promise<string[]> {
  if (!(await isPrivateDir(dir))) return [];
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => NAME.test(name)).map((name) => join(dir, name));
}

/** Removes what killed commands left: files older than 14 days, and the oldest beyond 256 MiB. */
export async function sweepHeldOutput(dir: string, nowMs: number): Promise<void> {
  const found: { readonly path: string; readonly bytes: number; readonly writtenMs: number }[] = [];
  for (const path of await listHeldOutput(dir)) {
    const stats = await statIfThere(path);
    if (stats?.isFile() === true && nowMs - stats.mtimeMs > ABANDONED_AFTER_MS)
      found.push({ path, bytes: stats.size, writtenMs: stats.mtimeMs });
  }
  found.sort((a, b) => b.writtenMs - a.writtenMs);
  let bytes = 0;
  for (const file of found) {
    bytes += file.bytes;
    if (bytes > MAX_BYTES || nowMs - file.writtenMs > MAX_AGE_MS) await rm(file.path, { force: true }).catch(() => {});
  }
}
