// Directories that the system watches for us: which name in which of them has changed. A notice may be missed (a queue
// that overflows, a file system of another machine): callers must also look for themselves now and then.
import { type FSWatcher, watch } from "node:fs";

/** Watched directories. */
interface DirWatches {
  /** Watches one more; nothing happens where it is watched already or does not exist. */
  add(dir: string): void;
  remove(dir: string): void;
  has(dir: string): boolean;
  /** Every notice about what happened before this call has been given when it resolves. */
  settled(): Promise<void>;
  close(): void;
}

/** `onChange` gets the directory and the name, or no name where the system did not say which. */
export function createDirWatches(
  onChange: (dir: string, name: string | undefined) => void,
  onLost: (dir: string, error: unknown) => void,
): DirWatches {
  const watchers = new Map<string, FSWatcher>();
  const remove = (dir: string): void => {
    watchers.get(dir)?.close();
    watchers.delete(dir);
  };
  return {
    add(dir) {
      if (watchers.has(dir)) return;
      try {
        const watcher = watch(dir, { persistent: false }, (_event, name) => onChange(dir, name ?? undefined));
        watcher.on("error", (error) => {
          remove(dir);
          onLost(dir, error);
        });
        watchers.set(dir, watcher);
      } catch (error) {
        onLost(dir, error);
      }
    },
    remove,
    has: (dir) => watchers.has(dir),
    // After the second turn the loop has polled once more, and what the kernel had queued has been read.
    settled: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
    close() {
      for (const dir of [...watchers.keys()]) remove(dir);
    },
  };
}
