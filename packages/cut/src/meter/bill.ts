// The bill of one context, call by call: what each part of it cost, and at which price a token entered and stayed. Exact
// as far as the reported usage goes; only how new tokens divide among results and words is estimated.
import { type Rates, ratesOf } from "./rates.ts";

/** What one call of the model was billed for, in tokens. */
export interface CallUsage {
  /** "" where it is not known. */
  readonly model: string;
  /** Read from the cache. */
  readonly cached: number;
  /** Written to the cache; `writtenForHour` of them to the cache of an hour. */
  readonly written: number;
  readonly writtenForHour: number;
  /** Neither read from nor written to a cache. */
  readonly plain: number;
  readonly output: number;
}

/** One call of the model, and what came into its context since the call before. */
export interface ContextCall extends CallUsage {
  /** The first call of a context: of a session, of a subagent, after a compaction, or after a rewind to the start. */
  readonly isFirst: boolean;
  /** The index of the call before, where that is not the one above: after a rewind. */
  readonly before?: number;
  /** Estimated tokens of the results, by tool, and of the user's words. */
  readonly results: Readonly<Record<string, number>>;
  readonly promptTokens: number;
}

/** A bill by part, in plain input tokens. */
export interface BillParts {
  /** System prompt, tool lists and memory files, each time that they were read from the cache or first written. */
  readonly starting: number;
  /** Context that was paid for again because the cache no longer had it. */
  readonly misses: number;
  /** By tool. */
  readonly results: Readonly<Record<string, number>>;
  readonly output: number;
  /** The model's own words and the user's, summaries, reminders. */
  readonly rest: number;
}

/** A call with its bill and its prices. */
export interface PricedCall {
  readonly parts: BillParts;
  readonly isFirst: boolean;
  readonly before?: number;
  /** The whole prompt, in tokens. */
  readonly contextTokens: number;
  /** Price of a token that entered with this call. */
  readonly entry: number;
  /** Price of a token that was in the context before, and the share of them that still is. */
  readonly held: number;
  readonly survives: number;
  /** Price of a token of the starting prompt. */
  readonly prefix: number;
  readonly rates: Rates;
  readonly outputCost: number;
}

/** Clients count up to so many tokens for one that we estimate. */
const MAX_SCALE = 1.6;

/** What is in the context, in tokens. */
interface Composition {
  readonly starting: number;
  readonly results: Readonly<Record<string, number>>;
  readonly rest: number;
}

