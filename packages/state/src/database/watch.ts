// Watches a database for changes: by LISTEN, and by polling where the engine has none or the connection is lost. A notice
// is only a hint to look; a missed one is made up for by the next poll.
import type { Database } from "./database.ts";

const POLL_MS = 1_000;
/** While LISTEN works, polling only catches notices that were lost. */
const SLOW_POLL_MS = 15_000;
const AGAIN_MS = 2_000;

/** What is watched, and who is called. */
export interface WatchOptions {
  readonly database: Database;
  readonly channel: string;
  readonly onNotice: (payload: string | undefined) => void;
  /** False: only poll, for engines without LISTEN. */
  readonly hasListen?: boolean | undefined;
  readonly pollMs?: number | undefined;
}

/**
 * Calls `onNotice` with each payload, and with undefined where changes may have been missed; polling is every second by
 * default. The returned function ends the watch.
 */
export function watchDatabase(options: WatchOptions): () => Promise<void> {
  const { database, channel, onNotice, hasListen = true, pollMs = POLL_MS } = options;
  let isOver = false;
  let isListening = false;
  let end: (() => Promise<void>) | undefined;
  let again: NodeJS.Timeout | undefined;
  let lastMs = performance.now();

  const poll = setInterval(() => {
    if (performance.now() - lastMs < (isListening ? SLOW_POLL_MS : pollMs)) return;
    lastMs = performance.now();
    onNotice(undefined);
  }, pollMs);
  poll.unref();

  const lost = (): void => {
    isListening = false;
    if (isOver || again !== undefined) return;
    again = setTimeout(() => {
      again = undefined;
      void start();
    }, AGAIN_MS);
    again.unref();
  };
  const start = async (): Promise<void> => {
    if (!hasListen || isOver) return;
    try {
      const stop = await database.listen(channel, (payload) => onNotice(payload), lost);
      if (isOver) return await stop();
      end = stop;
      isListening = true;
      onNotice(undefined); // what changed while no one listened
    } catch {
      lost();
    }
  };
  void start();
  return async () => {
    isOver = true;
    clearInterval(poll);
    clearTimeout(again);
    await end?.();
  };
}
