import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { PROC } from "@jeeves/base";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createProvider } from "../src/create-provider.ts";
import type { ProviderRunOptions } from "../src/provider.ts";
import { runAgent } from "../src/runner.ts";
import { RunnerError } from "../src/runner-error.ts";
import { dataOf, LONG_FILE, namesOf, runScript } from "./run-under-test.ts";
import { fixture, makeTempDir, readEvents, readRun, waitUntil } from "./scratch.ts";

const on = { JEEVES_PRUNER_ENABLED: "1" };
const read = (file: string, question?: string) => ({
  call: { server: "pruner", tool: "read" },
  with: { file_path: file, ...(question === undefined ? {} : { context_focus_question: question }) },
});
const STARTED = ["run:init", "run:mcp_pruner_starting"];

describe("a run with the real server", () => {
  it("J-78 J-72 J-88 goes from init to running to shutdown, with the server's own events in its log", async () => {
    const { outcome, events, run } = await runScript(
      [read("long.py", "what does function_77 return?"), { say: "Done." }],
      {
        env: on,
      },
    );
    expect(outcome).toMatchObject({
      status: "completed",
      text: "Done.",
      toolCalls: 1,
      failedToolCalls: 0,
      eventsLost: 0,
    });
    expect(outcome.prunerStates).toEqual([...STARTED, "run:mcp_pruner_running", "run:shutdown"]);
    expect(namesOf(events, "mcp_pruner.")).toEqual(["mcp_pruner.ready", "mcp_pruner.stopped"]);
    expect(namesOf(events, "tool.")).toEqual(expect.arrayContaining(["tool.exec_ok", "tool.respond_ok"]));
    expect(run).toMatchObject({ status: "completed", provider: "scripted", pruner: { state: "run:shutdown" } });
  });

  it("J-92 tool events carry raw, kept and recovered sizes, and the run their sums", async () => {
    let pruneId = "";
    const first = await runScript([read("long.py", "what does function_77 return?")], { env: on });
    const cut = dataOf(first.events, "agent.tool_result");
    pruneId = /prn_[a-z2-7]{12}/.exec(String(cut?.text))?.[0] ?? "";
    expect(cut).toMatchObject({ tool: "mcp:pruner/read", raw_bytes: Buffer.byteLength(LONG_FILE), recovered_bytes: 0 });
    expect(Number(cut?.kept_bytes)).toBeLessThan(Buffer.byteLength(LONG_FILE) / 2);

    const recover = { call: { server: "pruner", tool: "recover_text" }, with: { prune_id: pruneId } };
    const second = await runScript([recover], { env: on, dir: first.dir });
    const back = dataOf(second.events, "agent.tool_result");
    expect(back).toMatchObject({ raw_bytes: 0, kept_bytes: 0, recovered_bytes: Buffer.byteLength(LONG_FILE) });
    expect(second.run).toMatchObject({ recovered_bytes: Buffer.byteLength(LONG_FILE), tool_calls: 1 });
  });

  it("X-17 J-91 the servers get the run's id and log and, where set, the places of the state, and nothing else", async () => {
    let given: ProviderRunOptions | undefined;
    const dir = await makeTempDir();
    const provider = {
      name: "looking",
      async *run(_prompt: string, options: ProviderRunOptions) {
        given = options;
        yield { kind: "ended" as const, status: "completed" as const, text: "" };
      },
    };
    const env = { ...on, PRUNER_URL: "http://ignored/", HOME: dir };
    const state = join(dir, "state");
    const a = await runAgent({ provider, prompt: "x", cwd: dir, env: { ...env, JEEVES_STATE_DIR: state } });
    expect(given?.mcpServers?.pruner?.env).toEqual({
      PRUNER_URL: "http://localhost:8000/prune",
      MCP_PRUNER_CWD: dir,
      JEEVES_RUN_ID: a.id,
      JEEVES_EVENT_LOG: join(state, "runs", a.id, "events.jsonl"),
      JEEVES_STATE_DIR: state,
    });
    const b = await runAgent({ provider, prompt: "x", cwd: dir, env: { ...env, XDG_STATE_HOME: join(dir, "xdg") } });
    expect(given?.mcpServers?.pruner?.env).toEqual({
      PRUNER_URL: "http://localhost:8000/prune",
      MCP_PRUNER_CWD: dir,
      JEEVES_RUN_ID: b.id,
      JEEVES_EVENT_LOG: join(dir, "xdg", "jeeves", "runs", b.id, "events.jsonl"),
      XDG_STATE_HOME: join(dir, "xdg"),
    });
    // A server starts elsewhere, so a relative place is made absolute.
    const near = relative(process.cwd(), state);
    await runAgent({ provider, prompt: "x", cwd: dir, env: { ...env, JEEVES_STATE_DIR: near } });
    expect(given?.mcpServers?.pruner?.env?.JEEVES_STATE_DIR).toBe(state);
  });
});

