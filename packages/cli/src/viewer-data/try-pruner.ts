// A cut for the page's "Try it": the engine and nothing else, in a thread of its own, because other pages and servers live
// in this process. Nothing is stored: the page has the text.
import { toCutRecord } from "@jeeves/intercept";
import { countLines, estimateTokens, type Pruned, renderPruned, shortMarker } from "@jeeves/prune";
import { type Cut, createEnginePool, type Engine } from "@jeeves/pruner-service";
import type { PrunerSource, TryCut } from "@jeeves/viewer";

const TIMEOUT_MS = 20_000;

const NOTES: Readonly<Record<Extract<Cut, { kind: "whole" }>["why"], string>> = {
  timeout: `No cut within ${TIMEOUT_MS / 1000} s: everything is shown.`,
  constraints_unmet: "Nothing may be left out here: everything is shown.",
  internal_error: "The engine failed on this text: everything is shown.",
  input_too_large: "This text is too long to be cut: everything is shown.",
};

/** `engine`: for those who cannot have threads. */
export function createTryPruner(engine?: Engine): PrunerSource {
  let made = engine;
  return {
    async cut({ text, focus, keep, name }, { signal }) {
      made ??= createEnginePool();
      const from = performance.now();
      const cut = await made.cut(text, {
        focus,
        amount: keep === undefined ? { mode: "auto" } : { mode: "share", keep },
        timeoutMs: TIMEOUT_MS,
        signal,
        ...(name === undefined || name === "" ? {} : { path: name }),
      });
      const durationMs = Math.round(performance.now() - from);
      return { ...(cut.kind === "cut" ? ofPruned(text, cut.pruned) : ofWhole(text, NOTES[cut.why])), durationMs };
    },
  };
}

function ofPruned(text: string, pruned: Pruned): Omit<TryCut, "durationMs"> {
  const { blocks, why } = toCutRecord(pruned);
  return {
    kind: pruned.kind,
    ...(pruned.language === undefined ? {} : { language: pruned.language }),
    match: pruned.match,
    lineCount: pruned.lineCount,
    rawTokens: estimateTokens(text),
    keptTokens: estimateTokens(renderPruned(text, pruned, { marker: shortMarker })),
    blocks: blocks.map(([first, last, label]) => ({ from: first, to: last, ...(label === "" ? {} : { label }) })),
    why: why.map(([first, last, reason]) => ({ from: first, to: last, why: reason })),
  };
}

function ofWhole(text: string, note: string): Omit<TryCut, "durationMs"> {
  const tokens = estimateTokens(text);
  const lineCount = countLines(text);
  return { kind: "text", match: "none", lineCount, rawTokens: tokens, keptTokens: tokens, blocks: [], why: [], note };
}
