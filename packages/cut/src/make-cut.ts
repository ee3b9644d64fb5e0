// From a text to the lines that may be shown of it: the engine's choice, or for a list of matches the best of them with
// the places of all others. Nothing is stored or counted here.
import { type Amount, type LineTable, type MatchLines, type Pruned, parseMatchLines, WHY } from "@jeeves/prune";
import type { EngineFailure } from "./engine/engine.ts";
import type { CutForm } from "./meter/meter.ts";
import type { MadeVisible } from "./meter/meter-input.ts";
import type { MatchCut } from "./search/cut-matches.ts";
import { keepBestMatches, keepFirstMatches, type MatchRequest } from "./search/keep-matches.ts";
import type { Search } from "./search/read-search.ts";

interface CutPlan {
  readonly table: LineTable;
  /** The amount that the caller asked for; undefined: the engine decides, within `maxChars`. */
  readonly order?: Amount | undefined;
  /** Room for the kept text and its markers. */
  readonly maxChars?: number | undefined;
  /** Room for matches of a search in full; part of `maxChars`. */
  readonly maxFullChars?: number | undefined;
  /** The client would show the whole text, although it is longer than `maxChars`. */
  readonly isShownWhole?: boolean;
  readonly barriers?: readonly number[] | undefined;
  readonly search?: Search | undefined;
  /** Only logs are cut: without a focus only their rules find what matters. */
  readonly onlyLogs: boolean;
  /** Whether a shown text is short enough. */
  readonly isWorth: (tokens: number) => boolean;
}

/** The lines that may be shown. */
export interface MadeCut {
  readonly pruned: Pruned;
  /** Default: as much as the engine finds useful. */
  readonly way?: CutForm;
  /** How likely a part of it is asked for again, where the policy knows. */
  readonly risk?: number;
  readonly madeVisible?: MadeVisible;
  /** the failures of a rerun that are as before, by name; shown above the last line. */
  readonly note?: string;
  /** Of a list of matches: what stands behind the kept lines, what that lists, and the whole rendered text. */
  readonly matches?: Pick<MatchCut, "list" | "others" | "named" | "text">;
}

/** Why there is no cut. */
export type NoCut = { readonly reason: "no_gain" | "no_focus" | "constraints_unmet" } | EngineFailure;

type Run = (amount: Amount) => Promise<Pruned | EngineFailure>;

const NO_GAIN = { reason: "no_gain" } as const;

/** Ends a choice of matches where the engine fails in the middle of it. */
class EngineFailed extends Error {
  readonly failure: EngineFailure;
  constructor(failure: EngineFailure) {
    super(failure.failed);
    this.failure = failure;
  }
}

/** The cut of a plan; `run` is called as often as needed. Never rejects. */
export async function makeCut(plan: CutPlan, run: Run): Promise<MadeCut | NoCut> {
  const prune = async (amount: Amount): Promise<Pruned> => {
    const pruned = await run(amount);
    if ("failed" in pruned) throw new EngineFailed(pruned);
    return pruned;
  };
  try {
    return plan.order === undefined ? await cutFreely(plan, prune) : await cutByOrder(plan, plan.order, prune);
  } catch (cause) {
    return cause instanceof EngineFailed ? cause.failure : { failed: "engine_error", cause };
  }
}

async function cutByOrder(
  plan: CutPlan,
  amount: Amount,
  prune: (amount: Amount) => Promise<Pruned>,
): Promise<MadeCut | NoCut> {
  const { search } = plan;
  // Where the engine chooses how much to keep, no match disappears, as for any other caller.
  if (amount.mode === "auto" && search?.asksForAll === true && search.isMixed !== true)
    return await keepOrdered(plan, (request) => keepFirstMatches(request, search.lines));
  const pruned = await prune(amount);
  if (pruned.note === "constraints_unmet") return { reason: "constraints_unmet" };
  if (amount.mode !== "auto" || pruned.status !== "pruned") return { pruned };
  const lines = matchLinesOf(plan, pruned);
  if (lines === undefined) return { pruned };
  return await keepOrdered(plan, (request) => keepBestMatches(request, { lines, pruned, amount, run: prune }));
}

/** The cut that any other caller would get; where that is the whole text, any shorter one. */
async function keepOrdered(
  plan: CutPlan,
  keep: (request: MatchRequest) => Promise<MatchCut | undefined>,
): Promise<MadeCut> {
  const request = toMatchRequest(plan);
  const cut = (await keep(request)) ?? (await keep({ ...request, isWorth: () => true }));
  return cut === undefined ? { pruned: allOf(plan.table) } : { pruned: cut.pruned, matches: cut };
}

function allOf({ count }: LineTable): Pruned {
  const kept = new Uint8Array(count).fill(WHY.indexOf("fill") + 1);
  return { status: "whole", kind: "matches", lineCount: count, kept, blocks: [], match: "clear", note: "no_gain" };
}

async function cutFreely(plan: CutPlan, prune: (amount: Amount) => Promise<Pruned>): Promise<MadeCut | NoCut> {
  const { table, search, maxChars = Number.POSITIVE_INFINITY } = plan;
  const request = toMatchRequest(plan);
  if (search?.asksForAll === true && search.isMixed !== true)
    return ofMatches(await keepFirstMatches(request, search.lines));
  const amount = autoAmount(plan.maxChars);
  const pruned = await prune(amount);
  if (plan.onlyLogs && pruned.kind !== "logs") return { reason: "no_focus" };
  // Where no line is left, as of one endless line, the cut answers nothing and the whole would be asked for at once.
  if (pruned.status !== "pruned" || !pruned.kept.some((why) => why !== 0)) {
    // A client that cannot show all matches would leave some out without naming them.
    const isTooLong = search !== undefined && table.text.length > maxChars;
    if (isTooLong) return ofMatches(await keepFirstMatches(request, search.lines));
    return search === undefined ? { pruned } : NO_GAIN;
  }
  const lines = matchLinesOf(plan, pruned);
  if (lines !== undefined) return ofMatches(await keepBestMatches(request, { lines, pruned, amount, run: prune }));
  // Matches that cannot be named are not left out.
  return pruned.kind === "matches" ? NO_GAIN : { pruned };
}

/** The matches of a search, or what looks like them to the engine: the findings of a linter. */
function matchLinesOf({ table, search }: CutPlan, { kind }: Pruned): MatchLines | undefined {
  return search?.lines ?? (kind === "matches" ? parseMatchLines(table.text) : undefined);
}

function ofMatches(cut: MatchCut | undefined): MadeCut | NoCut {
  return cut === undefined ? NO_GAIN : { pruned: cut.pruned, matches: cut };
}

function toMatchRequest({ table, order, isWorth, isShownWhole, ...limits }: CutPlan): MatchRequest {
  const { maxChars, maxFullChars, barriers } = limits;
  return {
    ...(isShownWhole === undefined ? {} : { isShownWhole }),
    ...(maxFullChars === undefined ? {} : { maxFullChars }),
    text: table.text,
    ...(order?.mode === "auto" && order.generosity !== undefined ? { generosity: order.generosity } : {}),
    isWorth,
    ...(maxChars === undefined ? {} : { maxChars }),
    ...(barriers === undefined ? {} : { barriers }),
  };
}

/** The amount where the engine decides, within the room. */
export function autoAmount(maxChars: number | undefined): Extract<Amount, { mode: "auto" }> {
  return { mode: "auto", ...(maxChars === undefined ? {} : { maxChars }) };
}