describe("a run without it", () => {
  it("J-69 J-81 J-83 unset is off: config_disabled, no servers, not_running at the end", async () => {
    const { outcome, events } = await runScript([read("long.py"), { say: "Done." }]);
    expect(outcome.status).toBe("completed");
    expect(outcome.prunerStates).toEqual(["run:init", "run:mcp_pruner_disabled", "run:shutdown"]);
    expect(namesOf(events, "mcp_pruner.")).toEqual(["mcp_pruner.disabled", "mcp_pruner.not_running"]);
    expect(dataOf(events, "mcp_pruner.disabled")).toEqual({ reason: "config_disabled" });
    expect(namesOf(events, "agent.server")).toEqual([]);
  });

  it.each([
    ["JEEVES_PRUNER_URL", "not a url"],
    ["JEEVES_MCP_PRUNER_PATH", "/nowhere/index.js"],
  ])("J-69 J-71 J-84 J-85 an invalid %s is named, and the run goes on without MCP", async (name, value) => {
    const { outcome, events } = await runScript([{ say: "Done." }], { env: { ...on, [name]: value } });
    expect(outcome.status).toBe("completed");
    expect(outcome.prunerStates).toEqual(["run:init", "run:mcp_pruner_disabled", "run:shutdown"]);
    expect(dataOf(events, "mcp_pruner.config_invalid")).toMatchObject({ name, value });
    expect(dataOf(events, "mcp_pruner.disabled")).toEqual({ reason: "config_invalid" });
  });
});

