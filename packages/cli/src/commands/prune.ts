// `jeeves prune`: the kept lines on stdout, what it cost and the way back on stderr.
import {
  type Block,
  countLines,
  estimateTokens,
  type Pruned,
  renderPruned,
  type SourceKind,
  shortMarker,
  WHY,
} from "@jeeves/prune";
import { StateError } from "@jeeves/state";
import { type Cut, cutText } from "../cut-text.ts";
import { createPaint } from "../paint.ts";
import { readInput } from "../read-input.ts";
import { recordCut } from "../record-call.ts";
import { tellStateFaults } from "../state-faults.ts";

export interface PruneCommandOptions {
  readonly focus: string;
  readonly keep?: number;
  readonly type?: SourceKind;
  readonly lineNumbers?: boolean;
  readonly json?: boolean;
}

/** Why nothing was left out, by the engine's word for it. */
const WHOLE: Readonly<Record<string, string>> = {
  empty: "the text is empty",
  no_match: "nothing in it matches the question",
  no_gain: "the markers would be longer than what they stand for",
  engine_error: "the engine failed on this text",
};

export async function pruneCommand(file: string, options: PruneCommandOptions): Promise<void> {
  tellStateFaults();
  const text = await readInput(file);
  const request = {
    focus: options.focus,
    ...(file === "-" ? {} : { path: file }),
    ...(options.type === undefined ? {} : { kind: options.type }),
    ...(options.keep === undefined ? {} : { keep: options.keep }),
  };
  let cut: Cut;
  const started = performance.now();
  try {
    cut = await cutText(text, request);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    // Nothing may be dropped that could not be brought back.
    process.stderr.write(`jeeves: left whole, because it cannot be stored: ${error.message}\n        ${error.hint}\n`);
    process.stdout.write(options.json === true ? `${JSON.stringify(wholeJson(text))}\n` : text);
    return;
  }
  if (options.json === true) process.stdout.write(`${JSON.stringify(toJson(text, cut))}\n`);
  else print(text, cut, options.lineNumbers === true);
  if (cut.pruned.status !== "pruned") return;
  const kept = renderPruned(text, cut.pruned, { marker: shortMarker });
  const ms = Math.round(performance.now() - started);
  const { pruneId } = cut;
  await recordCut(process.env, { raw: text, kept, pruneId, focus: options.focus, what: file, ms });
}

function print(text: string, { pruned, pruneId }: Cut, lineNumbers: boolean): void {
  const paint = createPaint(process.stdout, process.env);
  const marker = (block: Block) => paint("cyan", shortMarker(block));
  const kept = renderPruned(text, pruned, { marker, lineNumbers });
  process.stdout.write(kept === "" || kept.endsWith("\n") || !process.stdout.isTTY ? kept : `${kept}\n`);
  const note = createPaint(process.stderr, process.env);
  process.stderr.write(`${note("dim", summaryOf(text, pruned, pruneId))}\n`);
}

function summaryOf(text: string, pruned: Pruned, pruneId: string): string {
  if (pruned.status !== "pruned")
    return `jeeves: all ${pruned.lineCount} lines kept: ${WHOLE[pruned.note ?? ""] ?? "nothing to leave out"}`;
  const sizes = sizesOf(text, pruned);
  const weak = pruned.match === "clear" ? "" : `; ${pruned.match === "weak" ? "weak" : "no"} match for the question`;
  return (
    `jeeves: ${sizes.kept_lines} of ${sizes.lines} lines, about ${sizes.tokens_after} of ${sizes.tokens_before} tokens${weak}\n` +
    `        the rest: jeeves recover ${pruneId} --lines A-B`
  );
}

function sizesOf(text: string, pruned: Pruned) {
  const dropped = pruned.blocks.reduce((sum, block) => sum + block.lineCount, 0);
  return {
    lines: pruned.lineCount,
    kept_lines: pruned.lineCount - dropped,
    tokens_before: estimateTokens(text),
    tokens_after: estimateTokens(renderPruned(text, pruned, { marker: shortMarker })),
  };
}

/** The same fields where nothing was cut, because nothing could be stored. */
function wholeJson(text: string) {
  const lines = countLines(text);
  const tokens = estimateTokens(text);
  const sizes = { lines, kept_lines: lines, tokens_before: tokens, tokens_after: tokens };
  return { prune_id: null, status: "whole", note: "not_stored", ...sizes, text, blocks: [], kept: [] };
}

function toJson(text: string, { pruned, pruneId }: Cut) {
  return {
    prune_id: pruneId,
    status: pruned.status,
    kind: pruned.kind,
    language: pruned.language ?? null,
    match: pruned.match,
    ...sizesOf(text, pruned),
    text: renderPruned(text, pruned, { marker: shortMarker }),
    blocks: pruned.blocks.map((block) => ({ start_line: block.startLine, end_line: block.endLine, ...block.label })),
    kept: Array.from(pruned.kept, (why, index) => ({ line: index + 1, why: WHY[why - 1] })).filter(
      ({ why }) => why !== undefined,
    ),
  };
}
