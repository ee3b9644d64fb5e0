// One raw output on its way to the model: pruned or not, cut to what its client displays, with the last line that tells
// the way to the rest. The tools differ only in how they get their text and how they lay it out.
import { fitToClient, recoveryLine, type Shown, showPruned, showWhole, type TextToShow } from "@jeeves/intercept";
import type { RecoveryStore } from "@jeeves/state";
import { withoutLongMatches } from "./long-matches.ts";
import type { OutputPruner } from "./prune-output.ts";
import { byteLength, type PruningMetadata } from "./pruning.ts";
import type { PruneCall, PruneOutcome, RawOutput } from "./raw-output.ts";

export interface Answer {
  /** What is shown of each part of the text (bash: stdout and stderr). */
  readonly parts: readonly string[];
  readonly isShown: (lineIndex: number) => boolean;
  /** What a remote pruner returned, to be applied untouched. */
  readonly remoteText?: string;
  /** Goes below the text. */
  readonly lastLine?: string;
  /** Goes into a second item of `content`, where the text itself must stay untouched. */
  readonly aside?: string;
  readonly pruning: PruningMetadata;
  readonly mode: "raw" | "pruned";
}

export interface AnswerDeps {
  readonly pruner: OutputPruner;
  readonly store: RecoveryStore;
  /** The project of this server's root. */
  readonly project: string;
}

export async function answerTo(output: RawOutput & TextToShow, call: PruneCall, deps: AnswerDeps): Promise<Answer> {
  const outcome = await deps.pruner.pruneOutput(output, call);
  if (outcome.kind === "remote") return toRemoteAnswer(outcome);
  const pruned = outcome.kind === "embedded" ? outcome.pruned : undefined;
  const maxChars = call.maxResultChars;
  const cut = pruned ?? (output.tool === "grep" ? withoutLongMatches(output.text, { maxChars }) : undefined);
  const fitted = fitToClient(output, cut, { maxChars, keepsTail: output.tool === "bash" });
  const aside = outcome.kind === "raw" && outcome.aside !== undefined ? { aside: outcome.aside } : {};
  if (cut === undefined && fitted === undefined) {
    return { ...showWhole(output), ...aside, pruning: outcome.pruning, mode: "raw" };
  }
  const shown = fitted ?? (cut === undefined ? showWhole(output) : showPruned(output, cut));
  const pruneId = outcome.kind === "embedded" ? outcome.pruneId : await storePage(output, deps);
  // Not stored, so not cut: the client's own cut is then the lesser evil.
  if (pruneId === undefined) return { ...showWhole(output), ...aside, pruning: outcome.pruning, mode: "raw" };
  const isWeak = pruned !== undefined && pruned.match !== "clear";
  return {
    parts: shown.parts,
    isShown: shown.isShown,
    ...aside,
    lastLine: recoveryLine({ pruneId, isWholeFile: output.isWholeFile === true, isWeak }),
    pruning:
      outcome.kind === "embedded"
        ? { ...outcome.pruning, pruned_bytes: prunedBytesOf(output, shown) }
        : outcome.pruning,
    mode: outcome.kind === "embedded" ? "pruned" : "raw",
  };
}

function toRemoteAnswer(outcome: Extract<PruneOutcome, { kind: "remote" }>): Answer {
  const { pruneId } = outcome;
  return {
    parts: [outcome.text],
    isShown: () => true,
    remoteText: outcome.text,
    ...(pruneId === undefined ? {} : { aside: recoveryLine({ pruneId, isWholeFile: false, isWeak: false }) }),
    pruning: outcome.pruning,
    mode: "pruned",
  };
}

async function storePage(output: RawOutput, { store, project }: AnswerDeps): Promise<string | undefined> {
  try {
    const options = { tool: output.tool, page: true };
    const { text, question: focus = "", source } = output;
    return (await store.put({ text, focus, options, source, project })).pruneId;
  } catch {
    return undefined;
  }
}

/** measured on the same field as `raw_bytes`: the first part that is not empty. */
function prunedBytesOf(output: TextToShow, shown: Shown): number {
  const index = output.parts.findIndex((part) => part !== "");
  return byteLength(shown.parts[Math.max(0, index)] ?? "");
}

/** `text` with `line` below it, on a line of its own. */
export function withLastLine(text: string, line: string | undefined): string {
  if (line === undefined) return text;
  return text === "" || text.endsWith("\n") ? `${text}${line}` : `${text}\n${line}`;
}