describe("a server that fails", () => {
  it("J-71 J-80 before it is there: spawn_error, start_failed, disabled, and the run is completed", async () => {
    const env = { ...on, JEEVES_MCP_PRUNER_PATH: fixture("exiting-server.mjs") };
    const { outcome, events } = await runScript([read("long.py"), { say: "Done." }], { env });
    expect(outcome).toMatchObject({ status: "completed", failedToolCalls: 1 });
    expect(outcome.prunerStates).toEqual([...STARTED, "run:mcp_pruner_disabled", "run:shutdown"]);
    expect(namesOf(events, "mcp_pruner.")).toEqual([
      "mcp_pruner.spawn_error",
      "mcp_pruner.start_failed",
      "mcp_pruner.disabled",
      "mcp_pruner.not_running",
    ]);
    expect(dataOf(events, "mcp_pruner.start_failed")).toEqual({ message: "Connection closed" });
    expect(dataOf(events, "mcp_pruner.disabled")).toEqual({ reason: "start_failed" });
  });

  it("J-71 J-80 that says itself why: its own start_failed is the only one", async () => {
    const env = { ...on, JEEVES_MCP_PRUNER_PATH: fixture("failing-server.mjs") };
    const { outcome, events } = await runScript([{ say: "Done." }], { env });
    expect(outcome.prunerStates).toEqual([...STARTED, "run:mcp_pruner_disabled", "run:shutdown"]);
    expect(namesOf(events, "mcp_pruner.")).toEqual([
      "mcp_pruner.start_failed",
      "mcp_pruner.disabled",
      "mcp_pruner.not_running",
    ]);
    expect(dataOf(events, "mcp_pruner.start_failed")).toEqual({ message: "the root is not there" });
  });

  it("J-80 that never answers: disabled when the time is over, while the agent is still at work", async () => {
    const env = { ...on, JEEVES_MCP_PRUNER_PATH: fixture("hanging-server.mjs") };
    const { outcome, events } = await runScript([{ say: "Done." }], { env, readyWithinMs: 100, serverStartMs: 1_500 });
    expect(outcome.status).toBe("completed");
    expect(outcome.prunerStates).toEqual([...STARTED, "run:mcp_pruner_disabled", "run:shutdown"]);
    expect(dataOf(events, "mcp_pruner.start_failed")).toEqual({ message: "not ready within 0.1 s" });
    expect(namesOf(events).indexOf("mcp_pruner.disabled")).toBeLessThan(namesOf(events).indexOf("agent.message"));
  });

  // The server is the agent's child: its process is found by /proc alone.
  it.runIf(existsSync(PROC))(
    "J-80 that hangs at its start held the agent up for as long as that waits: it is ended with the runner's patience",
    async () => {
      const env = { ...on, JEEVES_MCP_PRUNER_PATH: fixture("hanging-server.mjs") };
      const patience = { readyWithinMs: 500, serverStartMs: 600_000 };
      const { outcome } = await runScript([{ say: "Done." }], { env, ...patience });
      expect(outcome.status).toBe("completed");
      expect(outcome.prunerStates).toEqual([...STARTED, "run:mcp_pruner_disabled", "run:shutdown"]);
    },
  );

  it("J-80 that is silent until the first turn is over: disabled then", async () => {
    let turn = () => {};
    const provider = {
      name: "quick",
      async *run() {
        yield { kind: "started" as const };
        yield { kind: "turn_ended" as const };
        turn();
        yield { kind: "ended" as const, status: "completed" as const, text: "" };
      },
    };
    const records: string[] = [];
    let atTurnEnd: string[] = [];
    turn = () => {
      atTurnEnd = [...records];
    };
    const { outcome, events } = await runScript([], {
      env: on,
      provider,
      onRecord: ({ event }) => records.push(event),
    });
    expect(dataOf(events, "mcp_pruner.start_failed")).toEqual({ message: "not ready by the end of the first turn" });
    expect(atTurnEnd).toContain("mcp_pruner.disabled");
    expect(outcome.prunerStates).toEqual([...STARTED, "run:mcp_pruner_disabled", "run:shutdown"]);
  });

  it("J-72 J-80 J-81 in its third call: degraded for the rest of the run, which is completed", async () => {
    const env = { ...on, JEEVES_MCP_PRUNER_PATH: fixture("crashing-server.mjs") };
    const steps = [read("a"), read("b"), read("c"), read("d"), { say: "Done." }];
    const { outcome, events } = await runScript(steps, { env });
    expect(outcome).toMatchObject({ status: "completed", toolCalls: 4, failedToolCalls: 2 });
    expect(outcome.prunerStates).toEqual([
      ...STARTED,
      "run:mcp_pruner_running",
      "run:mcp_pruner_degraded",
      "run:shutdown",
    ]);
    expect(namesOf(events, "mcp_pruner.")).toEqual([
      "mcp_pruner.ready",
      "mcp_pruner.exited",
      "mcp_pruner.degraded",
      "mcp_pruner.shutdown_after_degraded",
    ]);
    expect(dataOf(events, "mcp_pruner.degraded")).toEqual({ reason: "exited", exit_code: 7 });
  });

  it.runIf(existsSync(PROC))("J-72 J-80 between two calls: noticed without any call", async () => {
    const records: string[] = [];
    const steps = [
      { run: [process.execPath, fixture("kill-server.mjs")] },
      { run: [process.execPath, fixture("wait-for-event.mjs"), "mcp_pruner.degraded"] },
      { say: "Done." },
    ];
    const { outcome, events } = await runScript(steps, { env: on, onRecord: ({ event }) => records.push(event) });
    expect(outcome.status).toBe("completed");
    expect(dataOf(events, "mcp_pruner.degraded")).toEqual({ reason: "exited", signal: "SIGKILL" });
    expect(records.indexOf("mcp_pruner.degraded")).toBeLessThan(records.indexOf("agent.message"));
  });

  it("J-80 the next run starts again from run:init", async () => {
    const crashing = { ...on, JEEVES_MCP_PRUNER_PATH: fixture("crashing-server.mjs") };
    const first = await runScript([read("a"), read("b"), read("c")], { env: crashing });
    expect(first.outcome.prunerStates).toContain("run:mcp_pruner_degraded");
    const second = await runScript([read("long.py")], { env: on, dir: first.dir });
    expect(second.outcome.prunerStates).toEqual([...STARTED, "run:mcp_pruner_running", "run:shutdown"]);
  });
});

