// Codex' event lines → provider events. Lines that it does not know are left out: Codex adds kinds freely.
import { z } from "zod";
import { sizesOf } from "../log/tool-sizes.ts";
import { type ProviderEvent, toMcpToolName } from "../provider.ts";
import { textOf } from "./text-parts.ts";

const tokens = z.int().nonnegative().catch(0);
const failure = z.object({ message: z.string() });

const mcpCall = z.object({
  id: z.string(),
  type: z.literal("mcp_tool_call"),
  server: z.string(),
  tool: z.string(),
  arguments: z.unknown(),
  result: z.looseObject({ content: z.array(z.unknown()).nullish() }).nullish(),
  error: failure.nullish(),
  status: z.string().optional(),
});
const commandRun = z.object({
  id: z.string(),
  type: z.literal("command_execution"),
  command: z.string(),
  aggregated_output: z.string().nullish(),
  exit_code: z.int().nullish(),
});
const fileChange = z.object({
  id: z.string(),
  type: z.literal("file_change"),
  changes: z.unknown(),
  status: z.string().optional(),
});
const webSearch = z.object({ id: z.string(), type: z.literal("web_search"), query: z.string().optional() });

const item = z.discriminatedUnion("type", [
  mcpCall,
  commandRun,
  fileChange,
  webSearch,
  z.object({ id: z.string(), type: z.literal("agent_message"), text: z.string() }),
  z.object({ id: z.string(), type: z.literal("reasoning"), text: z.string() }),
  z.object({ id: z.string(), type: z.literal("error"), message: z.string() }),
]);

const line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.object({ type: z.literal("item.started"), item }),
  z.object({ type: z.literal("item.completed"), item }),
  z.object({
    type: z.literal("turn.completed"),
    usage: z.object({ input_tokens: tokens, cached_input_tokens: tokens, output_tokens: tokens }).optional(),
  }),
  z.object({ type: z.literal("turn.failed"), error: failure }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);

type Item = z.infer<typeof item>;
type ToolItem = Extract<Item, { type: "mcp_tool_call" | "command_execution" | "file_change" | "web_search" }>;

/** What one line means: its events, and what the provider must remember until the end of the stream. */
interface CodexLine {
  readonly events: readonly ProviderEvent[];
  readonly finalText?: string;
  readonly failure?: string;
  /** An error that Codex may recover from; it is the run's failure only where the process then ends without another reason. */
  readonly complaint?: string;
  /** The tool call or message that the model answered with, for the turn limit. */
  readonly answer?: { readonly id: string; readonly isTool: boolean };
}

interface CodexReader {
  read(value: unknown): CodexLine;
}

/** A reader for the lines of one run. It adds up the usage of the turns, and reports each tool call once. */
export function createCodexReader(): CodexReader {
  const begun = new Set<string>();
  /** Some tools are reported only when they are done. */
  const callOf = (tool: ToolItem): readonly ProviderEvent[] => {
    if (begun.has(tool.id)) return [];
    begun.add(tool.id);
    return [{ kind: "tool_call", id: tool.id, tool: nameOf(tool), input: inputOf(tool) }];
  };
  const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

  function readItem(it: Item, isCompleted: boolean): CodexLine {
    switch (it.type) {
      case "agent_message":
        if (!isCompleted) return { events: [] };
        return {
          events: [{ kind: "message", text: it.text }],
          finalText: it.text,
          answer: { id: it.id, isTool: false },
        };
      case "reasoning":
        return { events: isCompleted ? [{ kind: "reasoning", text: it.text }] : [] };
      case "error":
        return { events: isCompleted ? [{ kind: "notice", code: "agent_warning", message: it.message }] : [] };
      default:
        return {
          events: [...callOf(it), ...(isCompleted ? [toResult(it)] : [])],
          answer: { id: it.id, isTool: true },
        };
    }
  }

  return {
    read(value) {
      const parsed = line.safeParse(value);
      if (!parsed.success) return { events: [] };
      const said = parsed.data;
      switch (said.type) {
        case "thread.started":
          return { events: [{ kind: "started", sessionId: said.thread_id }] };
        case "item.started":
          return readItem(said.item, false);
        case "item.completed":
          return readItem(said.item, true);
        case "turn.completed": {
          if (said.usage === undefined) return { events: [{ kind: "turn_ended" }] };
          usage.inputTokens += said.usage.input_tokens;
          usage.cachedInputTokens += said.usage.cached_input_tokens;
          usage.outputTokens += said.usage.output_tokens;
          return { events: [{ kind: "usage", usage: { ...usage } }, { kind: "turn_ended" }] };
        }
        case "turn.failed":
          return { events: [{ kind: "turn_ended" }], failure: said.error.message };
        case "error":
          // Also sent while Codex retries; a final failure is in turn.failed or in the exit code.
          return {
            events: [{ kind: "notice", code: "agent_warning", message: said.message }],
            complaint: said.message,
          };
      }
    },
  };
}

function nameOf(tool: ToolItem): string {
  return tool.type === "mcp_tool_call" ? toMcpToolName(tool.server, tool.tool) : tool.type;
}

function inputOf(tool: ToolItem): unknown {
  switch (tool.type) {
    case "mcp_tool_call":
      return tool.arguments;
    case "command_execution":
      return { command: tool.command };
    case "file_change":
      return { changes: tool.changes };
    case "web_search":
      return { query: tool.query ?? "" };
  }
}

function toResult(tool: ToolItem): ProviderEvent {
  const base = { kind: "tool_result" as const, id: tool.id, tool: nameOf(tool) };
  switch (tool.type) {
    case "mcp_tool_call": {
      const sizes = sizesOf(tool.result);
      const isError = tool.error != null || tool.status === "failed" || tool.result?.isError === true;
      const text = tool.error?.message ?? textOf(tool.result?.content ?? []);
      return { ...base, isError, text, ...(sizes === undefined ? {} : { sizes }) };
    }
    case "command_execution":
      return { ...base, isError: tool.exit_code !== 0, text: tool.aggregated_output ?? "" };
    case "file_change":
      return { ...base, isError: tool.status === "failed", text: "" };
    case "web_search":
      return { ...base, isError: false, text: "" };
  }
}
