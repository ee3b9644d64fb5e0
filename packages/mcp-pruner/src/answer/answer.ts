// From a tool's raw output to what the model sees: J-57's checks in their order, then X-03's choice of engine. A text that
// is not pruned is cut to what its client displays.
import { readMode } from "@jeeves/cut";
import { DEFAULT_PRUNER_URL } from "../pruner.ts";
import { type Answer, cutOutput, type OutputCall, type RawOutput, toCutRequest } from "./cut-output.ts";
import { byteLength, fellBack, type PruningMetadata, type PruningReason, skipped } from "./pruning.ts";
import { createRemotePruner, type RemotePrunerDeps } from "./remote-pruner.ts";

/** at the default address no larger text is sent; the embedded engine has no limit. */
const DEFAULT_ADDRESS_MAX_BYTES = 262_144;

/** Turns raw outputs into answers. */
export interface Answerer {
  /** the tool has run, so its output is shown whatever fails here. Rejects only for a call that was aborted. */
  answerTo(output: RawOutput, call: OutputCall): Promise<Answer>;
  /** about a tool error that left no output. */
  withoutOutput(question: string | undefined): PruningMetadata;
}

/** The answerer on these settings: it asks the embedded engine, a remote pruner, or none. */
export function createAnswerer(deps: RemotePrunerDeps & { readonly env: NodeJS.ProcessEnv }): Answerer {
  const { config, cutter } = deps;
  const remote = createRemotePruner(deps);
  const sizeLimit = config.JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES;
  const isOff = config.PRUNER_ENGINE !== "embedded" && config.PRUNER_URL === "";
  // An address that the user chose is always asked; on the default one any user of the machine may listen.
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

  async function pruneOutput(output: RawOutput, call: OutputCall): Promise<Answer> {
    const rawBytes = byteLength(output.code);
    const raw = (reason: PruningReason): Answer => ({ pruning: skipped(reason, rawBytes) });
    if (!output.isToolError) call.advance("req:prune_check");
    const reason = reasonToSkip(output.question, output.text);
    if (reason !== undefined) return raw(reason);
    const mode = await readMode(deps.env, { session: deps.sessions.idOf(call), project: deps.project });
    if (mode === "off") return raw("disabled_or_unconfigured");
    // what would have gone is recorded by the pipeline, which a remote pruner knows nothing of.
    if (mode === "shadow") return cutOutput(output, call, deps);
    if (isRemote) {
      if (output.isToolError) return raw("disabled_or_unconfigured");
      if (sizeLimit !== undefined && rawBytes > sizeLimit) return raw("too_large");
      return remote.pruneOutput(output, call);
    }
    return (await isDefaultPrunerFit(output)) ? remote.pruneOutput(output, call) : cutOutput(output, call, deps);
  }

  return {
    async answerTo(output, call) {
      const answer = await pruneOutput(output, call).catch((error: unknown) => afterFailure(output, call, error));
      if (answer.pruning.applied) return answer;
      const page = await cutter.fit(toCutRequest(output, call, deps));
      if (page === undefined) return answer;
      return { ...answer, shown: page, isCutToClient: true, pruning: { ...answer.pruning, prune_id: page.pruneId } };
    },
    withoutOutput: (question) => skipped(reasonToSkip(question, "") ?? "output_empty", 0),
  };
}

/** The output unpruned, with an event; an abort is thrown on. */
function afterFailure({ tool, code }: RawOutput, call: OutputCall, error: unknown): Answer {
  if (call.signal.aborted) throw error;
  const message = error instanceof Error ? error.message : String(error);
  call.events.emit("warn", "pruner.call_failed", { tool, reason: "engine_error", message });
  return { pruning: fellBack(byteLength(code), { reason: "engine_error" }) };
}
