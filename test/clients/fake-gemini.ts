// The Gemini API, as far as Gemini CLI uses it: `POST /v1beta/models/MODEL:streamGenerateContent`, answered as one event,
// and a small model beside it that is asked which model to take.
import { z } from "zod";
import type {
  Conversation,
  Dialect,
  ResolvedTurn,
  ScriptedModel,
  ToolName,
  ToolOutput,
  Turn,
} from "./scripted-model.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { toJsonAnswer } from "./server-sent-events.ts";

const response = z.object({ output: z.string().optional(), error: z.string().optional() });
const part = z.object({
  text: z.string().optional(),
  functionCall: z.object({ id: z.string().optional(), name: z.string() }).optional(),
  functionResponse: z.object({ id: z.string(), name: z.string(), response }).optional(),
});
const request = z.object({
  contents: z.array(z.object({ role: z.string(), parts: z.array(part) })),
  systemInstruction: z.object({ parts: z.array(part) }).optional(),
  tools: z
    .array(
      z.object({
        functionDeclarations: z.array(z.object({ name: z.string(), description: z.string().optional() })).optional(),
      }),
    )
    .optional(),
});

export function startFakeGemini(script: readonly Turn[]): Promise<ScriptedModel> {
  return startScriptedModel(script, gemini);
}

const gemini: Dialect = {
  modelPath: /^\/v1beta\/models\/[^/]+:streamGenerateContent$/,
  parse: parseConversation,
  render: (turn) => ({
    status: 200,
    contentType: "text/event-stream",
    body: `data: ${JSON.stringify(toAnswer(toPart(turn)))}\r\n\r\n`,
  }),
  answerOther: (_, path) => {
    if (path.endsWith(":countTokens")) return toJsonAnswer(200, { totalTokens: 100 });
    const choice = { complexity_reasoning: "none", complexity_score: 1, reasoning: "none", model_choice: "flash" };
    return path.endsWith(":generateContent")
      ? toJsonAnswer(200, toAnswer({ text: JSON.stringify(choice) }))
      : undefined;
  },
  renderProblem: (message) => toJsonAnswer(400, { error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
};

function parseConversation(body: unknown): Conversation {
  const { contents, tools = [], systemInstruction } = request.parse(body);
  const outputs: ToolOutput[] = [];
  const words = (systemInstruction?.parts ?? []).map(({ text = "" }) => text);
  let answers = 0;
  for (const { role, parts } of contents) {
    if (role === "model") answers += 1;
    for (const { text, functionResponse: found } of parts) {
      if (text !== undefined && role !== "model") words.push(text);
      if (found === undefined) continue;
      const { output, error } = found.response;
      const shown = error ?? output ?? "";
      outputs.push({ callId: found.id, call: { tool: found.name }, parts: [shown], isError: error !== undefined });
    }
  }
  const listed = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  const toListed = ({ name, description = "" }: (typeof listed)[number]) => ({ tool: name, description });
  return { tools: listed.map(toListed), answers, outputs, instructions: words.join("\n") };
}

function toPart(turn: ResolvedTurn): object {
  if ("say" in turn) return { text: turn.say };
  return { functionCall: { id: turn.callId, name: nameOf(turn.call), args: turn.arguments } };
}

function nameOf({ server, tool }: ToolName): string {
  return server === undefined ? tool : `mcp_${server}_${tool}`;
}

function toAnswer(content: object): object {
  return {
    candidates: [{ content: { role: "model", parts: [content] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
  };
}
