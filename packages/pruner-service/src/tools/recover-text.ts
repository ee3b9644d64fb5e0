// The tool `recover_text` (K-35 … K-38), also under its older name (K-16): lines of a stored text, exactly, by their
// original numbers. What cannot be had is a JSON-RPC error with a code of its own.
import { defineTool, type ToolDefinition, type ToolOutcome, type ToolRefusal } from "@jeeves/kit/mcp";
import { type LineTable, linesOf, splitLines } from "@jeeves/prune";
import type { RecoveryStore } from "@jeeves/state";
import { type RecoverArguments, recoverArguments } from "../arguments.ts";
import { recoverSurface } from "../surface.ts";

const PRUNE_ID_NOT_FOUND = -32004;
const INVALID_RANGE = -32005;

type Range = RecoverArguments["ranges"][number];

export function createRecoverTools(deps: { readonly store: RecoveryStore }): readonly ToolDefinition[] {
  const run = (args: RecoverArguments) => recover(args, deps.store);
  const tool = { ...recoverSurface, args: recoverArguments, run };
  return [defineTool<RecoverArguments>(tool), defineTool({ ...tool, name: "recover_range", listed: false })];
}

async function recover(args: RecoverArguments, store: RecoveryStore): Promise<ToolOutcome | ToolRefusal> {
  const { prune_id, ranges, include_line_numbers } = args;
  if (ranges.length === 0) return invalidRange({ prune_id, reason: "ranges is empty" });
  const wrong = ranges.find(({ start_line, end_line }) => start_line < 1 || start_line > end_line);
  if (wrong !== undefined) return invalidRange({ prune_id, range: wrong });

  const stored = await store.get(prune_id);
  if (stored === undefined) {
    const data = { code: "prune_id_not_found", prune_id, hint: "it expired or never was; prune the text again" };
    return { refusal: { code: PRUNE_ID_NOT_FOUND, message: "prune_id_not_found", data } };
  }
  const table = splitLines(stored.text);
  const past = ranges.find((range) => range.start_line > table.count);
  if (past !== undefined) return invalidRange({ prune_id, range: past, max_line: table.count });

  const clamped = ranges.map((range) => ({ ...range, end_line: Math.min(range.end_line, table.count) }));
  const raw_text = clamped.map((range) => toText(table, range, include_line_numbers)).join("\n");
  return { text: JSON.stringify({ raw_text, metadata: { prune_id, ranges: clamped, line_numbering: "original" } }) };
}

function toText(table: LineTable, { start_line, end_line }: Range, includeLineNumbers: boolean): string {
  const lines = linesOf(table, start_line, end_line);
  if (!includeLineNumbers) return lines;
  return lines
    .split("\n")
    .map((line, offset) => `${start_line + offset}│ ${line}`)
    .join("\n");
}

function invalidRange(about: Readonly<Record<string, unknown>>): ToolRefusal {
  return { refusal: { code: INVALID_RANGE, message: "invalid_range", data: { code: "invalid_range", ...about } } };
}
