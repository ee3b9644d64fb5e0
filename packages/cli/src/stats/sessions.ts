// Threads as sessions: a session's own calls, those of its subagents, and which of them count for a period. Pure.
import type { ClientId } from "@jeeves/base";
import type { PricedThread } from "./transcript-book.ts";

/** A thread of a session, and which of its calls are counted. */
export interface CountedThread extends PricedThread {
  isCounted(index: number): boolean;
}

/** A session of a client, from all the files that hold some of it. */
export interface ClientSession {
  readonly client: ClientId;
  readonly id: string;
  /** The directory that it started in; "" where no record names it. */
  readonly dir: string;
  /** When its first and its last counted call were made. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** A call of it was made before the period. */
  readonly isOlder: boolean;
  readonly threads: readonly CountedThread[];
}

/** The sessions with a call since then. A call that several files hold, as after a resume or a fork, counts once. */
export function sessionsSince(threads: readonly PricedThread[], sinceMs: number): ClientSession[] {
  const seen = new Set<string>();
  const bySession = new Map<string, CountedThread[]>();
  for (const thread of threads) {
    const key = `${thread.client} ${thread.session}`;
    const counted = countedCalls(thread, { sinceMs, seen });
    const session = bySession.get(key) ?? [];
    session.push({ ...thread, isCounted: (index) => counted[index] === true });
    bySession.set(key, session);
  }
  return [...bySession.values()].flatMap(toSession);
}

function countedCalls(
  { client, session, calls }: PricedThread,
  { sinceMs, seen }: { readonly sinceMs: number; readonly seen: Set<string> },
): boolean[] {
  let isInPeriod = false;
  return calls.map(({ id, atMs }) => {
    // The order in the file holds: a clock that was set back takes no call out of the period.
    isInPeriod ||= atMs >= sinceMs;
    if (id === "") return isInPeriod;
    // Codex has running totals for ids, which tell calls apart only within a session; a proxy may number its answers. A copy
    // has the time of its original.
    const key = /^\d+$/.test(id) ? `${client} ${session} ${id}` : `${client} ${id} ${atMs}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isInPeriod && isNew;
  });
}

function toSession(threads: readonly CountedThread[]): ClientSession[] {
  const [first] = threads;
  const times = threads.flatMap((thread) => thread.calls.flatMap(({ atMs }, i) => (thread.isCounted(i) ? [atMs] : [])));
  if (first === undefined || times.length === 0) return [];
  const main = threads.find(({ isSidechain }) => !isSidechain) ?? first;
  return [
    {
      client: first.client,
      id: first.session,
      dir: main.dir,
      firstMs: times.reduce((a, b) => Math.min(a, b)),
      lastMs: times.reduce((a, b) => Math.max(a, b)),
      isOlder: threads.some((thread) => thread.calls.some((_, index) => !thread.isCounted(index))),
      threads,
    },
  ];
}
