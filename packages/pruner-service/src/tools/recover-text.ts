// The tool `recover_text` (K-35 … K-38), also under its older name (K-16): lines of a stored text, exactly, by their
// original numbers. What cannot be had is a JSON-RPC error with a code of its own.
import { defineTool, type ToolCall, type ToolDefinition, type ToolOutcome, type ToolRefusal } from "@jeeves/kit/mcp";
import { linesOf, splitLines } from "@jeeves/prune";
import { type RecoveryStore, StateError, type StoredText } from "@jeeves/state";
import { type RecoverArguments, recoverArguments } from "../arguments.ts";
import { recoverSurface } from "../surface.ts";

const PRUNE_ID_NOT_FOUND = -32004;
const INVALID_RANGE = -32005;
// A text comes back whole whatever its size; the same lines again and again would fill the memory of all.
const MAX_REPEATED_CHARS = 4_000_000;

export function createRecoverTools(deps: { readonly store: RecoveryStore }): readonly ToolDefinition[] {
  const run = (args: RecoverArguments, call: ToolCall) => recover(args, call, deps.store);
  const tool = { ...recoverSurface, args: recoverArguments, run };
  return [defineTool<RecoverArguments>(tool), defineTool({ ...tool, name: "recover_range", listed: false })];
}

async function recover(
  args: RecoverArguments,
  call: ToolCall,
  store: RecoveryStore,
): Promise<ToolOutcome | ToolRefusal> {
  const { prune_id, ranges, include_line_numbers } = args;
  if (ranges.length === 0) return invalidRange({ prune_id, reason: "ranges is empty" });
  const wrong = ranges.find(({ start_line, end_line }) => start_line < 1 || start_line > end_line);
  if (wrong !== undefined) {
    const reason = wrong.start_line < 1 ? "lines count from 1" : "start_line is after end_line";
    return invalidRange({ prune_id, range: wrong, reason });
  }

  let stored: StoredText | undefined;
  try {
    stored = await store.get(prune_id);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const data = { code: "store_unavailable", prune_id, hint: error.hint };
    return { refusal: { code: PRUNE_ID_NOT_FOUND, message: "store_unavailable", data } };
  }
  // everyone on this machine may call; what agents read is for the user who started the service.
  if (stored === undefined || !(cameInHere(stored) || (await call.isOwner()))) {
    const data = { code: "prune_id_not_found", prune_id, hint: "it expired or never was; prune the text again" };
    return { refusal: { code: PRUNE_ID_NOT_FOUND, message: "prune_id_not_found", data } };
  }
  const table = splitLines(stored.text);
  const past = ranges.find((range) => range.start_line > table.count);
  if (past !== undefined) {
    const reason = `the text has ${table.count} lines`;
    return invalidRange({ prune_id, range: past, max_line: table.count, reason });
  }

  const clamped = ranges.map((range) => ({ ...range, end_line: Math.min(range.end_line, table.count) }));
  const parts = clamped.map(({ start_line, end_line }) => linesOf(table, start_line, end_line));
  const chars = parts.reduce((sum, part) => sum + part.length, 0);
  const maxChars = Math.max(stored.text.length, MAX_REPEATED_CHARS);
  if (chars > maxChars) {
    const reason = `the ranges hold ${chars} characters, one call brings back ${maxChars}; ask for fewer at a time`;
    return invalidRange({ prune_id, reason });
  }
  const numbered = (part: string, index: number) => withNumbers(part, clamped[index]?.start_line ?? 1);
  const raw_text = (include_line_numbers ? parts.map(numbered) : parts).join("\n");
  return { text: JSON.stringify({ raw_text, metadata: { prune_id, ranges: clamped, line_numbering: "original" } }) };
}

/** Through prune_text or /prune, and not from a tool or a hook of an agent. */
function cameInHere({ source }: StoredText): boolean {
  return source?.tool === "prune_text" || source?.tool === "/prune";
}

function withNumbers(lines: string, startLine: number): string {
  return lines
    .split("\n")
    .map((line, offset) => `${startLine + offset}│ ${line}`)
    .join("\n");
}

function invalidRange(about: Readonly<Record<string, unknown>>): ToolRefusal {
  return { refusal: { code: INVALID_RANGE, message: "invalid_range", data: { code: "invalid_range", ...about } } };
}
