// The Messages API, as far as Claude Code uses it: `POST /v1/messages`, answered as an event stream, and the token
// counter beside it. An MCP tool is called `mcp__SERVER__TOOL`; most are deferred, named but not listed.
import { z } from "zod";
import { anythingBut } from "./anything-but.ts";
import type {
  Conversation,
  Dialect,
  ListedTool,
  ResolvedTurn,
  ScriptedModel,
  ToolName,
  ToolOutput,
  Turn,
} from "./scripted-model.ts";
import { startScriptedModel } from "./scripted-model.ts";
import type { ModelEvent } from "./server-sent-events.ts";
import { toEventStream, toJsonAnswer } from "./server-sent-events.ts";

const textBlock = z.object({ type: z.literal("text"), text: z.string() });
const resultPart = z.union([
  textBlock,
  z.object({ type: z.literal("tool_reference"), tool_name: z.string() }),
  anythingBut(["text", "tool_reference"]),
]);
const toolResult = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(resultPart)]).optional(),
  is_error: z.boolean().optional(),
});
const block = z.union([
  textBlock,
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string() }),
  toolResult,
  anythingBut(["text", "tool_use", "tool_result"]),
]);

const request = z.object({
  model: z.string(),
  stream: z.boolean().optional(),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(block)]) })),
  tools: z.array(z.object({ name: z.string(), description: z.string().optional() })).optional(),
});

export function startFakeAnthropic(script: readonly Turn[]): Promise<ScriptedModel> {
  return startScriptedModel(script, anthropic);
}

const anthropic: Dialect = {
  modelPath: "/v1/messages",
  parse: parseConversation,
  render: (turn, body) => {
    const { model, stream, messages } = request.parse(body);
    const answer = toMessage(turn, { model, id: `msg_${messages.length}` });
    return stream === true ? toEventStream(toEvents(answer)) : toJsonAnswer(200, answer);
  },
  answerOther: (method, path, body) =>
    method === "POST" && path === "/v1/messages/count_tokens"
      ? toJsonAnswer(200, { input_tokens: Math.ceil(JSON.stringify(body).length / 4) })
      : undefined,
  renderProblem: (message) => toJsonAnswer(400, { type: "error", error: { type: "invalid_request_error", message } }),
};

function parseConversation(body: unknown): Conversation {
  const { system = [], messages, tools = [] } = request.parse(body);
  const calls = new Map<string, ToolName>();
  const outputs: ToolOutput[] = [];
  const words = typeof system === "string" ? [system] : system.map(({ text }) => text);
  let answers = 0;
  for (const { role, content } of messages) {
    if (role === "assistant") answers += 1;
    if (typeof content === "string") {
      if (role !== "assistant") words.push(content);
      continue;
    }
    for (const entry of content) {
      if (entry === undefined) continue;
      if (entry.type === "tool_use") calls.set(entry.id, parseToolName(entry.name));
      else if (entry.type === "tool_result") outputs.push(toOutput(entry, calls));
      else if (role !== "assistant") words.push(entry.text);
    }
  }
  return { tools: tools.map(toListed), answers, outputs, instructions: words.join("\n") };
}

function toOutput(result: z.infer<typeof toolResult>, calls: ReadonlyMap<string, ToolName>): ToolOutput {
  const call = calls.get(result.tool_use_id);
  if (call === undefined) throw new Error(`a result for ${result.tool_use_id}, which was never called`);
  const { content = [] } = result;
  const parts = typeof content === "string" ? [content] : content.flatMap(textsOf);
  return { callId: result.tool_use_id, call, parts, isError: result.is_error ?? false };
}

function textsOf(part: z.infer<typeof resultPart>): string[] {
  if (part === undefined) return [];
  return [part.type === "text" ? part.text : part.tool_name];
}

function toListed(tool: { readonly name: string; readonly description?: string | undefined }): ListedTool {
  return { ...parseToolName(tool.name), description: tool.description ?? "" };
}

function parseToolName(name: string): ToolName {
  const parts = /^mcp__(.+?)__(.+)$/s.exec(name);
  return parts?.[1] === undefined || parts[2] === undefined ? { tool: name } : { server: parts[1], tool: parts[2] };
}

function toWireName({ server, tool }: ToolName): string {
  return server === undefined ? tool : `mcp__${server}__${tool}`;
}

interface AnthropicMessage {
  readonly type: "message";
  readonly content: readonly AnswerBlock[];
  readonly stop_reason: "tool_use" | "end_turn";
  readonly [field: string]: unknown;
}

type AnswerBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

function toMessage(
  turn: ResolvedTurn,
  { model, id }: { readonly model: string; readonly id: string },
): AnthropicMessage {
  const content: AnswerBlock =
    "say" in turn
      ? { type: "text", text: turn.say }
      : { type: "tool_use", id: turn.callId, name: toWireName(turn.call), input: turn.arguments };
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [content],
    stop_reason: content.type === "tool_use" ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 10 },
  };
}

function toEvents(message: AnthropicMessage): ModelEvent[] {
  const blocks = message.content.flatMap((content, index): ModelEvent[] => [
    { type: "content_block_start", index, content_block: toEmpty(content) },
    { type: "content_block_delta", index, delta: toDelta(content) },
    { type: "content_block_stop", index },
  ]);
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...blocks,
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: "message_stop" },
  ];
}

function toEmpty(content: AnswerBlock): object {
  return content.type === "text" ? { ...content, text: "" } : { ...content, input: {} };
}

function toDelta(content: AnswerBlock): object {
  return content.type === "text"
    ? { type: "text_delta", text: content.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(content.input) };
}
