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
    const it = start();
    it.send(wait({ ms: 300 }, "slow"), '{"jsonrpc":"2.0","id":"last","method":"ping"}');
    it.child.stdin.end();
    expect(await it.exit()).toEqual({ code: 0, signal: null });
    expect(it.answers.map((answer) => answer.id).sort()).toEqual(["last", "slow"]);
    expect((await it.event("fixture.stopped")).data?.graceful).toBe(true);
    expect(it.events.map(({ event }) => event)).toContain("fixture.draining");
  });

  it("X-47 but not for ever: then they are aborted", async () => {
    const it = start({ FIXTURE_DRAIN_MS: "50" });
    const note = newNote();
    it.send(wait({ ms: 60_000, note }));
    await it.event("fixture.waiting");
    it.child.stdin.end();
    expect(await it.exit()).toEqual({ code: 0, signal: null });
    expect(readFileSync(note, "utf8")).toBe("aborted");
    expect((await it.event("fixture.stopped")).data?.graceful).toBe(false);
  });

  it("X-47 with nothing in flight it is the end at once", async () => {
    const it = start();
    it.child.stdin.end();
    expect(await it.exit()).toEqual({ code: 0, signal: null });
    expect((await it.event("fixture.stopped")).data?.graceful).toBe(true);
  });
});

describe("a stop from outside", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("X-47 %s aborts what is in flight, and exits 0", async (signal) => {
    const it = start();
    const note = newNote();
    it.send(wait({ ms: 60_000, note }));
    await it.event("fixture.waiting");
    it.child.kill(signal);
    expect(await it.exit()).toEqual({ code: 0, signal: null });
    expect(readFileSync(note, "utf8")).toBe("aborted");
    expect(it.answers.map((answer) => answer.result?.content)).toEqual([[{ type: "text", text: "aborted" }]]);
    expect((await it.event("fixture.stopped")).data?.graceful).toBe(false);
    expect(it.events.map(({ event }) => event)).not.toContain("tool.internal_error");
  });

  it("X-47 a signal ends a drain too, and a call that ignores its abort holds nobody up", async () => {
    const it = start();
    const note = newNote();
    it.send(wait({ ms: 60_000, note, stubborn: true }));
    await it.event("fixture.waiting");
    it.child.stdin.end();
    await it.event("fixture.draining");
    it.child.kill("SIGTERM");
    expect(await it.exit()).toEqual({ code: 0, signal: null });
    expect(existsSync(note)).toBe(false);
  });

  it("J-76 X-47 a stdout that breaks ends it, with the failed answer logged", async () => {
    const it = start();
    const note = newNote();
    it.send(wait({ ms: 60_000, note }));
    await it.event("fixture.waiting");
    it.child.stdout.destroy();
    it.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "echo", arguments: { text: "x" } } });
    expect(await it.exit()).toEqual({ code: 0, signal: null });
    expect(readFileSync(note, "utf8")).toBe("aborted");
    const failed = await it.event("tool.respond_failed");
    expect(failed.data).toMatchObject({ tool: "echo" });
    expect(failed.data?.states).toContain("req:internal_error");
    expect((await it.event("fixture.stopped")).data?.graceful).toBe(false);
  });

  it("X-47 a parent that dies ends it, even while somebody holds its stdin open", async () => {
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
    const it = start();
    const note = newNote();
    it.send(wait({ ms: 60_000, note }, 7));
    await it.event("fixture.waiting");
    it.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "7" } });
    await it.ask("ping", undefined, "between");
    expect(existsSync(note)).toBe(false);
    it.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    await it.event("tool.request_cancelled");
    it.child.stdin.end();
    await it.exit();
    expect(readFileSync(note, "utf8")).toBe("aborted");
    expect(it.answers.map((answer) => answer.id)).toEqual(["between"]);
  });
});

describe("the other streams", () => {
  it("J-06 a stderr that nobody reads any more changes nothing for the client", async () => {
    const it = start();
    await it.event("fixture.ready");
    it.child.stderr.destroy();
    for (const text of ["a", "b", "c"]) {
      expect((await it.call("echo", { text })).result?.content).toEqual([{ type: "text", text }]);
    }
    it.child.stdin.end();
    expect(await it.exit()).toEqual({ code: 0, signal: null });
  });

  it("X-17 events are also appended to the file named, one JSON line each, up to the last", async () => {
    const file = newNote();
    const it = start({ JEEVES_EVENT_LOG: file });
    await it.call("echo", { text: "a" });
    it.child.stdin.end();
    await it.exit();
    const logged = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(logged.map((line) => JSON.parse(line))).toEqual(it.events);
    expect(it.events.at(-1)?.event).toBe("fixture.stopped");
  });

  it("X-17 X-47 a full pipe that nobody reads misses events and holds up neither a call nor the end", async () => {
    const pipe = newNote();
    execFileSync("mkfifo", [pipe]);
    const filled = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      expect(() => {
        for (;;) writeSync(filled, Buffer.alloc(4_096));
      }).toThrow("EAGAIN");
      const it = start({ JEEVES_EVENT_LOG: pipe });
      expect((await it.call("echo", { text: "a" })).error).toBeUndefined();
      it.child.stdin.end();
      expect(await it.exit()).toEqual({ code: 0, signal: null });
    } finally {
      closeSync(filled);
    }
  });

  it("X-17 a file that cannot be written is no reason to fail", async () => {
    const it = start({ JEEVES_EVENT_LOG: join(built.file, "not-a-directory", "events.jsonl") });
    expect((await it.call("echo", { text: "a" })).error).toBeUndefined();
    it.child.stdin.end();
    expect(await it.exit()).toEqual({ code: 0, signal: null });
  });
});
