// A file appears whole or not at all. No fsync: what is acknowledged survives the death of our
// process, not a power cut; readers that need more keep a checksum.
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

const TEMPORARY = /^\.tmp-\d+-[0-9a-f]{12}$/;

/** Writes a file so that readers see the old content or the new, never a part. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const temporary = await writeTemporary(dirname(path), data, options);
  await moveIntoPlace(temporary, path);
}

/** The slow half, for callers that hold a lock only for the second one. */
export async function writeTemporary(
  dir: string,
  data: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<string> {
  const mode = options.mode ?? 0o600;
  const temporary = join(dir, `.tmp-${process.pid}-${randomBytes(6).toString("hex")}`);
  const handle = await open(temporary, "wx", mode);
  try {
    if ((mode & ~0o600) !== 0) await handle.chmod(mode); // the umask may have taken bits that were asked for
    await handle.writeFile(data);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

export async function moveIntoPlace(temporary: string, path: string): Promise<void> {
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What a process that died in the middle left behind. */
export function isTemporaryName(name: string): boolean {
  return TEMPORARY.test(name);
}
