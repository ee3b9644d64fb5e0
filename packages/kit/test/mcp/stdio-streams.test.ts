// The stdio transport on streams of our own, for what a pipe does not let one see: who waits for whom.
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createEvents } from "../../src/events/index.ts";
import { defineTool, serveStdio } from "../../src/mcp/index.ts";

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

function serve(output: Writable) {
  const input = new PassThrough();
  const stderr = new PassThrough();
  const end = serveStdio(
    { name: "t", version: "1", tools: [forever], unknownTool: "invalid_params" },
    { events: createEvents({ stderr }), env: {}, input, output },
  );
  return { input, stderr, end };
}

describe("stdio on given streams", () => {
  it("reads no further questions while its answers are not taken, and goes on when they are", async () => {
    const taken: string[] = [];
    let take = () => {};
    const output = new Writable({
      highWaterMark: 1,
      write(chunk, _encoding, done) {
        taken.push(String(chunk));
        take = done;
      },
    });
    const { input, end } = serve(output);
    const paused = once(input, "pause");
    input.write(ping(1));
    await paused;
    input.write(ping(2));
    input.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect([taken.length, output.writableLength < 100]).toEqual([1, true]);
    const resumed = once(input, "resume");
    take();
    await resumed;
    for (let turn = 0; turn < 1_000 && taken.length < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    take();
    expect((await end).graceful).toBe(true);
    expect(taken.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
  });

  it("X-47 an output that is gone ends it, though nothing is being written", async () => {
    const idle = new PassThrough();
    const server = serve(idle);
    idle.destroy();
    expect((await server.end).graceful).toBe(false);
  });

  it("X-47 an output that is gone aborts the call in flight", async () => {
    const output = new PassThrough();
    const { input, stderr, end } = serve(output);
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "forever" } })}\n`);
    let logged = "";
    for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
      logged += String(chunk);
      if (logged.includes('"started"')) break;
    }
    output.destroy(new Error("EPIPE"));
    expect((await end).graceful).toBe(false);
    expect(String(stderr.read())).toContain("tool.respond_failed");
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
