// A cut for the page's "Try it": the engine and nothing else. Nothing is stored, because the page has the text.

import { toCutRecord } from "@jeeves/intercept";
import { estimateTokens, type Grammars, prune, renderPruned, shortMarker, splitLines } from "@jeeves/prune";
import type { PrunerSource } from "@jeeves/viewer";

const TIMEOUT_MS = 20_000;

export function createTryPruner(): PrunerSource {
  let grammars: Promise<Grammars> | undefined;
  const loadGrammars = () => {
    // Grammars are large: they load with the first cut.
    grammars ??= import("@jeeves/prune/grammars").then(({ createTreeSitterGrammars }) => createTreeSitterGrammars());
    return grammars;
  };
  return {
    async cut({ text, focus, keep, name }, { signal }) {
      const loaded = await loadGrammars();
      const from = performance.now();
      const pruned = await prune(text, {
        focus,
        amount: keep === undefined ? { mode: "auto" } : { mode: "share", keep },
        grammars: loaded,
        shouldStop: () => signal.aborted || performance.now() - from > TIMEOUT_MS,
        ...(name === undefined || name === "" ? {} : { path: name }),
      });
      const durationMs = Math.round(performance.now() - from);
      const { blocks, why } = toCutRecord(pruned);
      const kept = renderPruned(text, pruned, { marker: shortMarker });
      return {
        kind: pruned.kind,
        ...(pruned.language === undefined ? {} : { language: pruned.language }),
        match: pruned.match,
        lineCount: splitLines(text).count,
        rawTokens: estimateTokens(text),
        keptTokens: estimateTokens(kept),
        blocks: blocks.map(([first, last, label]) => ({ from: first, to: last, ...(label === "" ? {} : { label }) })),
        why: why.map(([first, last, reason]) => ({ from: first, to: last, why: reason })),
        durationMs,
      };
    },
  };
}