describe("JEEVES_MCP", () => {
  it("J-83 never switches the pruner, and names what it does not know", async () => {
    const { outcome, events } = await runScript([{ say: "Done." }], { env: { JEEVES_MCP: "pruner, nonsense" } });
    expect(outcome.status).toBe("completed");
    expect(dataOf(events, "mcp_pruner.disabled")).toEqual({ reason: "config_disabled" });
    expect(dataOf(events, "mcp.config_invalid")).toMatchObject({ server: "nonsense" });
  });
});

describe("what cannot be run", () => {
  it("J-92 a directory that is not there, or is none, is refused before anything starts", async () => {
    const dir = await makeTempDir();
    const file = join(dir, "file");
    await writeFile(file, "");
    for (const [cwd, what] of [
      [join(dir, "not-there"), "does not exist"],
      [file, "is not a directory"],
      [join(dir, "x".repeat(300)), "cannot be worked in: ENAMETOOLONG"],
    ] as const) {
      const error = await runScript([], { cwd, dir }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RunnerError);
      expect(error).toMatchObject({ code: "cwd_unusable", message: expect.stringContaining(`${cwd} ${what}`) });
    }
    await expect(stat(join(dir, "state"))).rejects.toThrow(/ENOENT/);
  });

  it("J-92 an unknown provider is refused with the names of the known ones", async () => {
    await expect(createProvider("gemini")).rejects.toMatchObject({
      code: "unknown_provider",
      hint: "one of claude, codex, scripted",
    });
  });

  it("J-92 a missing agent is a failed run that says how to install it", async () => {
    const dir = await makeTempDir();
    const provider = await createProvider("codex");
    const { outcome, run } = await runScript([], { provider, dir, env: { PATH: dir } });
    expect(outcome).toMatchObject({
      status: "failed",
      error: { code: "agent_missing", hint: expect.stringContaining("npm install") },
    });
    expect(run).toMatchObject({ status: "failed" });
  });
});

