// Dispatch without a transport: what only shows when the calls are counted, and what the SDK's own schemas say of us.

import { PassThrough } from "node:stream";
import { specTypeSchemas } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createEvents } from "../../src/events/index.ts";
import {
  createDispatcher,
  createSession,
  type DispatchOptions,
  defineTool,
  type Profile,
} from "../../src/mcp/index.ts";
import { textIn } from "../text-in.ts";

function serve(profile: Partial<Profile>, options: Partial<DispatchOptions> = {}) {
  const told: unknown[] = [];
  const session = createSession({ notify: (message) => told.push(message) });
  const log = new PassThrough();
  const events = createEvents({ stderr: log });
  const dispatcher = createDispatcher(
    { name: "t", version: "1", tools: [], unknownTool: "invalid_params", ...profile },
    { events, env: {}, ...options },
  );
  const ask = async (message: object) => {
    const reply = await dispatcher.receive(Buffer.from(JSON.stringify(message)), session);
    return reply === undefined ? undefined : JSON.parse(reply.text);
  };
  const call = (id: number, name: string, args: object, meta?: object) =>
    ask({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
    });
  const logged = async () => {
    await events.flush();
    return textIn(log);
  };
  return { dispatcher, session, told, ask, call, logged };
}

const STOPPING = { code: -32000, message: "the server is stopping" };

describe("dispatch", () => {
  it("J-24 a tool is not run on invalid parameters, and validation happens before anything else can", async () => {
    let ran = 0;
    const tool = defineTool({
      name: "once",
      description: "",
      args: z.object({ n: z.number() }),
      inputSchema: { type: "object" },
      run: async () => ({ text: String(++ran) }),
    });
    const { call } = serve({ tools: [tool] });
    expect((await call(1, "once", { n: "1" })).error.code).toBe(-32602);
    expect(ran).toBe(0);
    expect((await call(2, "once", { n: 1 })).result.content).toEqual([{ type: "text", text: "1" }]);
  });

  it("bounded: no more calls run at once than there are places, and one that waits can be cancelled", async () => {
    let running = 0;
    let most = 0;
    let ran = 0;
    const tool = defineTool({
      name: "slow",
      description: "",
      args: z.object({}),
      inputSchema: { type: "object" },
      run: async () => {
        ran++;
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return { text: "" };
      },
    });
    const { call, ask, session } = serve({ tools: [tool] }, { maxConcurrentCalls: 3 });
    const calls = Array.from({ length: 20 }, (_, id) => call(id, "slow", {}));
    expect(session.running).toBe(20);
    await ask({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 19 } });
    const answers = await Promise.all(calls);
    expect(answers.map((answer) => answer?.id)).toEqual([...Array(19).keys(), undefined]);
    expect([most, ran, session.running]).toEqual([3, 19, 0]);
  });

  it("slow calls of one tool held up all others: each tool has places of its own", async () => {
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const toolCalled = (name: string, run: () => Promise<{ text: string }>) =>
      defineTool({ name, description: "", args: z.object({}), inputSchema: { type: "object" }, run });
    const slow = toolCalled("slow", () => held.then(() => ({ text: "slow" })));
    const quick = toolCalled("quick", async () => ({ text: "quick" }));
    const { call } = serve({ tools: [slow, quick] }, { maxConcurrentCalls: 2 });
    const waiting = Array.from({ length: 5 }, (_, id) => call(id, "slow", {}));
    expect((await call(10, "quick", {})).result.content[0].text).toBe("quick");
    end();
    expect(await Promise.all(waiting)).toHaveLength(5);
  });

  it("J-10 an answer is one line for every reader of lines, and says what it said", async () => {
    const odd = "a\u2028b\u2029c\u0085d\re\nf";
    const { dispatcher, session } = serve({ methods: { odd: () => ({ odd }) } });
    const request = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"odd"}');
    const text = (await dispatcher.receive(request, session))?.text ?? "";
    expect(text).not.toMatch(/[\n\r\u2028\u2029]/);
    expect(JSON.parse(text).result).toEqual({ odd });
  });

  it.each(["cancel", "abortAll"] as const)(
    "J-82 a call that throws when told to stop (%s) is no internal error",
    async (how) => {
      const tool = defineTool({
        name: "forever",
        description: "",
        args: z.object({}),
        inputSchema: { type: "object" },
        run: (_args, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          }),
      });
      const { ask, call, session, logged } = serve({ tools: [tool] });
      const pending = call(1, "forever", {});
      await new Promise((resolve) => setImmediate(resolve));
      if (how === "cancel") await ask({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
      else session.abortAll();
      expect((await pending)?.error).toEqual(how === "cancel" ? undefined : STOPPING);
      const log = await logged();
      expect(log).toContain("tool.request_cancelled");
      expect(log).not.toContain("tool.internal_error");
    },
  );

  it("progress goes only to a client that asked for it, with its own token", async () => {
    const tool = defineTool({
      name: "steps",
      description: "",
      args: z.object({}),
      inputSchema: { type: "object" },
      run: async (_args, { progress }) => {
        progress({ progress: 1, total: 2, message: "half" });
        return { text: "" };
      },
    });
    const { call, told } = serve({ tools: [tool] });
    await call(1, "steps", {});
    expect(told).toEqual([]);
    await call(2, "steps", {}, { progressToken: "p" });
    expect(told).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "p", progress: 1, total: 2, message: "half" },
      },
    ]);
  });

  it("X-14 field_errors stand beside the issues where the transport asks for them", async () => {
    const { ask } = serve({}, { fieldErrors: true });
    const { error } = await ask({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    expect(error.data.field_errors).toEqual([{ field: "protocolVersion", message: "invalid_type" }]);
  });

  it("X-45 the SDK's own schemas accept what we answer", async () => {
    const tool = defineTool({
      name: "t",
      description: "d",
      args: z.object({}),
      inputSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      annotations: { readOnlyHint: true },
      meta: { "x/y": 1 },
      run: async () => ({ text: "t", more: ["m"], structured: { a: 1 }, isError: true }),
    });
    const { ask, call } = serve({ tools: [tool], instructions: "i" });
    const accepts = async (name: "InitializeResult" | "ListToolsResult" | "CallToolResult", value: unknown) =>
      (await specTypeSchemas[name]["~standard"].validate(value)).issues;
    const init = await ask({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } });
    expect(await accepts("InitializeResult", init.result)).toBeUndefined();
    const list = await ask({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    expect(await accepts("ListToolsResult", list.result)).toBeUndefined();
    expect(await accepts("CallToolResult", (await call(3, "t", {})).result)).toBeUndefined();
    expect(await accepts("CallToolResult", { content: 1 })).toBeDefined();
  });
});
