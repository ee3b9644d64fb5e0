// `prune` and `scoreLines` for callers outside of this package. The engine is large, many processes never cut, and
// start-up is felt in every session: its code loads with the first text.
import type { PruneOptions } from "./prune.ts";
import type { Pruned } from "./pruned.ts";
import type { ScoredLines, ScoreLinesOptions } from "./score-lines.ts";
import type { LineTable } from "./text/lines.ts";

/** Decides which lines of a text to keep for a question; `Pruned.kept` has the reason for each one. */
export async function prune(whole: string | LineTable, options: PruneOptions): Promise<Pruned> {
  const engine = await import("./prune.ts");
  return engine.prune(whole, options);
}

/** Scores every line of a text for a question and drops nothing. */
export async function scoreLines(text: string, options: ScoreLinesOptions): Promise<ScoredLines> {
  const engine = await import("./score-lines.ts");
  return engine.scoreLines(text, options);
}