describe("what a run leaves", () => {
  it("J-92 is readable by its owner alone, and while it runs", async () => {
    const dir = await makeTempDir();
    const id = "watched";
    const runDir = join(dir, "state", "runs", id);
    const stop = new AbortController();
    const running = runScript([{ say: "First." }, { hold: true }], { dir, id, signal: stop.signal });
    await waitUntil("the first message", async () =>
      (await readEvents(runDir).catch(() => [])).some(({ event }) => event === "agent.message"),
    );
    expect(await readRun(runDir)).toMatchObject({ id, status: "running", owner: { pid: process.pid } });
    stop.abort();
    const { outcome, run } = await running;
    expect(outcome).toMatchObject({ status: "cancelled", text: "First." });
    expect(run).toMatchObject({ status: "cancelled" });
    for (const [path, mode] of [
      [runDir, 0o700],
      [join(runDir, "run.json"), 0o600],
      [join(runDir, "events.jsonl"), 0o600],
    ] as const) {
      expect((await stat(path)).mode & 0o777).toBe(mode);
    }
  });

  // Each state is saved, and what one save gave back, the end of the run did not find again.
  const killed = [{ run: [process.execPath, fixture("kill-server.mjs")] }, read("long.py")];
  it.for([
    { saved: "once", sign: "running", env: {}, more: [] },
    { saved: "often", sign: "mcp_pruner_running", env: on, more: killed },
  ])("J-92 after a full disk run.json said for ever that the run goes on: saved $saved", async (given, { skip }) => {
    const { sign, env, more } = given;
    const dir = await makeTempDir();
    const state = join(dir, "state");
    await mkdir(state);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=128k", "tmpfs", state]);
    if (mounted.status !== 0) skip("a small disk needs the right to mount one");
    onTestFinished(() => void spawnSync("umount", [state]));
    // Only once there is a run.json, which would go on saying so.
    const isSaid = `until grep -qs ${sign} ${state}/runs/*/run.json; do sleep 0.01; done`;
    const fill = ["sh", "-c", `${isSaid}; head -c 1000000 /dev/zero > ${state}/filler || true`];
    const steps = [{ run: fill }, ...more, { say: "word ".repeat(2_000) }];
    const { outcome, run } = await runScript(steps, { dir, env });
    expect(outcome.status).toBe("completed");
    expect((await stat(join(state, "filler"))).size).toBeLessThan(1_000_000);
    expect(run).toMatchObject({ status: "completed", ended_at: expect.any(String) });
  });

  it("J-92 holds every event in the order in which it happened, each with the run's id", async () => {
    const { outcome, events } = await runScript([{ run: ["true"] }, { say: "Done." }]);
    expect(namesOf(events)).toEqual([
      "run.started",
      "mcp_pruner.disabled",
      "run.state",
      "agent.started",
      "agent.tool_call",
      "agent.tool_result",
      "agent.message",
      "agent.turn_ended",
      "agent.ended",
      "mcp_pruner.not_running",
      "run.state",
      "run.ended",
    ]);
    expect(new Set(events.map(({ data }) => data.run_id))).toEqual(new Set([outcome.id]));
  });

  it("J-92 a clock that is set back meanwhile makes no run end before it began", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { outcome, events, run } = await runScript([{ say: "Done." }], {
      onRecord({ event }) {
        if (event === "agent.message") vi.setSystemTime(Date.now() - 7_200_000);
      },
    });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
    expect(dataOf(events, "run.ended")).toMatchObject({ duration_ms: outcome.durationMs });
    expect(String(run.ended_at) >= String(run.started_at)).toBe(true);
  });

  it("J-92 an event of 50 MB becomes a short line that says how much there was", async () => {
    const text = "y".repeat(50 * 1024 * 1024);
    const { outcome, events } = await runScript([
      {
        event: { kind: "tool_call", id: "1", tool: "Bash", input: { command: text, list: Array(20_000).fill("abc") } },
      },
      { event: { kind: "message", text } },
      { say: "Done." },
    ]);
    expect(outcome.status).toBe("completed");
    expect(dataOf(events, "agent.message")?.text).toMatch(/^y{16384}… \[52412416 more characters\]$/);
    expect(JSON.stringify(dataOf(events, "agent.tool_call")).length).toBeLessThan(100_000);
    expect(events.every((event) => JSON.stringify(event).length < 100_000)).toBe(true);
  });

  it("J-92 a record stays whole in all its other fields, however large one of them is", async () => {
    const text = "\u0001".repeat(40_000);
    const steps = [
      { event: { kind: "tool_call" as const, id: "1", tool: "Bash", input: { list: Array(30_000).fill("abc") } } },
      { say: text },
      { fail: text },
    ];
    const { outcome, events, run } = await runScript(steps, { prompt: text });
    expect(dataOf(events, "agent.tool_call")).toMatchObject({ id: "1", tool: "Bash", input: { cut: true } });
    expect(new Set(events.map(({ data }) => data.run_id))).toEqual(new Set([outcome.id]));
    expect(run).toMatchObject({ id: outcome.id, status: "failed", tool_calls: 1 });
    expect(String(run.prompt)).toMatch(/\[23616 more characters\]$/);
    expect(outcome.text).toBe(text);
  });

  it("X-17 a JEEVES_EVENT_LOG of the caller's own gets every record as well, the server's too", async () => {
    const dir = await makeTempDir();
    const file = join(dir, "all.jsonl");
    const { events } = await runScript([read("long.py"), { say: "Done." }], {
      dir,
      env: { ...on, JEEVES_EVENT_LOG: file },
    });
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    const names = lines.map((line) => JSON.parse(line).event);
    expect(names.toSorted()).toEqual(namesOf(events).toSorted());
    expect(names).toEqual(
      expect.arrayContaining(["mcp_pruner.ready", "tool.respond_ok", "agent.message", "run.ended"]),
    );
  });

  it("J-92 an agent that says more than a disk can take at once is written down whole", async () => {
    const count = 12_000;
    const steps = Array.from({ length: count }, (_, n) => ({ event: { kind: "reasoning" as const, text: `${n}` } }));
    const { outcome, events } = await runScript([...steps, { say: "Done." }]);
    expect(outcome).toMatchObject({ status: "completed", eventsLost: 0 });
    expect(namesOf(events, "agent.reasoning")).toHaveLength(count);
  });

  it("J-92 a state directory that vanishes meanwhile costs what was in it, not the rest", async () => {
    const dir = await makeTempDir();
    const remove = "until grep -q First runs/watched/events.jsonl; do sleep 0.05; done; rm -r runs";
    const steps = [{ say: "First." }, { run: ["sh", "-c", `cd ../state && ${remove}`] }, { say: "Done." }];
    const { outcome, events, run } = await runScript(steps, { dir, id: "watched" });
    expect(JSON.stringify(events)).not.toContain("First.");
    expect(outcome).toMatchObject({ status: "completed", text: "Done." });
    expect(namesOf(events)).toEqual(expect.arrayContaining(["agent.message", "run.ended"]));
    expect(run).toMatchObject({ status: "completed", text: "Done." });
  });

  it("J-92 a disk that is full costs events, not the run, and the loss is said", async () => {
    const dir = await makeTempDir();
    const runDir = join(dir, "state", "runs", "full");
    await mkdir(runDir, { recursive: true });
    await symlink("/dev/full", join(runDir, "events.jsonl"));
    const { outcome, run } = await runScript([{ say: "Done." }], { dir, id: "full" });
    expect(outcome).toMatchObject({ status: "completed", text: "Done." });
    expect(outcome.eventsLost).toBeGreaterThan(5);
    expect(run).toMatchObject({ status: "completed", events_lost: expect.any(Number) });
    expect(Number(run.events_lost)).toBeGreaterThan(5);
  });

  it("J-92 without any place to write, the run is completed and says that nothing was written down", async () => {
    const dir = await makeTempDir();
    await writeFile(join(dir, "file"), "");
    const env = { JEEVES_STATE_DIR: join(dir, "file", "state"), TMPDIR: join(dir, "file") };
    const { outcome } = await runScript([{ say: "Done." }], { dir, env });
    expect(outcome).toMatchObject({ status: "completed", text: "Done.", dir: undefined });
    expect(outcome.eventsLost).toBeGreaterThan(5);
  });
});
