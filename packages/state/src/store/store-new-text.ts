// The short way into the store, for a small new text: two exclusive creates and no lock. In every other case (a name that
// is taken, no directory, no room) it leaves the text to the long way in disk-store.ts.
import { type FileHandle, lstat, open, rm } from "node:fs/promises";
import { withLock } from "../lock/lock.ts";
import type { EntryPlace } from "./store-layout.ts";

/** Larger texts go the long way, which leaves nothing half-written under its final name. */
export const SMALL_TEXT_BYTES = 1_048_576;

interface NewFiles {
  readonly text: Uint8Array;
  readonly textTimeS: number;
  readonly entry: string;
  readonly entryTimeS: number;
  readonly entryMode: number;
}

/** A lock that is held for longer leaves the files of a failed try to the next sweep. */
const REMOVE_WAIT_MS = 200;

interface MadeFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * True when both files are there, whole. A try that failed empties its files, so that they name nothing, and removes them
 * if it can: a full disk may refuse the lock, too. Then a sweep takes them.
 */
export async function writeNewText(place: EntryPlace, files: NewFiles): Promise<boolean> {
  const made: MadeFile[] = [];
  const make = async (path: string, mode: number): Promise<FileHandle> => {
    const handle = await open(path, "wx", mode);
    made.push({ path, handle });
    return handle;
  };
  try {
    const text = await make(place.textPath, 0o600);
    const entry = await make(place.entryPath, files.entryMode);
    await text.writeFile(files.text);
    await text.utimes(files.textTimeS, files.textTimeS);
    await entry.writeFile(files.entry); // last: it makes the text count
    await entry.utimes(files.entryTimeS, files.entryTimeS);
    // Not emptied where they are gone: another put of the same text may have replaced one and kept the other.
    return (await isNamed(text)) && (await isNamed(entry));
  } catch {
    for (const { handle } of made) await handle.truncate(0).catch(() => {});
    await removeOwn(place, made);
    return false;
  } finally {
    for (const { handle } of made) await handle.close().catch(() => {});
  }
}

/**
 * Removes files by name only while the names are still ours: by now another process may have moved its own file there,
 * which it does under this lock. The open handles keep their inode numbers from being used again.
 */
async function removeOwn({ lockPath }: EntryPlace, made: readonly MadeFile[]): Promise<void> {
  if (made.length === 0) return;
  const removeAll = async () => {
    for (const { path, handle } of [...made].reverse()) {
      const named = await lstat(path, { bigint: true }).catch(() => undefined);
      const own = await handle.stat({ bigint: true });
      if (named?.ino === own.ino && named.dev === own.dev && own.size === 0n) await rm(path);
    }
  };
  await withLock(lockPath, removeAll, { waitMs: REMOVE_WAIT_MS, async: true }).catch(() => {});
}

/** False where a sweep removed the file of a writer that was stopped for long, and took it for abandoned. */
async function isNamed(handle: FileHandle): Promise<boolean> {
  try {
    return (await handle.stat()).nlink > 0;
  } catch {
    return false;
  }
}
