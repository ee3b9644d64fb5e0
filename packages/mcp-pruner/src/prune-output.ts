// Whether a raw output is pruned, and by whom: J-57's checks in their order, then X-03's choice of engine.
import { createEmbeddedPruner, type EmbeddedPrunerDeps } from "./embedded-pruner.ts";
import { DEFAULT_PRUNER_URL } from "./pruner.ts";
import { byteLength, type PruningMetadata, type PruningReason, skipped } from "./pruning.ts";
import type { PruneCall, PruneOutcome, RawOutput } from "./raw-output.ts";
import { createRemotePruner } from "./remote-pruner.ts";

/** at the default address no larger text is sent; the embedded engine has no limit. */
const DEFAULT_ADDRESS_MAX_BYTES = 262_144;

export function createOutputPruner(deps: EmbeddedPrunerDeps) {
  const { config } = deps;
  const remote = createRemotePruner(deps);
  const embedded = createEmbeddedPruner(deps);
  const sizeLimit = config.JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES;
  const isOff = config.PRUNER_ENGINE !== "embedded" && config.PRUNER_URL === "";
  // An address that the user chose is asked as J says; on the default one any user of the machine may listen.
  const isRemote =
    config.PRUNER_ENGINE === "remote" || (config.PRUNER_ENGINE === "auto" && config.PRUNER_URL !== DEFAULT_PRUNER_URL);

  function reasonToSkip(question: string | undefined, text: string): PruningReason | undefined {
    if (question === undefined) return "no_focus_question";
    if (isOff) return "disabled_or_unconfigured";
    return text === "" ? "output_empty" : undefined;
  }

  async function isDefaultPrunerFit(output: RawOutput): Promise<boolean> {
    if (config.PRUNER_ENGINE !== "auto" || output.isToolError) return false;
    return byteLength(output.code) <= (sizeLimit ?? DEFAULT_ADDRESS_MAX_BYTES) && (await remote.isOwnAndUp());
  }

  async function pruneOutput(output: RawOutput, call: PruneCall): Promise<PruneOutcome> {
    const raw = (reason: PruningReason): PruneOutcome => ({
      kind: "raw",
      pruning: skipped(reason, byteLength(output.code)),
    });
    if (!output.isToolError) call.advance("req:prune_check");
    const reason = reasonToSkip(output.question, output.text);
    if (output.question === undefined || reason !== undefined) return raw(reason ?? "no_focus_question");
    if (isRemote) {
      if (output.isToolError) return raw("disabled_or_unconfigured");
      if (sizeLimit !== undefined && byteLength(output.code) > sizeLimit) return raw("too_large");
      return remote.pruneOutput(output, output.question, call);
    }
    const engine = (await isDefaultPrunerFit(output)) ? remote : embedded;
    return engine.pruneOutput(output, output.question, call);
  }

  /** a tool error that left no output. */
  function withoutOutput(question: string | undefined): PruningMetadata {
    return skipped(reasonToSkip(question, "") ?? "output_empty", 0);
  }

  return { pruneOutput, withoutOutput, failuresIn: embedded.failuresIn };
}

export type OutputPruner = ReturnType<typeof createOutputPruner>;
