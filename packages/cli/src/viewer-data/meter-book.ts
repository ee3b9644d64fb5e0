// The meter's entries for callers that look at them again and again: what the journal has gained since is read, not all of
// it anew.
import { stat } from "node:fs/promises";
import { followMeter, type MeterEntry, type MeterFollower, meterFiles } from "@jeeves/cut";

/** The newest; what is older is in the journal, and `jeeves stats` counts it. */
const MAX_ENTRIES = 200_000;

/** The newest 200,000 entries of the meter. */
export interface MeterBook {
  /** In the order of their times. */
  entries(): Promise<readonly MeterEntry[]>;
  /** Another text when the journal has changed. */
  stamp(): Promise<string>;
}

/** Opens the meter of this environment. Nothing is read before the first call. */
export function openMeterBook(env: NodeJS.ProcessEnv): MeterBook {
  let entries: readonly MeterEntry[] = [];
  let follower: MeterFollower | undefined;
  let seen: ReadonlyMap<string, number> = new Map();
  let reading: Promise<unknown> = Promise.resolve();

  async function sizes(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const file of await meterFiles(env)) {
      const stats = await stat(file).catch(() => undefined);
      if (stats !== undefined) found.set(file, stats.size);
    }
    return found;
  }

  async function readOn(): Promise<readonly MeterEntry[]> {
    const now = await sizes();
    if (stampOf(now) === stampOf(seen)) return entries;
    // A file that was removed or made shorter: what was read of it may no longer be there.
    const isCut = [...seen].some(([file, size]) => (now.get(file) ?? 0) < size);
    if (isCut) entries = [];
    if (isCut || follower === undefined) follower = await followMeter(env, { from: "start" });
    seen = now;
    const fresh: MeterEntry[] = [];
    for (let some = await follower.readNew(); some.length > 0; some = await follower.readNew()) {
      for (const entry of some) fresh.push(entry);
      if (fresh.length > 2 * MAX_ENTRIES) fresh.splice(0, MAX_ENTRIES);
    }
    entries = [...entries, ...fresh].sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0)).slice(-MAX_ENTRIES);
    return entries;
  }

  return {
    stamp: async () => stampOf(await sizes()),
    entries() {
      // One after the other, and the next goes on where one failed.
      const read = reading.then(readOn).catch(() => entries);
      reading = read;
      return read;
    },
  };
}

function stampOf(sizes: ReadonlyMap<string, number>): string {
  return [...sizes].map(([file, size]) => `${file} ${size}`).join(", ");
}
