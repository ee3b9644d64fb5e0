// A cut for the page's "Try it": in a thread of its own, because other pages and servers live in this process. Nothing is
// stored or counted: the page has the text, and no agent reads the answer.
import { type CutResult, createCutter, createEnginePool, type Engine, orderPolicy, toCutRecord } from "@jeeves/cut";
import type { PrunerSource, TryCut } from "@jeeves/viewer";
import { toRuns } from "./blocks.ts";

const NOTES: Readonly<Record<string, string>> = {
  timeout: "A cut of this text takes too much work: everything is shown.",
  constraints_unmet: "Nothing may be left out here: everything is shown.",
  input_too_large: "This text is too long to be cut: everything is shown.",
};
const FAILED = "The engine failed on this text: everything is shown.";

/** `engine`: default: a pool of threads, which start with the first cut. */
export function createTryPruner(env: NodeJS.ProcessEnv, engine: Engine = createEnginePool()): PrunerSource {
  const cutter = createCutter({ engine, env });
  return {
    async cut({ text, focus, keep, name }, { signal }) {
      const result = await cutter.cut({
        text,
        focus,
        policy: orderPolicy,
        // The page shows its own text, by lines.
        wholeLines: true,
        caller: { session: "", client: "", tool: "try", dir: "", by: "person" },
        args: undefined,
        amount: keep === undefined ? { mode: "auto" } : { mode: "share", keep, isLeast: true },
        ...(name === undefined || name === "" ? {} : { path: name }),
        source: {},
        idOptions: () => null,
        signal,
      });
      return { ...toTryCut(result), durationMs: result.ms };
    },
  };
}

function toTryCut(result: CutResult): Omit<TryCut, "durationMs"> {
  if (result.kind === "whole") {
    const { lineCount = 0, rawTokens = 0, reason } = result;
    const sizes = { lineCount, rawTokens, keptTokens: rawTokens };
    return { kind: "text", match: "none", ...sizes, blocks: [], why: [], note: NOTES[reason] ?? FAILED };
  }
  const { pruned, rawTokens, keptTokens, list = "" } = result;
  return {
    kind: pruned.kind,
    ...(pruned.language === undefined ? {} : { language: pruned.language }),
    match: pruned.match,
    lineCount: pruned.lineCount,
    rawTokens,
    keptTokens,
    ...toRuns(toCutRecord(pruned)),
    ...(list === "" ? {} : { list }),
  };
}
