// The overview for the page's home: what `jeeves look` shows. A replay takes seconds, so the last answer of each period
// holds for a while, and two tabs share one look.
import type { Overview, OverviewSource } from "@jeeves/viewer";
import { look } from "../look/overview.ts";
import type { TranscriptBook } from "../stats/transcript-book.ts";

const HOLDS_MS = 300_000;
/** As `jeeves look` has it, by whole minutes: two tabs ask for one period. */
const MINUTE_MS = 60_000;

/** Reads the transcripts through the same book as the savings do. */
export function createOverviewSource({
  env,
  transcripts,
}: {
  readonly env: NodeJS.ProcessEnv;
  readonly transcripts: TranscriptBook;
}): OverviewSource {
  const known = new Map<number, { readonly madeMs: number; readonly overview: Promise<Overview> }>();
  return {
    async read({ lastMs }) {
      const nowMs = Date.now();
      const found = known.get(lastMs);
      if (found !== undefined && nowMs - found.madeMs < HOLDS_MS) return found.overview;
      const sinceMs = lastMs === 0 ? 0 : Math.max(0, Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - lastMs);
      // Without the signal of one request: others may wait for the same answer.
      const overview = look(transcripts, { env, sinceMs }).then((looked) => looked.overview);
      known.set(lastMs, { madeMs: nowMs, overview });
      overview.catch(() => known.delete(lastMs));
      return overview;
    },
  };
}
