// The short way into the store, for a small text that is new: two exclusive creates and no lock. Whatever it meets (a
// name that is taken, no directory, no room) it leaves to the long way.

import { type FileHandle, open } from "node:fs/promises";
import type { EntryPlace } from "./store-layout.ts";

/** Larger texts go the long way, which leaves nothing half-written under its final name. */
export const SMALL_TEXT_BYTES = 1_048_576;

export interface NewFiles {
  readonly text: Uint8Array;
  readonly textTimeS: number;
  readonly entry: string;
  readonly entryTimeS: number;
  readonly entryMode: number;
}

/** True when both files are there, whole. What is left of a try that failed is empty, and names nothing. */
export async function writeNewText(place: EntryPlace, files: NewFiles): Promise<boolean> {
  const made: FileHandle[] = [];
  try {
    // By name we never touch them again: by then the name may be someone else's, who came the long way.
    const text = await open(place.textPath, "wx", 0o600);
    made.push(text);
    const entry = await open(place.entryPath, "wx", files.entryMode);
    made.push(entry);
    await text.writeFile(files.text);
    await text.utimes(files.textTimeS, files.textTimeS);
    await entry.writeFile(files.entry); // last: it makes the text count
    await entry.utimes(files.entryTimeS, files.entryTimeS);
    // Not emptied where they are gone: whoever put the same text meanwhile may have replaced one and kept the other.
    return (await isNamed(text)) && (await isNamed(entry));
  } catch {
    for (const handle of made) await handle.truncate(0).catch(() => {});
    return false;
  } finally {
    for (const handle of made) await handle.close().catch(() => {});
  }
}

/** A writer that was stopped for long may find that a sweep took its files for abandoned: then nobody would find them. */
async function isNamed(handle: FileHandle): Promise<boolean> {
  try {
    return (await handle.stat()).nlink > 0;
  } catch {
    return false;
  }
}
