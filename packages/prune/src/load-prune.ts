// `prune` and `scoreLines` for callers outside of this package. The engine is large and many processes never cut, so its
// code loads with the first text.
import type { PruneOptions } from "./prune.ts";
import type { Pruned } from "./pruned.ts";
import type { ScoredLines, ScoreLinesOptions } from "./score-lines.ts";
import type { LineTable } from "./text/lines.ts";

/**
 * Decides which lines of a text to keep for a question. The result names the kept lines and the blocks that were left out;
 * renderPruned makes a text of it. A `path` is only a hint and never opened.
 *
 * Rejects with a TypeError for wrong arguments. Any other failure leaves the text whole, with the reason in `note`. The same
 * text and options always give the same result. For a second question about a text, what is known of the text alone is
 * remembered (up to 8 MiB in a thread).
 */
export async function prune(whole: string | LineTable, options: PruneOptions): Promise<Pruned> {
  const engine = await import("./prune.ts");
  return engine.prune(whole, options);
}

/**
 * Scores every line of a text for a question and drops nothing, for callers that choose among several texts. Rejects with an
 * AbortError where `shouldStop` returns true.
 */
export async function scoreLines(text: string, options: ScoreLinesOptions): Promise<ScoredLines> {
  const engine = await import("./score-lines.ts");
  return engine.scoreLines(text, options);
}
