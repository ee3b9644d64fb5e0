// The small files of one directory (run files, logs) as a server keeps them: names, and what each held when it was read
// last. The system reports changes; every five seconds the directory itself is looked at, too.
import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { stampOf } from "../files/file-stamp.ts";
import { namesIn } from "../files/read-if-there.ts";
import { createDirWatches } from "./watch-dirs.ts";

const LOOK_MS = 5_000;

/** The files of one directory, by name. */
export interface LiveFiles<T> {
  /** The content of every file, sorted by name; undefined where the directory cannot be watched. */
  all(): Promise<ReadonlyMap<string, T> | undefined>;
  /** Whether there is a file of this name; undefined where the directory cannot be watched. */
  finder(): Promise<((name: string) => boolean) | undefined>;
  noteWritten(paths: readonly string[]): void;
  close(): void;
}

/** `read` is called for a file that is new or has changed; names that do not fit are left alone. */
export function createLiveFiles<T>(
  dir: string,
  options: { readonly fits: (name: string) => boolean; readonly read: (path: string) => T | undefined },
): LiveFiles<T> {
  const known = new Map<string, { readonly stamp: string | undefined; readonly value: T }>();
  let values: Map<string, T> | undefined;
  const dirty = new Set<string>();
  let isUnknown = true;
  let isBlind = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let dirTime = 0;
  const watches = createDirWatches(
    (_dir, name) => {
      if (name === undefined) isUnknown = true;
      else if (options.fits(name)) dirty.add(name);
    },
    () => {
      isBlind = true;
    },
  );

  function look(name: string): void {
    const stats = lstatSync(join(dir, name), { throwIfNoEntry: false });
    const stamp = stampOf(stats);
    if (stamp !== undefined && known.get(name)?.stamp === stamp) return;
    const value = stats === undefined ? undefined : options.read(join(dir, name));
    values = undefined;
    if (value === undefined) known.delete(name);
    else known.set(name, { stamp, value });
  }

  function lookAtAll(): void {
    isUnknown = false;
    dirTime = statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    watches.add(dir);
    const names = new Set(namesIn(dir).filter(options.fits));
    for (const name of names) look(name);
    for (const name of [...known.keys()]) if (!names.has(name)) look(name);
  }

  async function refresh(): Promise<boolean> {
    if (isBlind) return false;
    await watches.settled();
    const nowMs = performance.now();
    if (nowMs - lookedAtMs > LOOK_MS) {
      lookedAtMs = nowMs;
      if ((statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0) !== dirTime) isUnknown = true;
    }
    if (isUnknown) lookAtAll();
    for (const name of [...dirty]) {
      dirty.delete(name);
      look(name);
    }
    return !isBlind;
  }

  return {
    async all() {
      if (!(await refresh())) return undefined;
      values ??= new Map([...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { value }]) => [name, value]));
      return values;
    },
    async finder() {
      return (await refresh()) ? (name) => known.has(name) : undefined;
    },
    noteWritten(paths) {
      for (const path of paths) {
        if (!path.startsWith(`${dir}/`)) continue;
        const name = path.slice(dir.length + 1);
        if (options.fits(name)) dirty.add(name);
      }
    },
    close: () => watches.close(),
  };
}
