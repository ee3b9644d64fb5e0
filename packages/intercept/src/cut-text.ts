// One cut that may be shown: pruned, worth it after its markers, and stored before anybody sees it. It
// never throws: whatever goes wrong is a reason to show the text as it is.
import {
  estimateTokens,
  type Grammars,
  type Pruned,
  prune,
  renderPruned,
  type SourceKind,
  shortMarker,
} from "@jeeves/prune";
import type { RecoveryStore, TextSource } from "@jeeves/state";
import { toCutRecord } from "./cut-record.ts";
import { isNoGain } from "./gates.ts";
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
    }
  | { readonly kind: "raw"; readonly reason: "no_gain" | "no_focus" }
  | { readonly kind: "raw"; readonly reason: "engine_error" | "store_unavailable"; readonly cause: unknown };

export async function cutText(request: CutRequest, deps: CutDeps): Promise<CutOutcome> {
  const { signal } = request;
  const { maxCutMs = MAX_CUT_MS } = deps;
  const deadline = performance.now() + maxCutMs;
  // No event reaches this thread while the engine works: not the signal's either, but the clock goes on.
  const shouldStop = () => signal.aborted || performance.now() > deadline;
  let pruned: Pruned;
  try {
    pruned = keepHead(await pruneIt(request, await deps.loadGrammars(), shouldStop), request.headLines ?? 0);
    if (pruned.status === "stopped" && !signal.aborted) throw new Error(`a cut may take ${maxCutMs} ms`);
  } catch (cause) {
    return { kind: "raw", reason: "engine_error", cause };
  }
  if (request.onlyLogs === true && pruned.kind !== "logs") return { kind: "raw", reason: "no_focus" };
  const kept = renderPruned(request.text, pruned, { marker: shortMarker });
  // Where no line is left, one endless line, say, nothing was answered, and the whole would be asked for at once.
  if (pruned.status !== "pruned" || !pruned.kept.some((why) => why !== 0)) return { kind: "raw", reason: "no_gain" };
  const rawTokens = estimateTokens(request.text);
  if (isNoGain(rawTokens, estimateTokens(kept))) return { kind: "raw", reason: "no_gain" };
  try {
    const { pruneId } = await deps.store.put({
      text: request.text,
      focus: request.focus,
      options: request.options(pruned.kind),
      source: request.source,
      ...(request.project === undefined ? {} : { project: request.project }),
      cut: toCutRecord(pruned),
    });
    return { kind: "cut", pruned, kept, pruneId, rawTokens };
  } catch (cause) {
    return { kind: "raw", reason: "store_unavailable", cause };
  }
}

async function pruneIt(request: CutRequest, grammars: Grammars, shouldStop: () => boolean): Promise<Pruned> {
  const { text, focus, kind, path, barriers, maxChars, generosity } = request;
  return prune(text, {
    focus,
    amount: {
      mode: "auto",
      ...(maxChars === undefined ? {} : { maxChars }),
      ...(generosity === undefined ? {} : { generosity }),
    },
    grammars,
    shouldStop,
    ...(kind === undefined ? {} : { kind }),
    ...(path === undefined ? {} : { path }),
    ...(barriers === undefined ? {} : { barriers }),
  });
}
