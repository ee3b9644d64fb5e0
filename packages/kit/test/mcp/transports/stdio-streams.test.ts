// The stdio transport on streams of our own, for what a pipe does not let one see: who waits for whom.
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createEvents } from "../../../src/events/index.ts";
import { defineTool, serveStdio } from "../../../src/mcp/index.ts";
import { textIn } from "../../text-in.ts";

const ping = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`;

const forever = defineTool({
  name: "forever",
  description: "",
  args: z.object({}),
  inputSchema: { type: "object" },
  run: (_args, { signal, events }) =>
    new Promise((resolve) => {
      events.emit("info", "started");
      signal.addEventListener("abort", () => resolve({ text: "aborted" }));
    }),
});

function serve(output: Writable, options: { readonly drainMs?: number } = {}) {
  const input = new PassThrough();
  const stderr = new PassThrough();
  const events = createEvents({ stderr });
  const end = serveStdio(
    { name: "t", version: "1", tools: [forever], unknownTool: "invalid_params" },
    { events, env: {}, input, output, ...options },
  );
  return { input, stderr, events, end };
}

describe("stdio on given streams", () => {
  it("reads only a few further questions while its answers are not taken, and goes on when they are", async () => {
    const taken: string[] = [];
    let isTaking = false;
    let take = () => {};
    const output = new Writable({
      highWaterMark: 1,
      write(chunk, _encoding, done) {
        taken.push(String(chunk));
        if (isTaking) done();
        else take = done;
      },
    });
    const { input, end } = serve(output);
    for (let id = 0; id < 200; id++) {
      input.write(ping(id));
      await new Promise((resolve) => setImmediate(resolve));
    }
    input.end();
    expect([taken.length, output.writableLength < 40 * ping(0).length]).toEqual([1, true]);
    isTaking = true;
    take();
    expect((await end).graceful).toBe(true);
    expect(taken.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 200 }, (_, id) => id));
  });

  it("X-47 the end of the input is seen though the answers are not read, and they are not waited for for ever", async () => {
    const output = new Writable({ highWaterMark: 1, write: () => {} });
    const { input, end } = serve(output, { drainMs: 50 });
    input.end(`${ping(1)}${ping(2)}${ping(3)}`);
    expect((await end).graceful).toBe(false);
  });

  it("X-47 an output that is gone ends it, though nothing is being written", async () => {
    const idle = new PassThrough();
    const server = serve(idle);
    idle.destroy();
    expect((await server.end).graceful).toBe(false);
  });

  it("X-47 an output that is gone aborts the call in flight", async () => {
    const output = new PassThrough();
    const { input, stderr, events, end } = serve(output);
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "forever" } })}\n`);
    let logged = "";
    for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
      logged += String(chunk);
      if (logged.includes('"started"')) break;
    }
    output.destroy(new Error("EPIPE"));
    expect((await end).graceful).toBe(false);
    await events.flush();
    expect(textIn(stderr)).toContain("tool.respond_failed");
  });

  it("leaves no listener on the process behind", async () => {
    const names = ["SIGTERM", "SIGINT", "SIGHUP", "uncaughtException", "unhandledRejection"];
    const counts = () => names.map((name) => process.listenerCount(name));
    const before = counts();
    const { input, end } = serve(new PassThrough());
    expect(counts()).toEqual(before.map((count) => count + 1));
    input.end();
    await end;
    expect(counts()).toEqual(before);
  });
});
