// The tool `recover_text` (K-35 … K-38), also under its older name (K-16): its arguments as a request to `recover`, and
// the result in K's form. What cannot be recovered is a JSON-RPC error with a code of its own.
import { faultOfRanges, type LineRange, type RangeFault, type RecoverDeps, recover } from "@jeeves/cut";
import { defineTool, type ToolCall, type ToolDefinition, type ToolOutcome, type ToolRefusal } from "@jeeves/kit/mcp";
import type { StoredText } from "@jeeves/state";
import { type RecoverArguments, recoverArguments } from "../arguments.ts";
import { recoverSurface } from "../surface.ts";

const PRUNE_ID_NOT_FOUND = -32004;
const INVALID_RANGE = -32005;
// A text comes back whole whatever its size; the same lines again and again would fill the server's memory.
const MAX_REPEATED_CHARS = 4_000_000;

/** The tool under both of its names; `recover_range` is not listed. */
export function createRecoverTools(deps: RecoverDeps): readonly ToolDefinition[] {
  const run = (args: RecoverArguments, call: ToolCall) => recoverText(args, call, deps);
  const tool = { ...recoverSurface, args: recoverArguments, run };
  return [defineTool<RecoverArguments>(tool), defineTool({ ...tool, name: "recover_range", listed: false })];
}

async function recoverText(
  { prune_id, ranges: asked, include_line_numbers }: RecoverArguments,
  call: ToolCall,
  deps: RecoverDeps,
): Promise<ToolOutcome | ToolRefusal> {
  const ranges = asked.map(({ start_line, end_line }) => ({ startLine: start_line, endLine: end_line }));
  const fault = faultOfRanges(ranges);
  if (fault !== undefined) return invalidRange(prune_id, fault);
  const found = await recover(
    {
      pruneId: prune_id,
      ranges,
      lineNumbers: include_line_numbers,
      maxRepeatedChars: MAX_REPEATED_CHARS,
      countsFor: "caller", // none: calls on /rpc are stateless
      caller: { session: "", client: call.client.name, tool: "recover_text", dir: "" },
      // every local program may call; what agents read is for the user who started the service.
      judge: async (stored) => ({ kind: cameInHere(stored) || (await call.isOwner()) ? "own" : "foreign" }),
    },
    { store: deps.store, meter: (await call.isOwner()) ? deps.meter : undefined },
  );
  switch (found.kind) {
    case "recovered": {
      const metadata = { prune_id, ranges: found.ranges.map(toWire), line_numbering: "original" };
      return { text: JSON.stringify({ raw_text: found.text, metadata }) };
    }
    case "invalid_range":
      return invalidRange(prune_id, found.fault, found.lineCount);
    case "unavailable":
      return refusal("store_unavailable", { prune_id, hint: found.error.hint });
    default:
      return refusal("prune_id_not_found", { prune_id, hint: "it expired or never was; prune the text again" });
  }
}

/** Through prune_text or /prune, and not from a tool or a hook of an agent. */
function cameInHere({ source }: StoredText): boolean {
  return source?.tool === "prune_text" || source?.tool === "/prune";
}

function refusal(code: "store_unavailable" | "prune_id_not_found", about: Readonly<Record<string, unknown>>) {
  return { refusal: { code: PRUNE_ID_NOT_FOUND, message: code, data: { code, ...about } } };
}

/** `maxLine`: how many lines the text has, as far as it was looked at. */
function invalidRange(prune_id: string, fault: RangeFault, maxLine = 0): ToolRefusal {
  const range = "range" in fault ? { range: toWire(fault.range) } : {};
  const past = fault.kind === "past_end" ? { max_line: maxLine } : {};
  const data = { code: "invalid_range", prune_id, ...range, ...past, reason: reasonOf(fault, maxLine) };
  return { refusal: { code: INVALID_RANGE, message: "invalid_range", data } };
}

function reasonOf(fault: RangeFault, maxLine: number): string {
  switch (fault.kind) {
    case "empty":
      return "ranges is empty";
    case "below_one":
      return "lines count from 1";
    case "reversed":
      return "start_line is after end_line";
    case "past_end":
      return `the text has ${maxLine} lines`;
    case "too_much": {
      const { chars, maxChars } = fault;
      return `the ranges hold ${chars} characters, one call brings back ${maxChars}; ask for fewer at a time`;
    }
  }
}

function toWire({ startLine, endLine }: LineRange) {
  return { start_line: startLine, end_line: endLine };
}
