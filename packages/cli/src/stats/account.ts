// The account of one session: its bill by part, and what each of its cuts and recoveries was worth at the prices of the
// calls that really read it. Without a transcript the policy's averages take their place.
import { type MeterEntry, prefixWorth, recoveryCost, TOKEN_WORTH, worthAfter } from "@jeeves/cut";
import type { Filling } from "@jeeves/intercept";
import { findPlace, type Place } from "./find-place.ts";
import { comparableOf, predictionsOf } from "./meter-entries.ts";
import type { ClientSession } from "./sessions.ts";
import { addTo, noSums, type OpenSums, type Sums } from "./sums.ts";

/** A session's figures, whole and divided. */
export interface Account {
  readonly client: string;
  readonly session: string;
  readonly project: string;
  /** False where prices are averages and no bill is known. */
  readonly hasTranscript: boolean;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly total: Sums;
  /** By hour, as `2026-11-15T10` (UTC). */
  readonly byHour: ReadonlyMap<string, Sums>;
  readonly byTool: ReadonlyMap<string, Sums>;
  /** Tokens of the first prompt; undefined where the session began before the period, or without a transcript. */
  readonly firstPrompt?: number;
  /** Parts of that prompt, where the transcript tells them. */
  readonly filling?: readonly Filling[];
}

/** Our servers' names in the settings that `jeeves init` and the plugin write. */
const OWN_SERVER = /jeeves/i;

/** The row of our own tools where figures are divided by tool. */
const SURFACE_NAME = "(surface)";

type Post = (atMs: number, tool: string | undefined, change: Partial<Sums>) => void;

/** An account of a session with a transcript, and of its entries in the meter. */
export function accountOf(session: ClientSession, entries: readonly MeterEntry[]): Account {
  const { client, id, dir, firstMs, lastMs, threads } = session;
  const book = openBook();
  for (const thread of threads) {
    thread.priced.forEach(({ parts }, index) => {
      if (!thread.isCounted(index)) return;
      const { starting, misses, results, output, rest } = parts;
      const atMs = thread.calls[index]?.atMs ?? firstMs;
      book.post(atMs, undefined, { calls: 1, starting, misses, output, rest });
      for (const [tool, cost] of Object.entries(results)) book.post(atMs, tool, { results: cost });
    });
  }
  const prices: Prices = {
    worth({ thread, call }) {
      return worthAfter(thread.priced, call, thread.isCounted);
    },
    // One more turn: its context from the cache and what the model said, shared by all that this turn asked for.
    turn({ thread, call }) {
      const priced = thread.priced[call];
      if (priced === undefined) return 0;
      const shared = Math.max(1, thread.calls[call]?.toolCalls ?? 1);
      return (priced.rates.read * priced.contextTokens + priced.outputCost) / shared;
    },
    context: ({ thread, call }) => thread.priced[call]?.contextTokens,
    prefix: threads.reduce((sum, { priced, isCounted }) => sum + prefixWorth(priced, isCounted), 0),
  };
  const main = threads.find(({ isSidechain }) => !isSidechain);
  const place = (entry: MeterEntry) => findPlace(threads, entry);
  postEntries(entries, { post: book.post, place, prices, ...sentSurface(main?.filling ?? [], firstMs) });
  const firstPrompt = main?.isCounted(0) === true ? main.priced[0]?.contextTokens : undefined;
  return {
    client,
    session: id,
    project: dir || (entries[0]?.project ?? ""),
    hasTranscript: true,
    firstMs,
    lastMs,
    ...book.sums,
    ...(firstPrompt === undefined ? {} : { firstPrompt, filling: main?.filling ?? [] }),
  };
}

/** What the client sent of our server: names and instructions alone, where it loads tools only when they are needed. */
function sentSurface(filling: readonly Filling[], atMs: number): Pick<PostDeps, "sent"> {
  const own = filling.filter(({ part, name }) => part === "server" && OWN_SERVER.test(name));
  // Earlier versions tell the instructions alone, and send every schema.
  if (own.length === 0 || !filling.some(({ part }) => part === "system")) return {};
  return { sent: { atMs, tokens: own.reduce((sum, { tokens }) => sum + tokens, 0) } };
}

/** An account of what the meter alone knows of a session. */
export function accountWithoutTranscript(entries: readonly MeterEntry[]): Account {
  const [first] = entries;
  const book = openBook();
  postEntries(entries, { post: book.post });
  const times = entries.map(({ ts }) => Date.parse(ts)).filter((ms) => !Number.isNaN(ms));
  return {
    client: first?.client ?? "",
    session: first?.session ?? "",
    project: first?.project ?? "",
    hasTranscript: false,
    firstMs: times[0] ?? 0,
    lastMs: times.at(-1) ?? 0,
    ...book.sums,
  };
}

function openBook() {
  const total = noSums();
  const byHour = new Map<string, OpenSums>();
  const byTool = new Map<string, OpenSums>();
  // There are far fewer hours than calls: their names are made once.
  const hourNames = new Map<number, string>();
  const of = (map: Map<string, OpenSums>, key: string): OpenSums => {
    const found = map.get(key) ?? noSums();
    map.set(key, found);
    return found;
  };
  const hourOf = (atMs: number): string => {
    const hour = Math.floor(atMs / HOUR_MS);
    const name = hourNames.get(hour) ?? nameOfHour(hour);
    hourNames.set(hour, name);
    return name;
  };
  const post: Post = (atMs, tool, change) => {
    addTo(total, change);
    addTo(of(byHour, hourOf(atMs)), change);
    if (tool !== undefined) addTo(of(byTool, tool), change);
  };
  return { post, sums: { total, byHour, byTool } };
}

