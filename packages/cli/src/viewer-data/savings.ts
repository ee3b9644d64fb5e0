// What the cuts were worth over time, for the viewer: one pass over the meter's entries into slots, tools, projects and
// clients. A loss is a negative figure, and stays one.
import { costOfRecovery, costOfToken, type MeterEntry } from "@jeeves/cut";
import type { SavingsPart, SavingsPoint, SavingsSource, SavingsSums } from "@jeeves/viewer";
import type { SumOptions } from "../commands/stats-sums.ts";
import type { MeterBook } from "./meter-book.ts";

/** Bars that can be told apart. */
const MAX_SLOTS = 48;
const MAX_POINTS = 500;
const MAX_PARTS = 50;
/** An hour, a day, a week: what people count in. */
const SLOTS_S = [3_600, 21_600, 86_400, 604_800, 2_592_000];

const OWN_SURFACE = "our own surface";

type Sums = { -readonly [Name in keyof SavingsSums]: number };

export function createSavingsSource({
  book,
  readPrices,
}: {
  readonly book: MeterBook;
  readonly readPrices: () => Promise<SumOptions>;
}): SavingsSource {
  return {
    stamp: () => book.stamp(),
    async read({ sinceMs }) {
      const all = await book.entries();
      const since = new Date(Math.min(sinceMs, 8.64e15)).toISOString();
      return sumUp(sinceMs === 0 ? all : all.filter(({ ts }) => ts >= since), await readPrices());
    },
  };
}

/** What a person cut or recovered by hand is no agent's saving or loss, and left out. */
export function sumUp(all: readonly MeterEntry[], how: SumOptions) {
  const { prices } = how;
  const entries = all.filter(({ by }) => by !== "person");
  const times = entries.map(({ ts }) => Date.parse(ts) / 1000);
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
  const slotS = SLOTS_S.find((slot) => (to - from) / slot <= MAX_SLOTS) ?? 2_592_000;
  const total = zero();
  const slots = new Map<number, Sums>();
  const parts = { tool: new Map<string, Sums>(), project: new Map<string, Sums>(), client: new Map<string, Sums>() };
  const charged = new Set<string>();
  entries.forEach((entry, i) => {
    const at = Math.floor((times[i] ?? 0) / slotS) * slotS;
    const change = changeOf(entry, how, charged);
    for (const sums of [
      total,
      of(slots, at),
      of(parts.tool, entry.kind === "surface" ? OWN_SURFACE : entry.tool),
      of(parts.project, entry.project),
      of(parts.client, entry.client),
    ])
      add(sums, change);
  });
  return {
    total,
    points: toPoints(slots, slotS),
    slotS,
    tools: toParts(parts.tool),
    projects: toParts(parts.project),
    clients: toParts(parts.client),
    prices: { ...prices, perToken: costOfToken(prices) },
  };
}

function changeOf(entry: MeterEntry, how: SumOptions, charged: Set<string>): Partial<Sums> {
  const { prices } = how;
  const { kind, raw_tokens: raw, kept_tokens: kept } = entry;
  const surface = surfaceOf(entry, how, charged);
  const own = { overhead: surface, net: -surface * costOfToken(prices) };
  switch (kind) {
    case "cut":
      return { ...own, cuts: 1, raw, kept, net: own.net + (raw - kept) * costOfToken(prices) };
    case "recovered":
      return { ...own, recoveries: 1, recovered: raw, net: own.net - costOfRecovery(prices, raw) };
    case "repeated":
      return { ...own, askedAgain: 1, net: own.net - costOfRecovery(prices, raw) };
    case "shadow":
      return { ...own, shadowCuts: 1, shadowSaved: raw - kept };
    default:
      return own;
  }
}

/** A session may start its server more than once, and has one surface all the same. */
function surfaceOf(entry: MeterEntry, { prices, isSurfaceGiven }: SumOptions, charged: Set<string>): number {
  const { kind, session, raw_tokens } = entry;
  const isCharged = kind === "surface" || (kind === "cut" && isSurfaceGiven);
  if (!isCharged || charged.has(session)) return 0;
  charged.add(session);
  return isSurfaceGiven ? prices.surfaceTokens : raw_tokens;
}

function zero(): Sums {
  return {
    cuts: 0,
    raw: 0,
    kept: 0,
    recoveries: 0,
    recovered: 0,
    askedAgain: 0,
    overhead: 0,
    shadowCuts: 0,
    shadowSaved: 0,
    net: 0,
  };
}

function of<Key>(map: Map<Key, Sums>, key: Key): Sums {
  const found = map.get(key) ?? zero();
  map.set(key, found);
  return found;
}

function add(sums: Sums, change: Partial<Sums>): void {
  for (const [name, value] of Object.entries(change) as [keyof Sums, number][]) sums[name] += value;
}

/** Slots without a cut are zeros: a quiet day is a quiet day, not a line across it. The newest, where there are too many. */
function toPoints(slots: ReadonlyMap<number, Sums>, slotS: number): SavingsPoint[] {
  const ats = [...slots.keys()].sort((a, b) => a - b);
  const [first, last] = [ats[0], ats.at(-1)];
  if (first === undefined || last === undefined) return [];
  const points: SavingsPoint[] = [];
  for (let at = Math.max(first, last - (MAX_POINTS - 1) * slotS); at <= last; at += slotS)
    points.push({ at, ...(slots.get(at) ?? zero()) });
  return points;
}

/** The largest first, by what went through. */
function toParts(parts: ReadonlyMap<string, Sums>): SavingsPart[] {
  return [...parts]
    .map(([name, sums]) => ({ name, ...sums }))
    .sort((a, b) => b.raw - a.raw || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_PARTS);
}
