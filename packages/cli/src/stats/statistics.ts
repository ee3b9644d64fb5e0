// The statistics of a period: one account for each session, from the transcripts and the meter. `jeeves stats` and the
// page show the same ones.
import type { MeterEntry } from "@jeeves/cut";
import { type Account, accountOf, accountWithoutTranscript } from "./account.ts";
import { sessionsSince } from "./sessions.ts";
import { addTo, netOf, noSums, type Sums } from "./sums.ts";
import type { Transcripts } from "./transcript-book.ts";

/** What a period comes to. */
export interface Statistics {
  /** Sessions whose bill is known: every share is one of theirs. */
  readonly sessions: readonly Account[];
  readonly total: Sums;
  readonly lost: readonly Account[];
  /** Sessions that only the meter knows, at average prices. */
  readonly others: readonly Account[];
  readonly othersTotal: Sums;
  /** What a person cut and recovered at a terminal; in none of the other figures. */
  readonly byHand: { readonly cuts: number; readonly recoveries: number };
  readonly transcripts: Omit<Transcripts, "threads">;
  /** Results of agents were cut, or counted in shadow, before the period. */
  readonly hasEarlierCuts: boolean;
}

/** Adds up what was found. `entries` are all that the meter has, of any time. */
export function toStatistics(entries: readonly MeterEntry[], found: Transcripts, sinceMs: number): Statistics {
  const { threads, ...transcripts } = found;
  const ofAgents = entries.filter(({ by }) => by !== "person");
  const isSince = ({ ts }: MeterEntry) => !(Date.parse(ts) < sinceMs);
  const bySession = groupBySession(ofAgents.filter(isSince));
  // Sessions from before the first entry ran without us, and tell nothing about what we are worth.
  const startMs = ofAgents.reduce((first, { ts }) => Math.min(first, Date.parse(ts)), Number.POSITIVE_INFINITY);
  const sessions = sessionsSince(threads, sinceMs)
    .filter(({ lastMs, id }) => !Number.isFinite(startMs) || lastMs >= startMs || bySession.has(id))
    .map((session) => accountOf(session, takeEntries(bySession, session.id)))
    .sort((a, b) => a.firstMs - b.firstMs);
  const others = [...bySession.values()].map(accountWithoutTranscript);
  const byHand = entries.filter((entry) => entry.by === "person" && isSince(entry));
  return {
    sessions,
    total: sumOf(sessions),
    lost: lostOf(sessions),
    others,
    othersTotal: sumOf(others),
    byHand: {
      cuts: byHand.filter(({ kind }) => kind === "cut").length,
      recoveries: byHand.filter(({ kind }) => kind === "recovered").length,
    },
    transcripts,
    hasEarlierCuts: ofAgents.some((entry) => ["cut", "shadow"].includes(entry.kind) && !isSince(entry)),
  };
}

/** Those whose net is below zero, the worst first. What ran in shadow was not there to win. */
export function lostOf(accounts: readonly Account[]): readonly Account[] {
  return accounts
    .filter(({ total }) => netOf(total) < 0 && (total.shadowCuts === 0 || total.cuts > 0))
    .sort((a, b) => netOf(a.total) - netOf(b.total));
}

function sumOf(accounts: readonly Account[]): Sums {
  const sums = noSums();
  for (const { total } of accounts) addTo(sums, total);
  return sums;
}

/** Callers without a session are kept apart by client and project. */
function groupBySession(entries: readonly MeterEntry[]): Map<string, MeterEntry[]> {
  const groups = new Map<string, MeterEntry[]>();
  for (const entry of entries) {
    const key = entry.session || JSON.stringify([entry.client, entry.project]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

/** Each entry belongs to one account. */
function takeEntries(groups: Map<string, MeterEntry[]>, session: string): readonly MeterEntry[] {
  const entries = groups.get(session) ?? [];
  groups.delete(session);
  return entries;
}