const HOUR_MS = 3_600_000;

/** The name of the hour that this number counts, from 1970 on. */
function nameOfHour(hour: number): string {
  const ms = hour * HOUR_MS;
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString().slice(0, 13) : "";
}

interface Prices {
  /** Of a token that came in there. */
  worth(place: Place): number;
  /** Of asking there. */
  turn(place: Place): number;
  /** The whole prompt there, in tokens. */
  context(place: Place): number | undefined;
  /** Of a token of the starting prompt, in all calls. */
  readonly prefix: number;
}

interface PostDeps {
  readonly post: Post;
  readonly place?: (entry: MeterEntry) => Place | undefined;
  readonly prices?: Prices;
  /** Our own part of the starting prompt, where the transcript tells it. */
  readonly sent?: { readonly atMs: number; readonly tokens: number };
}

function postEntries(entries: readonly MeterEntry[], deps: PostDeps): void {
  const { post } = deps;
  const isComparable = comparableOf(entries);
  const shadowCuts = new Map(entries.flatMap((entry) => (entry.kind === "shadow" ? [[entry.prune_id, entry]] : [])));
  const missed = new Set<string>();
  let contextTokens: number | undefined;
  let surface: MeterEntry | undefined;
  for (const entry of entries) {
    contextTokens = entry.context_tokens ?? contextTokens;
    const place = deps.place?.(entry);
    const worth = () => worthOf(place, deps.prices);
    const again = (tokens: number) => costOfAsking(tokens, place, { prices: deps.prices, contextTokens });
    // The name that its results have in the bill: Codex calls a command exec_command, the meter Bash.
    const tool = place?.tool || entry.tool || "(unknown)";
    const add = (change: Partial<Sums>) => post(Date.parse(entry.ts), tool, change);
    const { raw_tokens: rawTokens, kept_tokens: keptTokens, shown_tokens: shownTokens } = entry;
    if (entry.kind === "cut") {
      add({ cuts: 1, rawTokens, keptTokens, ...visibleOf(entry) });
      if (shownTokens === undefined) add({ olderCuts: 1 });
      else {
        const value = (shownTokens - keptTokens) * worth();
        add(value < 0 ? { shownTokens, visible: -value } : { shownTokens, saved: value });
      }
    } else if (entry.kind === "recovered" || entry.kind === "repeated") {
      add(entry.kind === "repeated" ? { askedAgain: 1 } : { recoveries: 1, recoveredTokens: rawTokens });
      if (isComparable(entry)) add({ back: again(rawTokens) });
    } else if (entry.kind === "shadow") {
      add({ shadowCuts: 1, ...(shownTokens === undefined ? { olderCuts: 1 } : {}) });
      if (shownTokens !== undefined) add({ shadowSaved: (shownTokens - keptTokens) * worth() });
    } else if (entry.kind === "missed") {
      add({ shadowMissed: 1 });
      const cut = shadowCuts.get(entry.prune_id);
      const isNew = !missed.has(entry.prune_id ?? "");
      missed.add(entry.prune_id ?? "");
      // Earlier versions did not record how much an edit used: then all that was left out comes back, once.
      const tokens = rawTokens || (isNew ? (cut?.shown_tokens ?? 0) - (cut?.kept_tokens ?? 0) : 0);
      // No call of the transcript asked for it: the turn is one of the usual size, in the context of that moment.
      const context = entry.context_tokens ?? (place && deps.prices?.context(place)) ?? contextTokens;
      const cost = recoveryCost(Math.max(0, tokens), context, place && deps.prices?.worth(place));
      // Without an id the same call was made again, whole: earlier versions did not count that.
      const isKnown = cut?.shown_tokens !== undefined || (entry.prune_id === undefined && rawTokens > 0);
      if (isKnown && (rawTokens > 0 || isNew)) add({ shadowBack: cost });
    } else if (entry.kind === "surface") surface = larger(surface, entry);
    else add({ stopped: 1 });
  }
  const own = deps.sent ?? (surface && { atMs: Date.parse(surface.ts), tokens: surface.raw_tokens });
  if (own !== undefined && isComparable({ kind: "surface" }))
    post(own.atMs, SURFACE_NAME, { surface: own.tokens * (deps.prices?.prefix ?? TOKEN_WORTH) });
  for (const { entry, ...prediction } of predictionsOf(entries))
    post(Date.parse(entry.ts), entry.tool || "(unknown)", prediction);
}

function worthOf(place: Place | undefined, prices: Prices | undefined): number {
  return place === undefined || prices === undefined ? TOKEN_WORTH : prices.worth(place);
}

function costOfAsking(
  tokens: number,
  place: Place | undefined,
  { prices, contextTokens }: { readonly prices: Prices | undefined; readonly contextTokens: number | undefined },
): number {
  if (place === undefined || prices === undefined) return recoveryCost(tokens, contextTokens);
  return prices.turn(place) + tokens * prices.worth(place);
}

/** A session may start its server more than once, and has one surface all the same. */
function larger(a: MeterEntry | undefined, b: MeterEntry): MeterEntry {
  return a === undefined || b.raw_tokens > a.raw_tokens ? b : a;
}

/** A cut that shows both counts as a failure. One of an earlier version may be either: an answer claims less. */
function visibleOf({ made_visible, visible_failures }: MeterEntry): Partial<Sums> {
  if (visible_failures) return { failuresVisible: 1 };
  return made_visible ? { answersVisible: 1 } : {};
}
