// The overview of a period: read from the transcripts of the clients on this machine, offline, and nothing is written
// to them. The command and the page's home show it.
import { CLIENTS } from "@jeeves/base";
import { createInProcessEngine } from "@jeeves/cut";
import type { Overview, OverviewPart } from "@jeeves/viewer";
import { type Account, accountOf } from "../stats/account.ts";
import { counted } from "../stats/figures.ts";
import { groupBy } from "../stats/groups.ts";
import { type ClientSession, sessionsSince } from "../stats/sessions.ts";
import { addTo, billOf, noSums, type Sums } from "../stats/sums.ts";
import type { TranscriptBook, Transcripts } from "../stats/transcript-book.ts";
import { chooseSample, replaySample, type Sample } from "./replay-some.ts";
import { findCutFailures, findReadAgain } from "./waste.ts";

/** What is being done: reading transcripts, then replaying sessions. */
type LookProgress = (stage: "reading" | "replaying", done: number, total: number) => void;

/** Where and how far back to look. */
interface LookOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly sinceMs: number;
  /** Replays every session, however long that takes. */
  readonly isAll?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: LookProgress;
}

/** An overview, and the sessions that it is about, the newest first. */
export interface Looked {
  readonly overview: Overview;
  readonly sample: Sample;
  readonly sessions: readonly ClientSession[];
}

/** Reads and replays. Rejects only when `signal` aborts; what cannot be read is named in `skipped`. */
export async function look(
  book: TranscriptBook,
  { env, sinceMs, isAll = false, signal, onProgress }: LookOptions,
): Promise<Looked> {
  const stop = signal === undefined ? {} : { signal };
  const found = await book.read({ sinceMs, ...stop, onProgress: (...how) => onProgress?.("reading", ...how) });
  const sessions = sessionsSince(found.threads, sinceMs);
  // Without the meter: what the client did, with or without us.
  const accounts = sessions.map((session) => accountOf(session, []));
  const total = noSums();
  for (const account of accounts) addTo(total, account.total);
  const engine = createInProcessEngine();
  const sample = chooseSample(sessions, { isAll });
  const tell = { onProgress: (done: number, of: number) => onProgress?.("replaying", done, of) };
  const replayed = await replaySample(sample.chosen, { engine, env, ...stop, ...tell });
  const bill = billOf(total);
  const overview: Overview = {
    since: new Date(sinceMs).toISOString(),
    sessions: accounts.length,
    calls: total.calls,
    bill: Math.round(bill),
    clients: clientsOf(accounts),
    parts: partsOf(total, accounts),
    cutFailures: await findCutFailures(sessions, engine),
    readAgain: findReadAgain(sessions),
    replay: {
      sessions: replayed.sessions,
      billShare: bill > 0 ? Math.min(1, replayed.bill / bill) : 0,
      results: replayed.results,
      policies: replayed.policies,
    },
    skipped: skippedOf(found, sample, replayed.unreadable.length),
  };
  return { overview, sample, sessions };
}

function clientsOf(accounts: readonly Account[]): Overview["clients"] {
  return groupBy(accounts, "client").map(({ name, sessions, sums }) => ({
    title: CLIENTS.find(({ id }) => id === name)?.title ?? name,
    sessions,
    bill: Math.round(billOf(sums)),
  }));
}

function partsOf(total: Sums, accounts: readonly Account[]): OverviewPart[] {
  const part = (name: string, cost: number, isTool = false) => ({ name, cost: Math.round(cost), isTool });
  const tools = groupBy(accounts, "tool")
    .filter(({ sums }) => sums.results > 0)
    .sort((a, b) => b.sums.results - a.sums.results)
    .map(({ name, sums }) => part(name, sums.results, true));
  return [
    part("starting prompt", total.starting),
    part("cache misses", total.misses),
    part("results", total.results),
    ...tools,
    part("output", total.output),
    part("the rest", total.rest),
  ];
}

function skippedOf(found: Transcripts, sample: Sample, failed: number): string[] {
  const { unreadable, withoutUsage, leftOut, tornLines, longLines, without } = found;
  const said: readonly (readonly [count: number, word: string, why: string])[] = [
    [unreadable, "transcript", "cannot be read"],
    [withoutUsage, "transcript", "without any usage that we know"],
    [leftOut, "older transcript", "beyond the limit of 10,000 files"],
    [tornLines, "line", "not whole JSON"],
    [longLines, "line", "longer than 16 MB"],
    [sample.beyondSample, "session", "beyond the sample, counted and not replayed: --all replays them"],
    [sample.tooLarge, "session", "of more than 256 MB, counted and not replayed"],
    [failed, "session", "that could not be replayed"],
  ];
  return [
    ...without.map(({ title, place }) => `${title}: no transcripts of this time in ${place}`),
    ...said.flatMap(([count, word, why]) => (count === 0 ? [] : [`${counted(count, word)} ${why}`])),
  ];
}
