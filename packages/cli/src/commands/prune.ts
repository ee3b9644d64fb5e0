// `jeeves prune`: the kept lines on stdout; their share and the command that recovers the rest on stderr.
import {
  type CutResult,
  createCutter,
  createInProcessEngine,
  createMeter,
  type ShownCut,
  WHY,
  type WholeText,
} from "@jeeves/cut";
import type { SourceKind } from "@jeeves/prune";
import { openRecoveryStore, StateError } from "@jeeves/state";
import { toCutRequest } from "../by-hand.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { createPaint } from "../terminal/paint.ts";
import { NotTextError, readInput } from "../terminal/read-input.ts";
import { tellStateFaults } from "../terminal/state-faults.ts";

interface PruneCommandOptions {
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
const MARKER = /^⟦… \d+ lines \d+-\d+.*⟧$|⟦… [\d,]+ chars \d+-\d+[^⟧\n]*⟧/gm;

/**
 * Prints the kept lines of a file (`-`: stdin), with `json` one object. A text that cannot be cut or stored is printed
 * whole. Throws CliError where the file cannot be read or is no text.
 */
export async function pruneCommand(file: string, options: PruneCommandOptions): Promise<void> {
  tellStateFaults();
  const { env } = process;
  const { focus, type, keep } = options;
  const text = await readInput(file).catch((error: unknown) => passOn(error, file, options));
  if (text === undefined) return;
  const cutter = createCutter({
    engine: createInProcessEngine(),
    store: openRecoveryStore({ env }),
    meter: createMeter(env),
    env,
  });
  const byHand = {
    focus,
    ...(file === "-" ? {} : { path: file }),
    ...(type === undefined ? {} : { kind: type }),
    ...(keep === undefined ? {} : { keep }),
    lineNumbers: options.lineNumbers === true && options.json !== true,
  };
  const result = await cutter.cut(await toCutRequest(text, byHand, env));
  if (result.kind === "whole" && result.reason === "store_unavailable") tellNotStored(result.cause);
  if (options.json === true) process.stdout.write(`${JSON.stringify(toJson(text, result))}\n`);
  else if (result.kind === "cut") print(result);
  else printWhole(text, result);
  await cutter.idle();
}

/** X-60: what a command printed cannot be read again from its pipe. JSON has no form for bytes that are no text. */
function passOn(error: unknown, file: string, { json }: PruneCommandOptions): undefined {
  if (!(error instanceof NotTextError) || file !== "-" || json === true) throw error;
  process.stdout.write(error.bytes);
  note(`jeeves: passed on as it is: ${error.message}; ${error.hint}`);
}

/** A text that cannot be stored stays whole, because dropped lines could not be recovered. */
function tellNotStored(error: unknown): void {
  const [message, hint] = error instanceof StateError ? [error.message, error.hint] : [String(error), "try again"];
  process.stderr.write(`jeeves: left whole, because it cannot be stored: ${message}\n        ${hint}\n`);
}

function print(cut: ShownCut): void {
  const kept = cut.parts.join("");
  const paint = createPaint(process.stdout, process.env);
  const painted = kept.replace(MARKER, (marker) => paint("cyan", marker));
  process.stdout.write(kept === "" || kept.endsWith("\n") || !process.stdout.isTTY ? painted : `${painted}\n`);
  note(summaryOf(cut));
}

function printWhole(text: string, { reason, lineCount = 0 }: WholeText): void {
  process.stdout.write(text);
  if (reason !== "store_unavailable") note(wholeSummaryOf(lineCount, reason));
}

function note(words: string): void {
  process.stderr.write(`${createPaint(process.stderr, process.env)("dim", words)}\n`);
}

function summaryOf(cut: ShownCut): string {
  const { pruned, pruneId } = cut;
  if (pruned.status !== "pruned") return wholeSummaryOf(pruned.lineCount, pruned.note ?? "");
  const { lines, kept_lines, tokens_before, tokens_after } = sizesOf(cut);
  const weak = pruned.match === "clear" ? "" : `; ${pruned.match === "weak" ? "weak" : "no"} match for the question`;
  return (
    `jeeves: ${kept_lines} of ${lines} lines, about ${tokens_after} of ${tokens_before} tokens${weak}\n` +
    `        the rest: ${ownCommand(`recover ${pruneId} --lines A-B`)}${isCutInside(cut) ? ", or --chars A-B" : ""}`
  );
}

function isCutInside({ blocks }: ShownCut): boolean {
  return blocks.some(({ chars }) => chars !== undefined);
}

function wholeSummaryOf(lineCount: number, note: string): string {
  const all = lineCount === 1 ? "the only line is" : `all ${lineCount} lines`;
  return `jeeves: ${lineCount === 0 ? "" : `${all} kept: `}${WHOLE[note] ?? "nothing to leave out"}`;
}

function sizesOf({ table, blocks, rawTokens, keptTokens }: ShownCut) {
  const dropped = blocks.reduce((sum, block) => sum + block.lineCount, 0);
  return {
    lines: table.count,
    kept_lines: table.count - dropped,
    tokens_before: rawTokens,
    tokens_after: keptTokens,
  };
}

function toJson(text: string, result: CutResult) {
  if (result.kind === "whole") return wholeJson(text, result);
  const { pruned, pruneId, blocks } = result;
  return {
    prune_id: pruneId,
    status: pruned.status,
    kind: pruned.kind,
    language: pruned.language ?? null,
    match: pruned.match,
    ...sizesOf(result),
    text: result.parts.join(""),
    blocks: blocks.map(({ startLine, endLine, chars, label }) => ({
      start_line: startLine,
      end_line: endLine,
      ...(chars && { start_char: chars.startChar, end_char: chars.endChar }),
      ...label,
    })),
    kept: Array.from(pruned.kept, (why, index) => ({ line: index + 1, why: WHY[why - 1] })).filter(
      ({ why }) => why !== undefined,
    ),
  };
}

/** The same fields where nothing was cut, and why. */
function wholeJson(text: string, { reason, stored, lineCount: lines = 0, rawTokens: tokens = 0 }: WholeText) {
  const sizes = { lines, kept_lines: lines, tokens_before: tokens, tokens_after: tokens };
  const pruneId = stored?.kind === "stored" ? stored.pruneId : null;
  const why = reason === "store_unavailable" ? "not_stored" : reason;
  return { prune_id: pruneId, status: "whole", note: why, ...sizes, text, blocks: [], kept: [] };
}