interface Context extends Composition {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/**
 * The bill and the prices of each call of one thread, in order; a new context begins with each call that is a first one.
 */
export function priceCalls(calls: readonly ContextCall[]): PricedCall[] {
  const priced: PricedCall[] = [];
  /** After each call. */
  const contexts: (Context | undefined)[] = [];
  let starting: number | undefined;
  for (const [index, call] of calls.entries()) {
    const context = contexts[call.before ?? index - 1];
    const branch = call.before === undefined ? {} : { before: call.before };
    const promptTokens = call.cached + call.written + call.plain;
    if (promptTokens === 0) {
      priced.push({ ...withoutPrompt(call), ...branch });
      contexts.push(context);
      continue;
    }
    const isFirst = call.isFirst || context === undefined;
    // After a compaction the same starting prompt stands before the summary.
    starting ??= Math.max(0, promptTokens - call.promptTokens);
    const before: Context = isFirst || context === undefined ? emptyContext : context;
    const { call: one, after } = priceCall({ ...call, isFirst }, before, starting);
    priced.push({ ...one, ...branch });
    contexts.push({ ...after, promptTokens, outputTokens: call.output });
  }
  return priced;
}

const emptyContext: Context = { starting: 0, results: {}, rest: 0, promptTokens: 0, outputTokens: 0 };

function priceCall(call: ContextCall, before: Context, startingTokens: number) {
  const rates = ratesOf(call.model);
  const promptTokens = call.cached + call.written + call.plain;
  const write = freshPriceOf(call, rates);
  const old = Math.min(before.promptTokens, promptTokens);
  const added = promptTokens - old;
  const survives = before.promptTokens === 0 ? 1 : old / before.promptTokens;
  const kept = scaled(before, survives);
  // A cache holds the beginning of a prompt: the starting prompt first, then the rest of what was there, then what is new.
  const hit = Math.min(call.cached, old);
  const hitStarting = Math.min(kept.starting, hit);
  const hitOthers = hit - hitStarting;
  const others = old - kept.starting;
  const fresh = arrivalsOf(call, before, { added, startingTokens });
  const cachedAdded = call.cached - hit;
  // The starting prompt of a first call comes first here, too: another session may have warmed the cache.
  const warm = Math.min(cachedAdded, fresh.starting);
  const startingCost = warm * rates.read + (fresh.starting - warm) * write;
  const otherPrice = meanPrice(cachedAdded - warm, added - fresh.starting, rates.read, write);
  const heldOthers = others > 0 ? (hitOthers / others) * rates.read : 0;
  const outputCost = call.output * rates.output;
  const parts: BillParts = {
    starting: hitStarting * rates.read + startingCost,
    misses: (old - hit) * write,
    results: addUp([
      [kept.results, heldOthers],
      [fresh.results, otherPrice],
    ]),
    output: outputCost,
    rest: kept.rest * heldOthers + fresh.rest * otherPrice,
  };
  const isFresh = call.isFirst;
  const prefixTokens = isFresh ? fresh.starting : kept.starting;
  const one: PricedCall = {
    parts,
    isFirst: call.isFirst,
    contextTokens: promptTokens,
    entry: added > fresh.starting ? otherPrice : write,
    held: meanPrice(hitOthers, others, rates.read, write),
    survives,
    prefix: meanPrice(isFresh ? warm : hitStarting, prefixTokens, rates.read, write),
    rates,
    outputCost,
  };
  const after: Composition = {
    starting: kept.starting + fresh.starting,
    results: addUp([
      [kept.results, 1],
      [fresh.results, 1],
    ]),
    rest: kept.rest + fresh.rest,
  };
  return { call: one, after };
}

/** How the tokens that are new in a prompt divide among what came in. */
function arrivalsOf(
  call: ContextCall,
  before: Context,
  { added, startingTokens }: { readonly added: number; readonly startingTokens: number },
): Composition {
  if (call.isFirst) {
    const starting = Math.min(startingTokens, added);
    return { starting, results: {}, rest: added - starting };
  }
  const estimated = Object.values(call.results).reduce((sum, tokens) => sum + tokens, 0);
  const known = estimated + call.promptTokens + before.outputTokens;
  const scale = known === 0 ? 0 : Math.min(added / known, MAX_SCALE);
  const results = addUp([[call.results, scale]]);
  return { starting: 0, results, rest: Math.max(0, added - estimated * scale) };
}

/** The mean price of what was not read from the cache. */
function freshPriceOf({ written, writtenForHour, plain }: ContextCall, rates: Rates): number {
  const forHour = Math.min(writtenForHour, written);
  const tokens = written + plain;
  if (tokens === 0) return rates.write;
  return (rates.write * (written - forHour) + rates.hour * forHour + plain) / tokens;
}

function meanPrice(cached: number, tokens: number, read: number, write: number): number {
  return tokens <= 0 ? read : (cached * read + (tokens - cached) * write) / tokens;
}

function scaled({ starting, results, rest }: Composition, factor: number): Composition {
  return { starting: starting * factor, results: addUp([[results, factor]]), rest: rest * factor };
}

function addUp(some: readonly (readonly [Readonly<Record<string, number>>, number])[]): Record<string, number> {
  const sums: Record<string, number> = Object.create(null);
  for (const [amounts, factor] of some)
    for (const name of Object.keys(amounts)) sums[name] = (sums[name] ?? 0) + (amounts[name] ?? 0) * factor;
  return sums;
}

/** A call without a prompt on its bill: a client's own message, or an old version that counts only the output. */
function withoutPrompt(call: ContextCall): PricedCall {
  const rates = ratesOf(call.model);
  const outputCost = call.output * rates.output;
  return {
    parts: { starting: 0, misses: 0, results: {}, output: outputCost, rest: 0 },
    isFirst: false,
    contextTokens: 0,
    entry: 0,
    held: 0,
    survives: 1,
    prefix: 0,
    rates,
    outputCost,
  };
}

/** The sum of all parts, in plain input tokens. */
export function totalOf({ starting, misses, results, output, rest }: BillParts): number {
  return starting + misses + output + rest + Object.values(results).reduce((sum, cost) => sum + cost, 0);
}

/**
 * What one token costs that came in as a result of call `index`, in plain input tokens: its price when the next call wrote
 * it, and in every later call of the same context and branch. `isCounted` leaves calls out.
 */
export function worthAfter(
  calls: readonly PricedCall[],
  index: number,
  isCounted: (index: number) => boolean = () => true,
): number {
  let worth = 0;
  /** By the calls that have it: the share that is left, and whether a call wrote it yet. */
  const having = new Map([[index, { share: 1, hasEntered: false }]]);
  for (let i = index + 1; i < calls.length; i++) {
    const call = calls[i];
    const last = having.get(call?.before ?? i - 1);
    if (call === undefined || last === undefined || call.isFirst) continue;
    if (call.contextTokens === 0) {
      having.set(i, last);
      continue;
    }
    const share = last.hasEntered ? last.share * call.survives : last.share;
    if (isCounted(i)) worth += share * (last.hasEntered ? call.held : call.entry);
    having.set(i, { share, hasEntered: true });
  }
  return worth;
}

/** What one token of the starting prompt cost, over all counted calls. */
export function prefixWorth(calls: readonly PricedCall[], isCounted: (index: number) => boolean = () => true): number {
  return calls.reduce((sum, { prefix }, index) => sum + (isCounted(index) ? prefix : 0), 0);
}
