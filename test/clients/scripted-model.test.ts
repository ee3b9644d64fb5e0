// The fakes keep their own promises, on both wires: otherwise a green client test proves nothing.
import { afterEach, describe, expect, it } from "vitest";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { startFakeOpenAi } from "./fake-openai.ts";
import type { ScriptedModel, Turn } from "./scripted-model.ts";

interface Wire {
  readonly name: string;
  readonly path: string;
  start(script: readonly Turn[]): Promise<ScriptedModel>;
  /** A request after the call of `read` on server `pruner` gave `output`; without it, the first request. */
  request(output?: string): object;
  /** A result in a shape that this wire does not have. */
  readonly broken: object;
}

const openAi: Wire = {
  name: "Responses",
  path: "/v1/responses",
  start: startFakeOpenAi,
  request: (output) => ({
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
      { type: "reasoning", summary: [] },
      ...(output === undefined
        ? []
        : [
            { type: "function_call", call_id: "call_1", namespace: "mcp__pruner", name: "read", arguments: "{}" },
            { type: "function_call_output", call_id: "call_1", output: [{ type: "input_text", text: output }] },
          ]),
    ],
    tools: [
      { type: "web_search" },
      { type: "function", name: "exec", description: "own" },
      { type: "namespace", name: "mcp__pruner", tools: [{ type: "function", name: "read", description: "files" }] },
    ],
  }),
  broken: { input: [{ type: "function_call_output", call_id: "call_1", output: 7 }] },
};

const anthropic: Wire = {
  name: "Messages",
  path: "/v1/messages",
  start: startFakeAnthropic,
  request: (output) => ({
    model: "m",
    stream: true,
    messages: [
      { role: "user", content: "hello" },
      ...(output === undefined
        ? []
        : [
            { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "mcp__pruner__read", input: {} }] },
            {
              role: "user",
              content: [{ type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: output }] }],
            },
          ]),
    ],
    tools: [
      { name: "exec", description: "own" },
      { name: "mcp__pruner__read", description: "files" },
    ],
  }),
  broken: { model: "m", messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: 7 }] }] },
};

const CALL_THEN_ECHO: readonly Turn[] = [
  { call: { server: "pruner", tool: "read" }, with: { file_path: "a.ts" } },
  { call: { tool: "exec" }, with: (seen) => ({ echo: seen.outputs.at(-1)?.parts[0] }) },
];

describe.each([openAi, anthropic])("a scripted model on the $name wire", (wire) => {
  let model: ScriptedModel;
  afterEach(() => model.close());

  async function ask(body: object): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(model.origin + wire.path, { method: "POST", body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  }

  it("gives the same turn to the same conversation, however often it is asked", async () => {
    model = await wire.start(CALL_THEN_ECHO);
    const first = await ask(wire.request());
    expect(first.status).toBe(200);
    expect(first.text).toContain('\\"file_path\\":\\"a.ts\\"');
    expect(await ask(wire.request())).toEqual(first);
  });

  it("builds a later call from what the model saw before", async () => {
    model = await wire.start(CALL_THEN_ECHO);
    const { text } = await ask(wire.request("seen this"));
    expect(text).toContain('{\\"echo\\":\\"seen this\\"}');
  });

  it("records the tools and the outputs as the model saw them", async () => {
    model = await wire.start(CALL_THEN_ECHO);
    await ask(wire.request('⟦…⟧ "quoted"\n'));
    expect(model.conversations).toEqual([
      {
        answers: 1,
        instructions: expect.stringContaining("hello"),
        tools: [
          { tool: "exec", description: "own" },
          { server: "pruner", tool: "read", description: "files" },
        ],
        outputs: [
          {
            callId: "call_1",
            call: { server: "pruner", tool: "read" },
            parts: ['⟦…⟧ "quoted"\n'],
            isError: false,
          },
        ],
      },
    ]);
  });

  it("refuses, and remembers, a request beyond the script's end", async () => {
    model = await wire.start(CALL_THEN_ECHO.slice(0, 1));
    const { status, text } = await ask(wire.request("x"));
    expect(status).toBe(400);
    expect(text).toContain("asked for more");
    expect(model.problems).toHaveLength(1);
  });

  it("refuses a tool's result in a shape that it cannot read, instead of overlooking it", async () => {
    model = await wire.start(CALL_THEN_ECHO);
    expect((await ask(wire.broken)).status).toBe(400);
    expect(model.problems).toHaveLength(1);
  });
});
