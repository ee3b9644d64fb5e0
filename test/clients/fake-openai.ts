// The Responses API, as far as Codex uses it: `POST /v1/responses`, answered as an event stream.
// An MCP tool is listed inside a namespace `mcp__SERVER` and called with that namespace beside its name.
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

const NAMESPACE_PREFIX = "mcp__";

const functionTool = z.object({ type: z.literal("function"), name: z.string(), description: z.string() });
const tool = z.union([
  functionTool,
  z.object({
    type: z.literal("namespace"),
    name: z.string(),
    description: z.string().optional(),
    tools: z.array(functionTool),
  }),
  anythingBut(["function", "namespace"]),
]);

const part = z.union([
  z.object({ type: z.enum(["input_text", "output_text"]), text: z.string() }),
  anythingBut(["input_text", "output_text"]),
]);
const item = z.union([
  z.object({ type: z.literal("message"), role: z.string(), content: z.array(part) }),
  z.object({
    type: z.literal("function_call"),
    call_id: z.string(),
    name: z.string(),
    namespace: z.string().optional(),
  }),
  z.object({
    type: z.literal("function_call_output"),
    call_id: z.string(),
    output: z.union([z.string(), z.array(part)]),
  }),
  anythingBut(["message", "function_call", "function_call_output"]),
]);

const request = z.object({
  instructions: z.string().optional(),
  input: z.array(item),
  tools: z.array(tool).optional(),
});

export function startFakeOpenAi(script: readonly Turn[]): Promise<ScriptedModel> {
  return startScriptedModel(script, openAi);
}

const openAi: Dialect = {
  modelPath: "/v1/responses",
  parse: parseConversation,
  render: (turn, body) => toEventStream(toEvents(turn, request.parse(body).input.length)),
  answerOther: (method, path) =>
    method === "GET" && path === "/v1/models" ? toJsonAnswer(200, { object: "list", data: [] }) : undefined,
  renderProblem: (text) => toJsonAnswer(400, { error: { type: "invalid_request_error", message: text } }),
};

function parseConversation(body: unknown): Conversation {
  const { input, tools = [], instructions = "" } = request.parse(body);
  const calls = new Map<string, ToolName>();
  const outputs: ToolOutput[] = [];
  // Codex puts the instructions of an MCP server into the description of its namespace.
  const words = [instructions, ...tools.flatMap((one) => (one?.type === "namespace" ? [one.description ?? ""] : []))];
  let answers = 0;
  for (const entry of input) {
    if (entry === undefined) continue;
    if (entry.type === "message") {
      if (entry.role === "assistant") answers += 1;
      else words.push(...textsOf(entry.content));
    } else if (entry.type === "function_call") {
      answers += 1;
      calls.set(entry.call_id, { ...toServer(entry.namespace), tool: entry.name });
    } else {
      const call = calls.get(entry.call_id);
      if (call === undefined) throw new Error(`an output for ${entry.call_id}, which was never called`);
      const parts = typeof entry.output === "string" ? [entry.output] : textsOf(entry.output);
      // This wire has no flag for a failure: it is in the words, or nowhere.
      outputs.push({ callId: entry.call_id, call, parts, isError: false });
    }
  }
  return { tools: tools.flatMap(toListed), answers, outputs, instructions: words.join("\n") };
}

function textsOf(parts: readonly z.infer<typeof part>[]): string[] {
  return parts.flatMap((one) => (one === undefined ? [] : [one.text]));
}

function toServer(namespace: string | undefined): { readonly server?: string } {
  return namespace?.startsWith(NAMESPACE_PREFIX) ? { server: namespace.slice(NAMESPACE_PREFIX.length) } : {};
}

function toListed(listed: z.infer<typeof tool>): ListedTool[] {
  if (listed === undefined) return [];
  if (listed.type === "function") return [{ tool: listed.name, description: listed.description }];
  return listed.tools.map(({ name, description }) => ({ ...toServer(listed.name), tool: name, description }));
}

function toEvents(turn: ResolvedTurn, inputLength: number): ModelEvent[] {
  const output = toItem(turn, inputLength);
  const response = { id: `resp_${inputLength}` };
  return [
    { type: "response.created", response },
    { type: "response.output_item.added", output_index: 0, item: output },
    { type: "response.output_item.done", output_index: 0, item: output },
    { type: "response.completed", response: { ...response, usage: USAGE } },
  ];
}

function toItem(turn: ResolvedTurn, inputLength: number): object {
  if ("say" in turn) {
    return {
      type: "message",
      id: `msg_${inputLength}`,
      role: "assistant",
      content: [{ type: "output_text", text: turn.say }],
    };
  }
  const { server, tool: name } = turn.call;
  return {
    type: "function_call",
    id: `fc_${inputLength}`,
    call_id: turn.callId,
    ...(server === undefined ? {} : { namespace: NAMESPACE_PREFIX + server }),
    name,
    arguments: JSON.stringify(turn.arguments),
  };
}

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 110,
};
