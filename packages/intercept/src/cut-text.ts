// One cut that may be shown: pruned, worth it after its markers, and stored before anybody sees it. It
// never throws: whatever goes wrong is a reason to show the text as it is.
import {
  type Amount,
  estimateTokens,
  type Grammars,
  type Pruned,
  parseMatchLines,
  prune,
  renderPruned,
  type SourceKind,
  shortMarker,
} from "@jeeves/prune";
import type { RecoveryStore, TextSource } from "@jeeves/state";
import { toCutRecord } from "./cut-record.ts";
import { isNoGain } from "./gates.ts";
import type { MatchCut } from "./search/cut-matches.ts";
import { keepBestMatches, keepFirstMatches } from "./search/keep-matches.ts";
import type { Search } from "./search/read-search.ts";
import { keepHead } from "./shown.ts";

export interface CutDeps {
  readonly store: RecoveryStore;
  /** Grammars are large: they load with the first cut. */
  readonly loadGrammars: () => Promise<Grammars>;
  readonly maxCutMs?: number;
}

/** Whoever reads is waiting: a cut that takes longer than this is worth less than the whole text. */
const MAX_CUT_MS = 10_000;

export interface CutRequest {
  readonly text: string;
  /** "" where nobody said what matters. */
  readonly focus: string;
  readonly kind?: SourceKind;
  readonly path?: string;
  readonly barriers?: readonly number[];
  /** Room for the kept text and its markers. */
  readonly maxChars?: number;
  /** 2 keeps about twice as much. */
  readonly generosity?: number;
  /** Lines at the top that were shown already, and so cannot be dropped. */
  readonly headLines?: number;
  /** the text is a search's output, and was read as such. */
  readonly search?: Search;
  /** Without a focus nothing but the rules for logs can tell what matters. */
  readonly onlyLogs?: boolean;
  /** What else decides the prune id. */
  readonly options: (kind: SourceKind) => unknown;
  readonly source: TextSource;
  /** The project that the text is cut for: its sessions may have it back. */
  readonly project?: string;
  readonly signal: AbortSignal;
}

export type CutOutcome =
  | {
      readonly kind: "cut";
      readonly pruned: Pruned;
      readonly kept: string;
      readonly pruneId: string;
      readonly rawTokens: number;
      /** of a match list, the list of the other matches, with which `kept` ends. */
      readonly list?: string;
    }
  | { readonly kind: "raw"; readonly reason: "no_gain" | "no_focus" }
  | { readonly kind: "raw"; readonly reason: "engine_error" | "store_unavailable"; readonly cause: unknown };

export async function cutText(request: CutRequest, deps: CutDeps): Promise<CutOutcome> {
  const { signal } = request;
  const { maxCutMs = MAX_CUT_MS } = deps;
  const deadline = performance.now() + maxCutMs;
  // No event reaches this thread while the engine works: not the signal's either, but the clock goes on.
  const shouldStop = () => signal.aborted || performance.now() > deadline;
  const run = async (amount: Amount): Promise<Pruned> => {
    const pruned = await pruneIt(request, amount, { grammars: await deps.loadGrammars(), shouldStop });
    if (pruned.status === "stopped" && !signal.aborted) throw new Error(`a cut may take ${maxCutMs} ms`);
    return pruned;
  };
  let cut: Cut | CutOutcome;
  try {
    cut = await makeCut(request, run);
  } catch (cause) {
    return { kind: "raw", reason: "engine_error", cause };
  }
  if ("kind" in cut) return cut;
  try {
    const { pruneId } = await deps.store.put({
      text: request.text,
      focus: request.focus,
      options: request.options(cut.pruned.kind),
      source: request.source,
      ...(request.project === undefined ? {} : { project: request.project }),
      cut: toCutRecord(cut.pruned),
    });
    return { kind: "cut", pruneId, rawTokens: estimateTokens(request.text), ...cut };
  } catch (cause) {
    return { kind: "raw", reason: "store_unavailable", cause };
  }
}

type Cut = Pick<Extract<CutOutcome, { kind: "cut" }>, "pruned" | "kept" | "list">;
type Run = (amount: Amount) => Promise<Pruned>;

const NO_GAIN = { kind: "raw", reason: "no_gain" } as const;

async function makeCut(request: CutRequest, run: Run): Promise<Cut | CutOutcome> {
  const { text, search, headLines, maxChars = Number.POSITIVE_INFINITY } = request;
  if (search?.asksForAll === true) return toOutcome(await keepFirstMatches(request, search.lines));
  const amount = autoAmount(request);
  const pruned = await run(amount);
  if (request.onlyLogs === true && pruned.kind !== "logs") return { kind: "raw", reason: "no_focus" };
  // Where no line is left, one endless line, say, nothing was answered, and the whole would be asked for at once.
  if (pruned.status !== "pruned" || !pruned.kept.some((why) => why !== 0)) {
    // A client that cannot show all matches would leave some out without naming them.
    const isTooLong = search !== undefined && text.length > maxChars;
    return isTooLong ? toOutcome(await keepFirstMatches(request, search.lines)) : NO_GAIN;
  }
  // Of a command, whose first lines are shown already, it is known whether it searches.
  const isOther = pruned.kind === "matches" && headLines === undefined;
  const lines = search?.lines ?? (isOther ? parseMatchLines(text) : undefined);
  if (lines !== undefined) return toOutcome(await keepBestMatches(request, { lines, pruned, amount, run }));
  // Matches that cannot be named are not left out.
  if (isOther) return NO_GAIN;
  const withHead = keepHead(pruned, headLines ?? 0);
  const kept = renderPruned(text, withHead, { marker: shortMarker });
  const isCut = withHead.status === "pruned" && !isNoGain(estimateTokens(text), estimateTokens(kept));
  return isCut ? { pruned: withHead, kept } : NO_GAIN;
}

function toOutcome(cut: MatchCut | undefined): Cut | CutOutcome {
  return cut === undefined ? NO_GAIN : { pruned: cut.pruned, kept: cut.text, list: cut.list };
}

function autoAmount({ maxChars, generosity }: CutRequest): Extract<Amount, { mode: "auto" }> {
  return {
    mode: "auto",
    ...(maxChars === undefined ? {} : { maxChars }),
    ...(generosity === undefined ? {} : { generosity }),
  };
}

async function pruneIt(
  { text, focus, kind, path, barriers }: CutRequest,
  amount: Amount,
  { grammars, shouldStop }: { readonly grammars: Grammars; readonly shouldStop: () => boolean },
): Promise<Pruned> {
  return prune(text, {
    focus,
    amount,
    grammars,
    shouldStop,
    ...(kind === undefined ? {} : { kind }),
    ...(path === undefined ? {} : { path }),
    ...(barriers === undefined ? {} : { barriers }),
  });
}
