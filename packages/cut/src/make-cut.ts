// From a text to the lines that may be shown of it: the engine's choice, or for a list of matches the best of them with
// the places of all others. Nothing is stored or counted here.
import { type Amount, type LineTable, type Pruned, parseMatchLines } from "@jeeves/prune";
import type { EngineFailure } from "./engine/engine.ts";
import type { CutWay } from "./meter/meter.ts";
import type { MatchCut } from "./search/cut-matches.ts";
import { keepBestMatches, keepFirstMatches } from "./search/keep-matches.ts";
import type { Search } from "./search/read-search.ts";

export interface CutPlan {
  readonly table: LineTable;
  /** Do as told with this amount; undefined: the engine decides, within `maxChars`. */
  readonly order?: Amount | undefined;
  /** Room for the kept text and its markers. */
  readonly maxChars?: number | undefined;
  readonly barriers?: readonly number[] | undefined;
  readonly search?: Search | undefined;
  /** Without a focus only the rules for logs can tell what matters. */
  readonly onlyLogs: boolean;
  /** Whether a shown text is short enough. */
  readonly isWorth: (tokens: number) => boolean;
}

/** The lines that may be shown. */
export interface MadeCut {
  readonly pruned: Pruned;
  /** Default: as much as the engine finds useful. */
  readonly way?: CutWay;
  /** How likely something of it is asked for again, where the policy knows. */
  readonly risk?: number;
  /** lines of failures or of a clear match that the client would not have shown. */
  readonly madeVisible?: number;
  /** Of a list of matches: what stands behind the kept lines, what that lists, and the whole rendered text. */
  readonly matches?: Pick<MatchCut, "list" | "others" | "text">;
}

export type NoCut = { readonly reason: "no_gain" | "no_focus" | "constraints_unmet" } | EngineFailure;

type Run = (amount: Amount) => Promise<Pruned | EngineFailure>;

const NO_GAIN = { reason: "no_gain" } as const;

/** Ends a choice of matches at once where the engine fails in the middle of it. */
class EngineFailed extends Error {
  readonly failure: EngineFailure;
  constructor(failure: EngineFailure) {
    super(failure.failed);
    this.failure = failure;
  }
}

/** Runs the engine as often as it takes; never rejects. */
export async function makeCut(plan: CutPlan, run: Run): Promise<MadeCut | NoCut> {
  const prune = async (amount: Amount): Promise<Pruned> => {
    const pruned = await run(amount);
    if ("failed" in pruned) throw new EngineFailed(pruned);
    return pruned;
  };
  try {
    return plan.order === undefined ? await cutFreely(plan, prune) : await obey(plan.order, prune);
  } catch (cause) {
    return cause instanceof EngineFailed ? cause.failure : { failed: "engine_error", cause };
  }
}

async function obey(amount: Amount, prune: (amount: Amount) => Promise<Pruned>): Promise<MadeCut | NoCut> {
  const pruned = await prune(amount);
  return pruned.note === "constraints_unmet" ? { reason: "constraints_unmet" } : { pruned };
}

async function cutFreely(plan: CutPlan, prune: (amount: Amount) => Promise<Pruned>): Promise<MadeCut | NoCut> {
  const { table, search, maxChars = Number.POSITIVE_INFINITY } = plan;
  const request = toMatchRequest(plan);
  if (search?.asksForAll === true) return ofMatches(await keepFirstMatches(request, search.lines));
  const amount = autoAmount(plan);
  const pruned = await prune(amount);
  if (plan.onlyLogs && pruned.kind !== "logs") return { reason: "no_focus" };
  // Where no line is left, of one endless line, say, nothing is answered and the whole would be asked for at once.
  if (pruned.status !== "pruned" || !pruned.kept.some((why) => why !== 0)) {
    // A client that cannot show all matches would leave some out without naming them.
    const isTooLong = search !== undefined && table.text.length > maxChars;
    if (isTooLong) return ofMatches(await keepFirstMatches(request, search.lines));
    return search === undefined ? { pruned } : NO_GAIN;
  }
  const isSearch = pruned.kind === "matches";
  const lines = search?.lines ?? (isSearch ? parseMatchLines(table.text) : undefined);
  if (lines !== undefined) return ofMatches(await keepBestMatches(request, { lines, pruned, amount, run: prune }));
  // Matches that cannot be named are not left out.
  return isSearch ? NO_GAIN : { pruned };
}

function ofMatches(cut: MatchCut | undefined): MadeCut | NoCut {
  return cut === undefined ? NO_GAIN : { pruned: cut.pruned, matches: cut };
}

function toMatchRequest({ table, maxChars, barriers, isWorth }: CutPlan) {
  return {
    text: table.text,
    isWorth,
    ...(maxChars === undefined ? {} : { maxChars }),
    ...(barriers === undefined ? {} : { barriers }),
  };
}

function autoAmount({ maxChars }: CutPlan): Extract<Amount, { mode: "auto" }> {
  return { mode: "auto", ...(maxChars === undefined ? {} : { maxChars }) };
}
