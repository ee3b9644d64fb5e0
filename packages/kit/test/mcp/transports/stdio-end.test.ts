// How a stdio server ends: every way out, with a call in flight, as seen from outside the process.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BuiltServer, buildFixtureServer, type RunningServer, startServer } from "../../fixture-server.ts";

let built: BuiltServer;
let server: RunningServer | undefined;
let notes = 0;
beforeAll(async () => {
  built = await buildFixtureServer();
});
afterAll(() => built.remove());
afterEach(async () => {
  server?.child.kill("SIGKILL");
  await server?.exit();
  server = undefined;
});
const start = (env: Readonly<Record<string, string>> = {}) => {
  server = startServer(built.file, env);
  return server;
};
const newNote = () => join(built.dir, `note-${++notes}`);
const wait = (args: object, id: string | number = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "wait", arguments: args },
});

describe("the end of the input", () => {
  it.each(["end of input", "SIGTERM"] as const)(
    "X-60 an event log that hangs does not keep the process: %s",
    async (how) => {
      const pipe = newNote();
      execFileSync("mkfifo", [pipe]);
      const hanging = new URL("../../fixtures/hanging-open.mjs", import.meta.url).href;
      const running = start({
        JEEVES_EVENT_LOG: join(built.dir, "events.jsonl"),
        HANGING_PIPE: pipe,
        NODE_OPTIONS: `--import=${hanging}`,
      });
      await running.event("fixture.ready");
      expect((await running.ask("ping")).result).toEqual({});
      if (how === "SIGTERM") running.child.kill(how);
      else running.child.stdin.end();
      await running.event("fixture.stopped");
      expect(await running.exit()).toEqual({ code: null, signal: "SIGKILL" });
      expect((await running.event("events.file_failed")).data).toMatchObject({ message: "it does not answer" });
    },
  );

  it("X-47 calls in flight are finished and answered first, a last line without its newline too", async () => {
    const server = start();
    server.send(wait({ ms: 300 }, "slow"), '{"jsonrpc":"2.0","id":"last","method":"ping"}');
    server.child.stdin.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    expect(server.answers.map((answer) => answer.id).sort()).toEqual(["last", "slow"]);
    expect((await server.event("fixture.stopped")).data?.graceful).toBe(true);
    expect(server.events.map(({ event }) => event)).toContain("fixture.draining");
  });

  it("X-47 but not for ever: then they are aborted", async () => {
    const server = start({ FIXTURE_DRAIN_MS: "50" });
    const note = newNote();
    server.send(wait({ ms: 60_000, note }));
    await server.event("fixture.waiting");
    server.child.stdin.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    expect(readFileSync(note, "utf8")).toBe("aborted");
    expect((await server.event("fixture.stopped")).data?.graceful).toBe(false);
  });

  it("X-47 with nothing in flight it is the end at once", async () => {
    const server = start();
    server.child.stdin.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    expect((await server.event("fixture.stopped")).data?.graceful).toBe(true);
  });
});

