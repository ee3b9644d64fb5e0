// A file appears whole or not at all. No fsync: what is acknowledged survives the death of our
// process, not a power cut; readers that need more keep a checksum.
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

const TEMPORARY = /^\.tmp-\d+-[0-9a-f]{12}$/;

/**
 * Writes a file whole or not at all, by a temporary file beside it (mode 0600 unless given); the directory must exist.
 * No fsync: a power cut may lose it.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const temporary = await writeTemporary(dirname(path), data, options);
  await moveIntoPlace(temporary, path);
}

/**
 * The first, slow half of an atomic write, for callers that hold a lock only for the second. Returns the path of the
 * temporary file.
 */
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

/** The second half: renames a temporary file, or removes it where that fails. */
export async function moveIntoPlace(temporary: string, path: string): Promise<void> {
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Whether a name is that of a temporary file, as a process leaves it that died during a write. */
export function isTemporaryName(name: string): boolean {
  return TEMPORARY.test(name);
}
