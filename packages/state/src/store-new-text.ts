// The short way into the store, for a small text that is new: two exclusive creates and no lock. It is synchronous on
// purpose: a dozen small calls take a third of a millisecond here, and four times that through the thread pool.
// Whatever it meets (a name that is taken, no directory, no room) it leaves to the long way.

import { closeSync, fstatSync, ftruncateSync, futimesSync, openSync, writeFileSync } from "node:fs";
import type { EntryPlace } from "./store-layout.ts";

/** Larger texts would hold up the event loop while they are written. */
export const SMALL_TEXT_BYTES = 1_048_576;

export interface NewFiles {
  readonly text: Uint8Array;
  readonly textTimeS: number;
  readonly entry: string;
  readonly entryTimeS: number;
}

/** True when both files are there, whole. What is left of a try that failed is empty, and names nothing. */
export function writeNewText(place: EntryPlace, files: NewFiles): boolean {
  const made: number[] = [];
  try {
    // By name we never touch them again: by then the name may be someone else's, who came the long way.
    const text = openSync(place.textPath, "wx", 0o600);
    made.push(text);
    const entry = openSync(place.entryPath, "wx", 0o600);
    made.push(entry);
    writeFileSync(text, files.text);
    futimesSync(text, files.textTimeS, files.textTimeS);
    writeFileSync(entry, files.entry); // last: it makes the text count
    futimesSync(entry, files.entryTimeS, files.entryTimeS);
    // Not emptied where they are gone: whoever put the same text meanwhile may have replaced one and kept the other.
    return made.every(isNamed);
  } catch {
    for (const descriptor of made) ftruncateSync(descriptor, 0);
    return false;
  } finally {
    for (const descriptor of made) closeSync(descriptor);
  }
}

/** A writer that was stopped for long may find that a sweep took its files for abandoned: then nobody would find them. */
function isNamed(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).nlink > 0;
  } catch {
    return false;
  }
}
