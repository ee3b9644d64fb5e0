// One raw output on its way to the model: pruned or not, cut to what its client displays, with the last line that tells
// the way to the rest. The tools differ only in how they get their text and how they lay it out.
import {
  cutMatches,
  FAILURE_SHARE,
  fitToClient,
  RESERVED_CHARS,
  recoveryLine,
  type Shown,
  selectInOrder,
  showPruned,
  showWhole,
  type TextToShow,
  withList,
} from "@jeeves/intercept";
import type { RecoveryStore } from "@jeeves/state";
import type { OutputPruner } from "./prune-output.ts";
import { byteLength, fellBack, type PruningMetadata } from "./pruning.ts";
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
  /** less is shown than was found or kept, because the client shows no more. */
  readonly isCutToClient?: boolean;
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
  const outcome = await pruneOrLeave(output, call, deps.pruner);
  if (outcome.kind === "remote") return toRemoteAnswer(outcome);
  const maxChars = call.maxResultChars;
  const { shown, isCutToClient } = await shortened(output, outcome, { maxChars, pruner: deps.pruner });
  const aside = outcome.kind === "raw" && outcome.aside !== undefined ? { aside: outcome.aside } : {};
  if (shown === undefined) return { ...showWhole(output), ...aside, pruning: outcome.pruning, mode: "raw" };
  const pruneId = outcome.kind === "embedded" ? outcome.pruneId : await storePage(output, deps);
  // Not stored, so not cut: the client's own cut is then the lesser evil.
  if (pruneId === undefined) return { ...showWhole(output), ...aside, pruning: outcome.pruning, mode: "raw" };
  const isWeak = outcome.kind === "embedded" && outcome.pruned.match !== "clear";
  return {
    parts: shown.parts,
    isShown: shown.isShown,
    ...aside,
    lastLine: recoveryLine({ pruneId, isWholeFile: output.isWholeFile === true, isWeak }),
    isCutToClient,
    pruning:
      outcome.kind === "embedded"
        ? { ...outcome.pruning, pruned_bytes: prunedBytesOf(output, shown) }
        : { ...outcome.pruning, prune_id: pruneId },
    mode: outcome.kind === "embedded" ? "pruned" : "raw",
  };
}

/** the tool has run, so its output leaves, whatever fails here. */
async function pruneOrLeave(output: RawOutput, call: PruneCall, pruner: OutputPruner): Promise<PruneOutcome> {
  try {
    return await pruner.pruneOutput(output, call);
  } catch (error) {
    if (call.signal.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    call.events.emit("warn", "pruner.call_failed", { tool: output.tool, reason: "engine_error", message });
    return { kind: "raw", pruning: fellBack(byteLength(output.code), { reason: "engine_error" }) };
  }
}

/** What is left of a text that was pruned, or that its client could not display whole; undefined to show it as it is. */
async function shortened(
  output: RawOutput & TextToShow,
  outcome: Exclude<PruneOutcome, { kind: "remote" }>,
  { maxChars, pruner }: { readonly maxChars: number | undefined; readonly pruner: OutputPruner },
): Promise<{ readonly shown: Shown | undefined; readonly isCutToClient: boolean }> {
  const keepsTail = output.tool === "bash";
  if (outcome.kind === "embedded") {
    const { pruned, list } = outcome;
    if (list !== undefined) return { shown: withListBehind(showPruned(output, pruned), list), isCutToClient: false };
    const fitted = fitToClient(output, pruned, { maxChars, keepsTail });
    return { shown: fitted ?? showPruned(output, pruned), isCutToClient: fitted !== undefined };
  }
  if (maxChars === undefined || output.text.length <= maxChars - RESERVED_CHARS)
    return { shown: undefined, isCutToClient: false };
  const failures = await pruner.failuresIn(output, Math.floor(maxChars * FAILURE_SHARE));
  const shown =
    (await pageOfMatches(output, maxChars)) ?? fitToClient(output, undefined, { maxChars, keepsTail, failures });
  return { shown, isCutToClient: shown !== undefined };
}

/** of a search that its client could not display whole, the first matches and a list of the others. */
async function pageOfMatches(output: RawOutput & TextToShow, maxChars: number | undefined): Promise<Shown | undefined> {
  const { search, text } = output;
  if (search === undefined || maxChars === undefined) return undefined;
  const cut = await cutMatches(search.lines, {
    select: (chars) => selectInOrder(search.lines, chars),
    keepChars: maxChars,
    maxChars: maxChars - RESERVED_CHARS,
    isWorth: (shown) => shown.length < text.length,
  });
  return cut === undefined ? undefined : withListBehind(showPruned(output, cut.pruned), cut.list);
}

/** The list belongs to the first part: a command's matches are on stdout. */
function withListBehind(shown: Shown, list: string): Shown {
  const [first = "", ...others] = shown.parts;
  return { ...shown, parts: [withList(first, list), ...others] };
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
