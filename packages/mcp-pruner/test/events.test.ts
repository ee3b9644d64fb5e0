// What the server says on stderr, one JSON object a line, and in the file of JEEVES_EVENT_LOG.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Event, makeTempDir, type Server, startServer } from "./server-under-test.ts";
import { pythonModule, RETRY_QUESTION } from "./texts.ts";

let server: Server;
let log: Awaited<ReturnType<typeof makeTempDir>>;
beforeAll(async () => {
  log = await makeTempDir();
  server = await startServer({ env: { JEEVES_EVENT_LOG: join(log.path, "events.jsonl") } });
  await writeFile(join(server.root, "orders.py"), pythonModule());
  // The answer to initialize may be here before its event is: that one belongs to no call.
  await server.waitForEvent("mcp.client_connected");
});
afterAll(async () => {
  await server.stop();
  await log.remove();
});

/** The events of one call, in order. */
async function eventsOf(name: string, args: Record<string, unknown>): Promise<Event[]> {
  const before = server.events.length;
  await server.request("tools/call", { name, arguments: args });
  const isLast = (event: Event) => /^tool\.(respond_ok|request_invalid)$/.test(event.event);
  await server.waitForEvent("tool.respond_ok", () => server.events.slice(before).some(isLast)).catch(() => undefined);
  return server.events.slice(before);
}
const names = (events: readonly Event[]) => events.map((event) => event.event);

describe("shape", () => {
  it("J-68 J-70 every line is {ts, level, event, request_id?, data?}; ready names the root", async () => {
    const ready = await server.waitForEvent("mcp_pruner.ready");
    expect(ready.data).toEqual({ root: server.root });
    for (const event of server.events) {
      expect(Object.keys(event).every((key) => ["ts", "level", "event", "request_id", "data"].includes(key))).toBe(
        true,
      );
      expect(new Date(event.ts).toISOString()).toBe(event.ts);
      expect(["debug", "info", "warn", "error"]).toContain(event.level);
    }
  });
});

describe("a call", () => {
  it("J-73 J-74 J-76 J-77 J-79 raw: received, executed, responded, all under one fresh request_id", async () => {
    const events = await eventsOf("read", { file_path: "orders.py" });
    expect(names(events)).toEqual(["tool.request_received", "tool.exec_start", "tool.exec_ok", "tool.respond_ok"]);
    expect(new Set(events.map((event) => event.request_id)).size).toBe(1);
    expect(events[0]?.data).toMatchObject({ tool: "read" });
    expect(events[2]?.data).toMatchObject({
      tool: "read",
      duration_ms: expect.any(Number),
      bytes: pythonModule().length,
    });
    expect(events[3]?.data).toMatchObject({
      mode: "raw",
      states: [
        "req:received",
        "req:validating",
        "req:executing_tool",
        "req:raw_output_ready",
        "req:prune_check",
        "req:respond_raw",
        "req:responded",
      ],
    });
    const [next] = await eventsOf("read", { file_path: "orders.py" });
    expect(next?.request_id).not.toBe(events[0]?.request_id);
  });

  it("J-75 J-79 pruned: the engine's start and end, with sizes", async () => {
    const events = await eventsOf("read", { file_path: "orders.py", context_focus_question: RETRY_QUESTION });
    expect(names(events)).toEqual([
      "tool.request_received",
      "tool.exec_start",
      "tool.exec_ok",
      "pruner.call_start",
      "pruner.call_ok",
      "tool.respond_ok",
    ]);
    expect(events[3]?.data).toMatchObject({ endpoint: "embedded", tool: "read", input_bytes: pythonModule().length });
    expect(events[4]?.data).toMatchObject({
      tool: "read",
      pruner_duration_ms: expect.any(Number),
      pruned_bytes: expect.any(Number),
    });
    expect(events[5]?.data).toMatchObject({ mode: "pruned" });
    expect(events[5]?.data?.states).toEqual(expect.arrayContaining(["req:calling_pruner", "req:respond_pruned"]));
  });

  it("J-73 J-79 invalid: the validation errors are in the event", async () => {
    const events = await eventsOf("read", {});
    expect(names(events)).toEqual(["tool.request_received", "tool.request_invalid"]);
    expect(events[1]?.data).toMatchObject({
      tool: "read",
      message: "Invalid params",
      validation_errors: [{ path: "arguments.file_path" }],
    });
  });

  it("J-74 J-77 J-79 failed: the code; a timeout is logged first as such", async () => {
    const failed = await eventsOf("bash", { command: "exit 4" });
    expect(names(failed)).toEqual(["tool.request_received", "tool.exec_start", "tool.exec_failed", "tool.respond_ok"]);
    expect(failed[2]?.data).toMatchObject({
      tool: "bash",
      code: "nonzero_exit",
      message: expect.any(String),
      exit_code: 4,
    });
    expect(failed[3]?.data?.states).toEqual(["req:received", "req:validating", "req:executing_tool", "req:tool_error"]);
    const late = await eventsOf("bash", { command: "sleep 100", timeout_ms: 100 });
    expect(names(late)).toEqual([
      "tool.request_received",
      "tool.exec_start",
      "tool.exec_timeout",
      "tool.exec_failed",
      "tool.respond_ok",
    ]);
    expect(late[2]?.data).toMatchObject({ tool: "bash", timeout_ms: 100 });
  });
});

it("X-17 the same events are appended to JEEVES_EVENT_LOG", async () => {
  await eventsOf("bash", { command: "echo logged" });
  const lines = (await readFile(join(log.path, "events.jsonl"), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(names(server.events).slice(0, lines.length));
  expect(lines.length).toBeGreaterThan(5);
});

it("X-17 a log that cannot be written harms nothing", async () => {
  const own = await startServer({ env: { JEEVES_EVENT_LOG: "/proc/nowhere/events.jsonl" } });
  expect((await own.call("bash", { command: "echo fine" })).structuredContent.stdout).toBe("fine\n");
  await own.stop();
});
