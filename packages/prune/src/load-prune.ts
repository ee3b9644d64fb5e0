// `prune` for callers outside of this package. The engine is large, many processes never cut, and start-up is felt in
// every session: its code loads with the first text.
import type { PruneOptions } from "./prune.ts";
import type { Pruned } from "./pruned.ts";
import type { LineTable } from "./text/lines.ts";

/** Decides which lines of a text to keep for a question; `Pruned.kept` says why each one stays. */
export async function prune(whole: string | LineTable, options: PruneOptions): Promise<Pruned> {
  const engine = await import("./prune.ts");
  return engine.prune(whole, options);
}
