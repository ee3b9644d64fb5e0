// Runs for the viewer: those of `jeeves run`, and the sessions that clients had without us.
import type { RunSummary, RunsSource, TimelineWindow } from "@jeeves/viewer";
import type { MeterBook } from "./meter-book.ts";
import { openRunDirs } from "./run-dirs.ts";
import { entryToStep, type Session, sessionsOf } from "./sessions.ts";

const MAX_BARS = 120;
const MAX_LISTED = 500;

/** Runs and sessions in one list, the newest first, and their steps window by window. */
export function createRunsSource(env: NodeJS.ProcessEnv, { book }: { readonly book: MeterBook }): RunsSource {
  const dirs = openRunDirs(env);

  // A page asks window by window; the sessions are the same until the meter has more, or a run comes or goes.
  let made: { readonly of: unknown; readonly ids: string; readonly sessions: readonly Session[] } | undefined;
  async function sessionsBeside(runs: readonly RunSummary[]): Promise<readonly Session[]> {
    const entries = await book.entries();
    const ids = runs.map(({ id }) => id).join(" ");
    if (made?.of !== entries || made.ids !== ids) {
      made = { of: entries, ids, sessions: sessionsOf(entries, new Set(runs.map(({ id }) => id))) };
    }
    return made.sessions;
  }
  const sessions = async () => sessionsBeside((await dirs.list()).runs);

  return {
    async list() {
      const found = await dirs.list();
      const seen = await sessionsBeside(found.runs);
      const all = [...found.runs, ...seen.map(({ summary }) => summary)];
      const runs = all.sort((a, b) => (newest(a) < newest(b) ? 1 : -1)).slice(0, MAX_LISTED);
      return { runs, total: found.total + seen.length };
    },
    async timeline(id, window, asked) {
      const found = await dirs.find(id);
      if (found === undefined) return sessionWindow(await sessions(), id, window);
      const state = await found.log.window(window, asked);
      // A run may have no events yet; one whose directory is gone is no run any more.
      if (state === undefined && (await dirs.find(id)) === undefined) return undefined;
      const empty = { total: 0, steps: [], indexedShare: 1, isCapped: false };
      return {
        run: found.run,
        view: window.view,
        from: window.from,
        ...(state ?? empty),
        bars: found.log.bars(MAX_BARS),
      };
    },
    async record(id, line) {
      const found = await dirs.find(id);
      if (found !== undefined) return found.log.record(line);
      const session = (await sessions()).find(({ summary }) => summary.id === id);
      const entry = session?.entries[line - 1];
      if (entry === undefined) return undefined;
      const { prune_id } = entry;
      return { line, json: JSON.stringify(entry), ...(prune_id === undefined ? {} : { pruneId: prune_id }) };
    },
    async stamp(id) {
      return `${await dirs.stamp(id)} ${id === undefined || id.startsWith("session-") ? await book.stamp() : ""}`;
    },
  };
}

/** The key to sort by: runs that are under way come first. */
function newest({ status, startedAt, endedAt }: { status: string; startedAt: string; endedAt?: string }): string {
  return status === "running" ? `9${startedAt}` : status === "session" ? (endedAt ?? startedAt) : startedAt;
}

function sessionWindow(
  sessions: readonly Session[],
  id: string,
  window: Parameters<RunsSource["timeline"]>[1],
): TimelineWindow | undefined {
  const found = sessions.find(({ summary }) => summary.id === id);
  if (found === undefined) return undefined;
  const { entries, summary } = found;
  const cuts = entries.filter(({ kind }) => kind === "cut");
  const per = Math.max(1, Math.ceil(cuts.length / MAX_BARS));
  const bars: { raw: number; kept: number }[] = [];
  cuts.forEach((entry, i) => {
    const before = bars[Math.floor(i / per)] ?? { raw: 0, kept: 0 };
    bars[Math.floor(i / per)] = { raw: before.raw + entry.raw_tokens, kept: before.kept + entry.kept_tokens };
  });
  return {
    run: summary,
    view: window.view,
    from: window.from,
    total: entries.length,
    steps: entries
      .slice(window.from, window.from + window.count)
      .map((entry, i) => entryToStep(entry, window.from + i)),
    indexedShare: 1,
    isCapped: false,
    bars,
  };
}
