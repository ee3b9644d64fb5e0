// The Responses API as Codex uses it with models that write JavaScript ("code mode"): one tool, `exec`, called with a
// program; what the program prints comes back as `custom_tool_call_output`. A script's call is `exec` with `code`.
import { z } from "zod";
import { anythingBut } from "./anything-but.ts";
import type { Conversation, Dialect, ResolvedTurn, ScriptedModel, Turn } from "./scripted-model.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { toEventStream, toJsonAnswer } from "./server-sent-events.ts";

const part = z.object({ type: z.string(), text: z.string().optional() });
const item = z.union([
  z.object({ type: z.literal("message"), role: z.string() }),
  z.object({ type: z.literal("custom_tool_call"), call_id: z.string() }),
  z.object({
    type: z.literal("custom_tool_call_output"),
    call_id: z.string(),
    output: z.union([z.string(), z.array(part)]),
  }),
  anythingBut(["message", "custom_tool_call", "custom_tool_call_output"]),
]);
const request = z.object({ input: z.array(item) });

export function startFakeCodeMode(script: readonly Turn[]): Promise<ScriptedModel> {
  return startScriptedModel(script, codeMode);
}

const codeMode: Dialect = {
  modelPath: "/v1/responses",
  parse: parseConversation,
  render: (turn, body) => {
    const position = request.parse(body).input.length;
    const output = toItem(turn, position);
    const response = { id: `resp_${position}` };
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 110,
    };
    return toEventStream([
      { type: "response.created", response },
      { type: "response.output_item.added", output_index: 0, item: output },
      { type: "response.output_item.done", output_index: 0, item: output },
      { type: "response.completed", response: { ...response, usage } },
    ]);
  },
  answerOther: (method, path) =>
    method === "GET" && path === "/v1/models" ? toJsonAnswer(200, { object: "list", data: [] }) : undefined,
  renderProblem: (text) => toJsonAnswer(400, { error: { type: "invalid_request_error", message: text } }),
};

function parseConversation(body: unknown): Conversation {
  const { input } = request.parse(body);
  const outputs: Conversation["outputs"][number][] = [];
  let answers = 0;
  for (const entry of input) {
    if (entry === undefined) continue;
    if (entry.type === "custom_tool_call" || (entry.type === "message" && entry.role === "assistant")) answers += 1;
    else if (entry.type === "custom_tool_call_output") {
      const parts = typeof entry.output === "string" ? [entry.output] : entry.output.map(({ text }) => text ?? "");
      outputs.push({ callId: entry.call_id, call: { tool: "exec" }, parts, isError: false });
    }
  }
  return { tools: [], answers, outputs, instructions: "" };
}

function toItem(turn: ResolvedTurn, position: number): object {
  if ("say" in turn) {
    const content = [{ type: "output_text", text: turn.say }];
    return { type: "message", id: `msg_${position}`, role: "assistant", content };
  }
  const { callId, arguments: given } = turn;
  return { type: "custom_tool_call", id: `ctc_${position}`, call_id: callId, name: "exec", input: String(given.code) };
}