describe("a stop from outside", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("X-47 %s aborts what is in flight, and exits 0", async (signal) => {
    const server = start();
    const note = newNote();
    server.send(wait({ ms: 60_000, note }));
    await server.event("fixture.waiting");
    server.child.kill(signal);
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    expect(readFileSync(note, "utf8")).toBe("aborted");
    expect(server.answers.map((answer) => answer.result?.content)).toEqual([[{ type: "text", text: "aborted" }]]);
    expect((await server.event("fixture.stopped")).data?.graceful).toBe(false);
    expect(server.events.map(({ event }) => event)).not.toContain("tool.internal_error");
  });

  it("X-47 a signal ends a drain too, and a call that ignores its abort does not hold it up", async () => {
    const server = start();
    const note = newNote();
    server.send(wait({ ms: 60_000, note, stubborn: true }));
    await server.event("fixture.waiting");
    server.child.stdin.end();
    await server.event("fixture.draining");
    server.child.kill("SIGTERM");
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    expect(existsSync(note)).toBe(false);
  });

  it("J-76 X-47 a stdout that breaks ends it, with the failed answer logged", async () => {
    const server = start();
    const note = newNote();
    server.send(wait({ ms: 60_000, note }));
    await server.event("fixture.waiting");
    server.child.stdout.destroy();
    server.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "echo", arguments: { text: "x" } } });
    expect(await server.exit()).toEqual({ code: 0, signal: null });
    expect(readFileSync(note, "utf8")).toBe("aborted");
    const failed = await server.event("tool.respond_failed");
    expect(failed.data).toMatchObject({ tool: "echo" });
    expect(failed.data?.states).toContain("req:internal_error");
    expect((await server.event("fixture.stopped")).data?.graceful).toBe(false);
  });

  it("X-47 a parent that dies ends it, even while another process holds its stdin open", async () => {
    const note = newNote();
    const shell = spawn("sh", ["-c", '"$0" "$1" <&3 & wait', process.execPath, built.file], {
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    });
    const stdin = shell.stdio[3];
    if (!(stdin instanceof Writable) || shell.stderr === null) throw new Error("no pipe");
    const events: string[] = [];
    const lines = createInterface({ input: shell.stderr });
    const closed = once(lines, "close");
    const waiting = new Promise<void>((resolve) => {
      lines.on("line", (line) => {
        events.push(JSON.parse(line).event);
        if (events.at(-1) === "fixture.waiting") resolve();
      });
    });
    stdin.write(`${JSON.stringify(wait({ ms: 60_000, note }))}\n`);
    await waiting;
    shell.kill("SIGKILL");
    await closed;
    stdin.destroy();
    expect(readFileSync(note, "utf8")).toBe("aborted");
    expect(events.at(-1)).toBe("fixture.stopped");
  });
});

describe("a cancelled call", () => {
  it("J-82 is aborted and not answered; the same id under another type is left alone", async () => {
    const server = start();
    const note = newNote();
    server.send(wait({ ms: 60_000, note }, 7));
    await server.event("fixture.waiting");
    server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "7" } });
    await server.ask("ping", undefined, "between");
    expect(existsSync(note)).toBe(false);
    server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    await server.event("tool.request_cancelled");
    server.child.stdin.end();
    await server.exit();
    expect(readFileSync(note, "utf8")).toBe("aborted");
    expect(server.answers.map((answer) => answer.id)).toEqual(["between"]);
  });
});

describe("the other streams", () => {
  it("J-06 a stderr that is not read any more changes nothing for the client", async () => {
    const server = start();
    await server.event("fixture.ready");
    server.child.stderr.destroy();
    for (const text of ["a", "b", "c"]) {
      expect((await server.call("echo", { text })).result?.content).toEqual([{ type: "text", text }]);
    }
    server.child.stdin.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
  });

  it("X-17 events are also appended to the file named, one JSON line each, up to the last", async () => {
    const file = newNote();
    const server = start({ JEEVES_EVENT_LOG: file });
    await server.call("echo", { text: "a" });
    server.child.stdin.end();
    await server.exit();
    const logged = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(logged.map((line) => JSON.parse(line))).toEqual(server.events);
    expect(server.events.at(-1)?.event).toBe("fixture.stopped");
  });

  it("X-17 X-47 a full pipe misses events and holds up neither a call nor the end", async () => {
    const pipe = newNote();
    execFileSync("mkfifo", [pipe]);
    const filled = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      expect(() => {
        for (;;) writeSync(filled, Buffer.alloc(4_096));
      }).toThrow("EAGAIN");
      const server = start({ JEEVES_EVENT_LOG: pipe });
      expect((await server.call("echo", { text: "a" })).error).toBeUndefined();
      server.child.stdin.end();
      expect(await server.exit()).toEqual({ code: 0, signal: null });
    } finally {
      closeSync(filled);
    }
  });

  it("X-17 a file that cannot be written is no reason to fail", async () => {
    const server = start({ JEEVES_EVENT_LOG: join(built.file, "not-a-directory", "events.jsonl") });
    expect((await server.call("echo", { text: "a" })).error).toBeUndefined();
    server.child.stdin.end();
    expect(await server.exit()).toEqual({ code: 0, signal: null });
  });
});
