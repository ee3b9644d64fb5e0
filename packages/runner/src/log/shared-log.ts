// X-17: where the caller itself names a JEEVES_EVENT_LOG, every record of the run goes there as well, the servers' too:
// they write into the run's own log only. A record that cannot be written to the shared log is still in the run's own.
import { within } from "@jeeves/base";
import type { EventRecord } from "@jeeves/kit/events";
import { createJournal } from "@jeeves/state";

/** A disk that hangs must not keep a run from ending. */
const MAX_CLOSE_MS = 5_000;

interface SharedLog {
  append(record: EventRecord): void;
  close(): Promise<void>;
}

/**
 * Opens the file that JEEVES_EVENT_LOG names; without one, `append` does nothing. Write errors are ignored, and `close`
 * waits for 5 seconds at most.
 */
export function openSharedLog(env: NodeJS.ProcessEnv): SharedLog {
  const file = env.JEEVES_EVENT_LOG ?? "";
  const journal = file === "" ? undefined : createJournal(file);
  return {
    append: (record) => void journal?.append(record).catch(() => {}),
    close: async () => within(MAX_CLOSE_MS, journal?.close().catch(() => {}) ?? Promise.resolve()),
  };
}
