// The meter's entries for whoever looks at them again and again: read anew only when a file of the journal has grown.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type MeterEntry, readMeter } from "@jeeves/intercept";
import { fallbackStateDir, resolveStateDir } from "@jeeves/state";

/** The newest; what is older is in the journal, and `jeeves stats` counts it. */
const MAX_ENTRIES = 200_000;

export interface MeterBook {
  /** In the order of their times. */
  entries(): Promise<readonly MeterEntry[]>;
  stamp(): Promise<string>;
}

export function openMeterBook(env: NodeJS.ProcessEnv): MeterBook {
  let read: { readonly stamp: string; readonly entries: Promise<readonly MeterEntry[]> } | undefined;
  const dirs = [resolveStateDir(env), fallbackStateDir(env)].map((base) => join(base, "meter"));

  async function stamp(): Promise<string> {
    const parts: string[] = [];
    for (const dir of dirs) {
      for (const name of (await readdir(dir).catch(() => [])).sort()) {
        const stats = await stat(join(dir, name)).catch(() => undefined);
        parts.push(`${name} ${stats?.size ?? "gone"}`);
      }
    }
    return parts.join(", ");
  }

  async function readAll(): Promise<readonly MeterEntry[]> {
    let entries: MeterEntry[] = [];
    for await (const entry of readMeter(env)) {
      entries.push(entry);
      if (entries.length >= MAX_ENTRIES * 2) entries = entries.slice(-MAX_ENTRIES);
    }
    return entries.slice(-MAX_ENTRIES).sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
  }

  return {
    stamp,
    async entries() {
      const now = await stamp();
      if (read?.stamp !== now) read = { stamp: now, entries: readAll() };
      try {
        return await read.entries;
      } catch {
        // A journal that cannot be read has nothing to show; the next look tries again.
        read = undefined;
        return [];
      }
    },
  };
}
