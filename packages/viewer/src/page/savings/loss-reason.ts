// Why the net of a period is below zero, by the largest of its costs.
import type { SavingsSums } from "../../wire.ts";

/** One sentence that names what cost most. */
export function lossReason({ visible, back, surface }: Pick<SavingsSums, "visible" | "back" | "surface">): string {
  if (surface > back && surface > visible)
    return "A loss: our own tools in every prompt cost more than the cuts saved.";
  if (visible > back) return "A loss: failures and answers that were made visible cost more than the cuts saved.";
  return "A loss: what was asked for again cost more than what was left out. jeeves shadow counts without cutting.";
}
