// The engine in the caller's own thread, which it blocks between two of its polls.
import { type Grammars, type LineTable, type Pruned, prune } from "@jeeves/prune";
import type { Engine, EngineFailure, EngineOptions } from "./engine.ts";

/** An engine in this thread; it blocks the event loop while it works on a text. */
export function createInProcessEngine(): Engine {
  return {
    prune(table, { signal, timeoutMs, ...options }) {
      const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
      // No event reaches this thread while the engine works, not even the signal's, but the clock goes on.
      return pruneHere(table, options, () => signal.aborted || performance.now() > deadline);
    },
  };
}

/** One run of the engine in this thread; `isUnwanted` is asked between its steps. */
export async function pruneHere(
  whole: string | LineTable,
  options: EngineOptions,
  isUnwanted: () => boolean,
): Promise<Pruned | EngineFailure> {
  let pruned: Pruned;
  try {
    pruned = await prune(whole, { ...options, grammars: lazyGrammars, shouldStop: isUnwanted });
  } catch (cause) {
    return { failed: "engine_error", cause };
  }
  // The engine polls between its steps; the last one may have taken too long.
  if (pruned.status === "stopped" || isUnwanted()) return { failed: "timeout" };
  if (pruned.note === "engine_error") return { failed: "engine_error", cause: "the engine failed on this text" };
  return pruned;
}

/** Loads the grammar of every language that has one; `missing` are the languages whose grammar cannot be loaded. */
export async function loadAllGrammars(): Promise<{ readonly all: readonly string[]; readonly missing: string[] }> {
  const { GRAMMAR_LANGUAGES: all } = await import("@jeeves/prune/grammars");
  const missing: string[] = [];
  for (const language of all) if ((await lazyGrammars.load(language)) === undefined) missing.push(language);
  return { all, missing };
}

let loaded: Promise<Grammars> | undefined;

/** The parser is large and most texts are not code: it loads with the first language that is asked for. */
const lazyGrammars: Grammars = {
  async load(language) {
    loaded ??= import("@jeeves/prune/grammars").then((found) => found.createTreeSitterGrammars());
    return (await loaded).load(language);
  },
};
