// The statistics of a period for the viewer: the same figures as `jeeves stats`, over time and in rows.
import type { Savings, SavingsPart, SavingsPoint, SavingsSource, SavingsSums } from "@jeeves/viewer";
import type { Account } from "../stats/account.ts";
import { headline } from "../stats/figures.ts";
import { type Grouping, groupBy } from "../stats/groups.ts";
import { findPromptFilling, type PromptFilling } from "../stats/prompt-filling.ts";
import { type Statistics, toStatistics } from "../stats/statistics.ts";
import { addTo, billOf, netOf, noSums, type OpenSums, type Sums, shadowNetOf } from "../stats/sums.ts";
import type { TranscriptBook } from "../stats/transcript-book.ts";
import { notesOf } from "../stats/words.ts";
import type { MeterBook } from "./meter-book.ts";

/** A chart with more bars than this cannot be read. */
const MAX_SLOTS = 48;
const MAX_POINTS = 500;
const MAX_PARTS = 50;
const MAX_LOST = 20;
const MAX_FILLING = 12;
/** An hour, a day, a week: what people count in. */
const SLOTS_S = [3_600, 21_600, 86_400, 604_800, 2_592_000];

/** Reads the meter and the transcripts anew where they have changed. */
export function createSavingsSource({
  env,
  book,
  transcripts,
}: {
  readonly env: NodeJS.ProcessEnv;
  readonly book: MeterBook;
  readonly transcripts: TranscriptBook;
}): SavingsSource {
  return {
    // Transcripts grow all the time; what is worth a new look is a cut or a recovery.
    stamp: () => book.stamp(),
    async read({ sinceMs }, { signal }) {
      const entries = await book.entries();
      const found = toStatistics(entries, await transcripts.read({ sinceMs, signal }), sinceMs);
      return toSavings(found, await findPromptFilling(found.sessions, env));
    },
  };
}

/** The statistics as the page has them. Where no session has a transcript, those that only the meter knows. */
export function toSavings(found: Statistics, filling: PromptFilling): Savings {
  const { sessions, others, lost } = found;
  const isKnown = sessions.length > 0;
  const shown = isKnown ? sessions : others;
  const total = isKnown ? found.total : found.othersTotal;
  const { points, slotS } = toPoints(shown);
  return {
    line: headline(found),
    isKnown,
    sessions: shown.length,
    total: toSums(total),
    predicted: total.predicted,
    actual: total.actual,
    riskCuts: total.riskCuts,
    lost: lost.slice(0, MAX_LOST).map(({ client, project, firstMs, total: sums }) => ({
      client,
      project,
      startedAt: new Date(firstMs).toISOString(),
      net: netOf(sums),
    })),
    lostCount: lost.length,
    firstPrompt: filling.firstPrompt ?? 0,
    filling: [...filling.parts, ...filling.files.map(({ path, size }) => ({ name: path, size }))]
      .map(({ name, size }) => ({ name, tokens: size }))
      .sort((a, b) => b.tokens - a.tokens)
      .slice(0, MAX_FILLING),
    notes: notesOf(found),
    points,
    slotS,
    tools: toParts([...sessions, ...others], "tool"),
    projects: toParts([...sessions, ...others], "project"),
    clients: toParts([...sessions, ...others], "client"),
  };
}

function toSums(sums: Sums): SavingsSums {
  const { starting, misses, results, output, rest, saved, visible, back, surface, cuts, shadowCuts } = sums;
  return {
    starting,
    misses,
    results,
    output,
    rest,
    bill: billOf(sums),
    saved,
    visible,
    back,
    surface,
    net: netOf(sums),
    cuts,
    asked: sums.recoveries + sums.askedAgain,
    shadowCuts,
    shadowNet: shadowNetOf(sums),
  };
}

/** Slots without a call are zeros: a quiet day is a quiet day, not a line across it. The newest, where there are too many. */
function toPoints(accounts: readonly Account[]): { readonly points: SavingsPoint[]; readonly slotS: number } {
  const hours = accounts.flatMap(({ byHour }) =>
    [...byHour].flatMap(([hour, sums]) => (hour === "" ? [] : [{ at: Date.parse(`${hour}:00:00Z`) / 1000, sums }])),
  );
  if (hours.length === 0) return { points: [], slotS: SLOTS_S[0] ?? 3_600 };
  const ats = hours.map(({ at }) => at);
  const [from, to] = [ats.reduce((a, b) => Math.min(a, b)), ats.reduce((a, b) => Math.max(a, b))];
  const slotS = SLOTS_S.find((slot) => (to - from) / slot <= MAX_SLOTS) ?? 2_592_000;
  const slotOf = (at: number) => Math.floor(at / slotS) * slotS;
  const slots = new Map<number, OpenSums>();
  for (const { at, sums } of hours) {
    const slot = slots.get(slotOf(at)) ?? noSums();
    slots.set(slotOf(at), slot);
    addTo(slot, sums);
  }
  const points: SavingsPoint[] = [];
  const last = slotOf(to);
  for (let at = Math.max(slotOf(from), last - (MAX_POINTS - 1) * slotS); at <= last; at += slotS)
    points.push({ at, ...toSums(slots.get(at) ?? noSums()) });
  return { points, slotS };
}

/** The largest first, by what was billed, then by what was saved. */
function toParts(accounts: readonly Account[], by: Grouping): SavingsPart[] {
  return groupBy(accounts, by)
    .map(({ name, sessions, sums }) => ({ name, sessions, ...toSums(sums) }))
    .sort((a, b) => b.bill - a.bill || b.saved - a.saved || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_PARTS);
}
