// What the viewer is fed from a real state directory: runs, sessions, stored cuts, savings, the haven; and what is
// damaged, gone, or not meant for it.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROC } from "@jeeves/base";
import { createInProcessEngine, createMeter, type Engine, type MeterEntry, toCutRecord } from "@jeeves/cut";
import { prune } from "@jeeves/prune";
import { runRudder } from "@jeeves/rudder";
import { createDiskStore } from "@jeeves/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { toStatistics } from "../src/stats/statistics.ts";
import type { Transcripts } from "../src/stats/transcript-book.ts";
import { openMeterBook } from "../src/viewer-data/meter-book.ts";
import { openViewerData } from "../src/viewer-data/open-viewer-data.ts";
import { toSavings } from "../src/viewer-data/savings.ts";
import { createTryPruner } from "../src/viewer-data/try-pruner.ts";

const JEEVES = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
/** The machine may be busy with something else. */
const PATIENT = { timeout: 30_000 };
const asked = { signal: new AbortController().signal };

async function makePlace() {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "jeeves-viewer-data-")));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const project = join(dir, "project");
  await mkdir(join(project, ".git"), { recursive: true });
  const env = {
    HOME: dir,
    TMPDIR: dir,
    PATH: process.env.PATH,
    JEEVES_STATE_DIR: join(dir, "state"),
    RUDDER_HAVEN: join(dir, "haven"),
  };
  return { dir, project, env, data: openViewerData({ env, cwd: project }), runs: join(dir, "state", "runs") };
}

async function writeRun(runs: string, id: string, run: object | string, events = ""): Promise<void> {
  await mkdir(join(runs, id), { recursive: true });
  await writeFile(join(runs, id, "run.json"), typeof run === "string" ? run : JSON.stringify(run));
  await writeFile(join(runs, id, "events.jsonl"), events);
}

function event(name: string, data: object): string {
  return `${JSON.stringify({ ts: "2026-11-15T10:00:00.000Z", level: "info", event: name, data })}\n`;
}

const entry = (more: Partial<MeterEntry>): Omit<MeterEntry, "ts"> => ({
  kind: "cut",
  session: "s1",
  client: "claude-code",
  tool: "Read",
  project: "/p",
  raw_tokens: 1000,
  kept_tokens: 200,
  ...more,
});

describe("runs for the viewer", () => {
  it("Runs: newest first, what runs now before all, and its figures from its log", async () => {
    const { data, runs } = await makePlace();
    const done = {
      provider: "codex",
      prompt: "Do\nit",
      cwd: "/p",
      status: "completed",
      started_at: "2026-11-15T09:00:00Z",
    };
    await writeRun(runs, "20261115T090000Z-aa", {
      ...done,
      tool_calls: 2,
      raw_bytes: 10,
      kept_bytes: 4,
      recovered_bytes: 1,
    });
    const live =
      event("agent.tool_call", { id: "1", tool: "mcp:pruner/read", input: {} }) +
      event("agent.tool_result", { id: "1", text: "", raw_bytes: 90, kept_bytes: 30, recovered_bytes: 0 });
    const owner = { pid: process.pid };
    await writeRun(
      runs,
      "20261115T080000Z-bb",
      { ...done, status: "running", owner, started_at: "2026-11-15T08:00:00Z" },
      live,
    );
    await writeRun(runs, "20261115T100000Z-cc", { ...done, status: "running", owner: { pid: 2 ** 22 + 1 } });
    const { runs: listed, total } = await data.runs.list(asked);
    expect(total).toBe(3);
    expect(listed.map(({ id, status }) => [id.slice(-2), status])).toEqual([
      ["bb", "running"],
      ["aa", "completed"],
      ["cc", "interrupted"],
    ]);
    expect(listed[0]).toMatchObject({ calls: 1, sizes: { unit: "bytes", raw: 90, kept: 30, recovered: 0 } });
    expect(listed[1]).toMatchObject({ title: "Do it", calls: 2, sizes: { raw: 10, kept: 4, recovered: 1 } });
  });

  it("Runs: one whose runner was killed is interrupted, at once and with the figures of its log", async () => {
    const { data, env, project, runs } = await makePlace();
    const script = join(project, "script.json");
    const sizes = { rawBytes: 90, keptBytes: 30, recoveredBytes: 0 };
    const call = { id: "1", tool: "Read" };
    await writeFile(
      script,
      JSON.stringify({
        steps: [
          { event: { kind: "tool_call", ...call, input: {} } },
          { event: { kind: "tool_result", ...call, isError: false, text: "", sizes } },
          { hold: true },
        ],
      }),
    );
    const runner = spawn(process.execPath, [JEEVES, "run", "--no-pruner", "-p", "scripted", "x"], {
      cwd: project,
      env: { ...env, JEEVES_SCRIPT: script },
      stdio: "ignore",
    });
    onTestFinished(() => void runner.kill("SIGKILL"));
    const first = async () => (await data.runs.list(asked)).runs[0];
    await expect.poll(first, PATIENT).toMatchObject({ status: "running", calls: 1, sizes: { raw: 90 } });
    const id = (await first())?.id ?? "";
    const before = [await data.runs.stamp(undefined, asked), await data.runs.stamp(id, asked)];
    runner.kill("SIGKILL");
    await once(runner, "close");
    const after = [await data.runs.stamp(undefined, asked), await data.runs.stamp(id, asked)];
    expect(after.map((stamp, i) => stamp === before[i])).toEqual([false, false]);
    expect(await first()).toMatchObject({ status: "interrupted", calls: 1, sizes: { raw: 90, kept: 30 } });
    if (!existsSync(PROC)) return; // only it tells when a process started
    // Its number may be another process's by now.
    const file = join(runs, id, "run.json");
    const run = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...run, owner: { ...run.owner, pid: process.pid } }));
    expect(await first()).toMatchObject({ status: "interrupted" });
  });

  it("Runs: one whose end is in its log alone, because its disk was full, was shown as interrupted without a reason", async () => {
    const { data, runs } = await makePlace();
    const gone = { provider: "codex", prompt: "x", cwd: "/p", status: "running", owner: { pid: 2 ** 22 + 1 } };
    const ended = event("run.ended", { status: "failed", message: "no answer" });
    await writeRun(runs, "20261115T090000Z-aa", gone, ended);
    await writeRun(runs, "20261115T080000Z-bb", gone, event("agent.message", { text: "run.ended" }));
    const { runs: listed } = await data.runs.list(asked);
    expect(listed).toMatchObject([
      { status: "failed", message: "no answer" },
      { status: "interrupted", message: "its process is gone, and wrote down no end" },
    ]);
  });

  it("Runs: what came back of cuts that only the meter knows is said of a run that has ended, too", async () => {
    const { data, env, project } = await makePlace();
    await writeFile(join(project, "long.ts"), `${"export const value = compute(1);\n".repeat(500)}needle();\n`);
    const prune = ["prune", "long.ts", "--focus", "where is the needle?"];
    const options = { cwd: project, env, encoding: "utf8" } as const;
    const { prune_id: id } = JSON.parse(execFileSync(process.execPath, [JEEVES, ...prune, "--json"], options));
    const script = join(project, "script.json");
    const steps = [prune, ["recover", id, "--lines", "1-40"]].map((args) => ({
      run: [process.execPath, JEEVES, ...args],
    }));
    await writeFile(script, JSON.stringify({ steps }));
    execFileSync(process.execPath, [JEEVES, "run", "--no-pruner", "-p", "scripted", "x"], {
      ...options,
      env: { ...env, JEEVES_SCRIPT: script },
      stdio: "ignore",
    });
    const run = (await data.runs.list(asked)).runs.find(({ status }) => status === "completed");
    expect(run?.sizes.unit).toBe("tokens");
    expect(run?.sizes.recovered).toBeGreaterThan(0);
  });

  it("Bad input: a damaged run.json is a run that says so, and its events are still shown", async () => {
    const { data, runs } = await makePlace();
    await writeRun(runs, "20261115T090000Z-aa", "{ half", event("agent.message", { text: "still here" }));
    await writeRun(runs, "20261115T090000Z-bb", "[]");
    await mkdir(join(runs, "20261115T090000Z-cc"));
    await mkdir(join(runs, "20261115T090000Z-dd"));
    execFileSync("mkfifo", [join(runs, "20261115T090000Z-dd", "run.json")]);
    const { runs: listed } = await data.runs.list(asked);
    expect(listed.map(({ status }) => status)).toEqual(["unreadable", "unreadable", "unreadable", "unreadable"]);
    expect(listed.find(({ id }) => id.endsWith("dd"))?.message).toMatch(/^run\.json is not a file;/);
    const window = { view: "steps", from: 0, count: 10 } as const;
    const timeline = await data.runs.timeline("20261115T090000Z-aa", window, asked);
    expect(timeline?.steps[0]?.text).toBe("still here");
    expect(await data.runs.timeline("20261115T090000Z-cc", window, asked)).toMatchObject({ total: 0 });
  });

  it("Bad input: an unreadable log is a run without events, not a fault", async () => {
    const { data, runs } = await makePlace();
    const id = "20261115T090000Z-aa";
    await writeRun(runs, id, { status: "completed", prompt: "x" });
    await rm(join(runs, id, "events.jsonl"));
    await mkdir(join(runs, id, "events.jsonl"));
    await chmod(join(runs, id, "events.jsonl"), 0o000);
    expect(await data.runs.timeline(id, { view: "events", from: 0, count: 5 }, asked)).toMatchObject({ total: 0 });
  });

  it("Bad input: a run directory that is deleted while it is open is gone", async () => {
    const { data, runs } = await makePlace();
    const id = "20261115T090000Z-aa";
    await writeRun(runs, id, { status: "completed", prompt: "x" }, event("agent.message", { text: "a" }));
    const window = { view: "steps", from: 0, count: 10 } as const;
    const before = await data.runs.stamp(id, asked);
    expect((await data.runs.timeline(id, window, asked))?.total).toBe(1);
    await rm(join(runs, id), { recursive: true });
    expect(await data.runs.stamp(id, asked)).not.toBe(before);
    expect(await data.runs.timeline(id, window, asked)).toBeUndefined();
    expect(await data.runs.record(id, 1, asked)).toBeUndefined();
  });

  it("Security: an id is looked up among what is there; a path, or a link out of it, is nothing", async () => {
    const { data, dir, runs } = await makePlace();
    await mkdir(join(dir, "elsewhere"));
    await writeFile(join(dir, "elsewhere", "run.json"), "{}");
    await writeFile(join(dir, "elsewhere", "events.jsonl"), event("agent.message", { text: "secret" }));
    await writeRun(runs, "20261115T090000Z-aa", { status: "completed", prompt: "x" });
    await symlink(join(dir, "elsewhere"), join(runs, "linked"));
    for (const id of ["../../elsewhere", join(dir, "elsewhere"), "linked", "", ".", "20261115T090000Z-aa/../../x"]) {
      expect(await data.runs.timeline(id, { view: "events", from: 0, count: 5 }, asked)).toBeUndefined();
      expect(await data.runs.record(id, 1, asked)).toBeUndefined();
    }
    expect((await data.runs.list(asked)).runs).toHaveLength(1);
  });

  it("Runs: calls through hooks, tools and the command line alike are sessions; those of a run are that run's", async () => {
    const { data, env, runs } = await makePlace();
    await writeRun(runs, "20261115T090000Z-aa", { status: "completed", prompt: "x" });
    const meter = createMeter(env);
    await meter.record(entry({ focus: "why?", what: "a.ts", ms: 7, prune_id: "prn_abcdefghijkl" }));
    await meter.record(entry({ kind: "recovered", raw_tokens: 50, kept_tokens: 0 }));
    await meter.record(entry({ session: "", client: "cli", tool: "prune" }));
    await createMeter({ ...env, JEEVES_RUN_ID: "20261115T090000Z-aa" }).record(entry({ session: "s9" }));
    const { runs: listed } = await data.runs.list(asked);
    const sessions = listed.filter(({ status }) => status === "session");
    expect(sessions.map(({ agent }) => agent).sort()).toEqual(["claude-code", "cli"]);
    const session = sessions.find(({ agent }) => agent === "claude-code");
    expect(session).toMatchObject({
      title: "why?",
      calls: 1,
      sizes: { unit: "tokens", raw: 1000, kept: 200, recovered: 50 },
    });
    const timeline = await data.runs.timeline(session?.id ?? "", { view: "steps", from: 0, count: 10 }, asked);
    expect(timeline?.steps[0]?.call).toMatchObject({
      tool: "Read",
      input: "a.ts",
      focus: "why?",
      durationMs: 7,
      pruneId: "prn_abcdefghijkl",
    });
    expect(timeline?.steps[1]?.text).toContain("asked for what was left out");
  });
});

describe("cuts for the viewer", () => {
  it("A call: its lines byte for byte, its blocks, why lines stayed, and what was recovered later", async () => {
    const { data, env } = await makePlace();
    const text = Array.from({ length: 300 }, (_, i) =>
      i === 150 ? "function choosePort() { return 8080; }" : `const v${i} = ${i};`,
    ).join("\n");
    const focus = "where is the port chosen?";
    const pruned = await prune(text, { focus, amount: { mode: "share", keep: 0.1 }, path: "a.js" });
    const store = createDiskStore({ env });
    const { pruneId } = await store.put({
      text,
      focus,
      options: {},
      source: { tool: "read", path: "a.js" },
      cut: toCutRecord(pruned),
    });
    const meter = createMeter(env);
    await meter.record(entry({ tool: "read", focus, prune_id: pruneId }));
    await meter.record(entry({ kind: "recovered", raw_tokens: 40, prune_id: pruneId, what: "lines 1-20, 30-31" }));
    const cut = await data.blocks.cut(pruneId, asked);
    expect(cut).toMatchObject({ tool: "read", path: "a.js", focus, lineCount: 300, rawTokens: 1000, keptTokens: 200 });
    expect(cut?.recoveries).toMatchObject([
      {
        tokens: 40,
        ranges: [
          { from: 1, to: 20 },
          { from: 30, to: 31 },
        ],
      },
    ]);
    expect(cut?.why.find(({ from, to }) => from <= 151 && 151 <= to)?.why).toBe("evidence");
    const covered = [...(cut?.blocks ?? []), ...(cut?.why ?? [])].reduce((sum, { from, to }) => sum + to - from + 1, 0);
    expect(covered).toBe(300);
    expect(await data.blocks.lines(pruneId, { from: 150, to: 152 }, asked)).toEqual({
      from: 150,
      lines: text.split("\n").slice(149, 152),
    });
  });

  it("Bad input: an expired id, an unknown one and one that is no id are nothing", async () => {
    const { data, env } = await makePlace();
    const store = createDiskStore({ env });
    const { pruneId } = await store.put({ text: "a\nb\n", focus: "", options: {}, ttlS: 0 });
    for (const id of [pruneId, "prn_aaaaaaaaaaaa", "../../../etc/passwd", ""]) {
      expect(await data.blocks.cut(id, asked)).toBeUndefined();
      expect(await data.blocks.lines(id, { from: 1, to: 2 }, asked)).toBeUndefined();
    }
  });

  it("Bad input: blocks that make no sense are left out, and a cut without any is the whole text", async () => {
    const { data, env } = await makePlace();
    const store = createDiskStore({ env });
    const blocks = [[2, 3], [3, 9], "x", [0, 1], [7, 6], [8, 99], [5, 5, "one"]];
    const odd = await store.put({
      text: "1\n2\n3\n4\n5\n6\n7\n8\n9",
      focus: "",
      options: 1,
      cut: { blocks, why: "?" },
    });
    expect((await data.blocks.cut(odd.pruneId, asked))?.blocks).toEqual([
      { from: 2, to: 3 },
      { from: 5, to: 5, label: "one" },
    ]);
    const bare = await store.put({ text: "1\n2", focus: "", options: 2 });
    expect(await data.blocks.cut(bare.pruneId, asked)).not.toHaveProperty("blocks");
    const wide = await store.put({ text: "y".repeat(1_000_000), focus: "", options: 3 });
    const lines = await data.blocks.lines(wide.pruneId, { from: 1, to: 1 }, asked);
    expect(lines?.lines[0]).toMatch(/^y{4000}… \[996000 more characters\]$/);
  });
});

describe("savings for the viewer", () => {
  const at = (ts: string, more: Partial<MeterEntry>): MeterEntry => ({ ts, ...entry(more) });

  const NO_TRANSCRIPTS: Transcripts = {
    ...{ threads: [], files: 0, unreadable: 0, withoutUsage: 0, leftOut: 0 },
    ...{ tornLines: 0, longLines: 0, without: [] },
  };
  const savingsOf = (entries: readonly MeterEntry[]) =>
    toSavings(toStatistics(entries, NO_TRANSCRIPTS, 0), { firstPrompt: undefined, parts: [], files: [], servers: [] });

  it("Savings: without a transcript a token is worth 8, what was asked for again is taken off, and a loss is negative", () => {
    const savings = savingsOf([
      at("2026-11-14T10:00:00.000Z", { shown_tokens: 1_000, prune_id: "prn_aaaaaaaaaaaa", context_tokens: 50_000 }),
      at("2026-11-15T10:00:00.000Z", {
        kind: "recovered",
        raw_tokens: 100,
        tool: "Bash",
        prune_id: "prn_aaaaaaaaaaaa",
      }),
      at("2026-11-15T11:00:00.000Z", { kind: "shadow", tool: "Bash", shown_tokens: 900 }),
    ]);
    const back = 0.115 * 50_000 + 600 + 220 * 0.9 * 8;
    expect(savings).toMatchObject({ isKnown: false, sessions: 1, lostCount: 0 });
    expect(savings.line).toBe(
      "net about -1.5 k tokens over 1 session without a transcript (1 lost); 0 failures made visible",
    );
    expect(savings.total).toMatchObject({ cuts: 1, saved: 6_400, asked: 1, shadowCuts: 1, shadowNet: 5_600 });
    expect(savings.total.net).toBeCloseTo(6_400 - back);
    expect(savings.tools.map(({ name, net }) => [name, Math.sign(net)])).toEqual([
      ["Read", 1],
      ["Bash", -1],
    ]);
    for (const name of ["saved", "back", "surface", "net"] as const)
      expect(savings.points.reduce((sum, point) => sum + point[name], 0)).toBeCloseTo(savings.total[name]);
  });

  it("Savings: what a person cut or recovered by hand is no agent's saving or loss", () => {
    const agents = [at("2026-11-14T10:00:00.000Z", { shown_tokens: 1_000 })];
    const byHand = [
      at("2026-11-14T10:01:00.000Z", { session: "", client: "jeeves", by: "person" }),
      at("2026-11-14T10:02:00.000Z", { session: "", client: "jeeves", by: "person", kind: "recovered" }),
    ];
    const { notes, ...rest } = savingsOf([...agents, ...byHand]);
    expect(savingsOf(agents)).toMatchObject(rest);
    expect(notes.join()).toContain("1 cut, 1 recovery, not counted");
  });

  it("X-57 Savings: cuts of an older version are counted, named, and left out of the net", () => {
    const { total, notes } = savingsOf([at("2026-11-14T10:00:00.000Z", {}), at("2026-11-14T10:00:01.000Z", {})]);
    expect(total).toMatchObject({ cuts: 2, saved: 0, net: 0 });
    expect(notes).toContain("2 older cuts are not comparable");
  });

  it("Savings: a machine whose clock once began at 1970 sees today's cuts in its chart", () => {
    const { points } = savingsOf([
      at("1970-01-01T00:00:10.000Z", { shown_tokens: 1_000 }),
      at("2026-11-14T10:00:00.000Z", { shown_tokens: 5_000 }),
    ]);
    expect(points.at(-1)).toMatchObject({ cuts: 1, saved: 4_800 * 8 });
    expect(points.length).toBeLessThanOrEqual(500);
  });

  it("Savings: the page's figures are those of jeeves stats", async () => {
    const { data, env } = await makePlace();
    await createMeter(env).record(entry({ shown_tokens: 900 }));
    const { line, total } = await data.savings.read({ sinceMs: 0 }, asked);
    const said = JSON.parse(execFileSync(process.execPath, [JEEVES, "stats", "--json"], { env, encoding: "utf8" }));
    expect(said).toMatchObject({ line, without_transcript: { net: total.net } });
  });

  it("Savings: only what is asked for, and nothing at all is no fault", async () => {
    const { data, env } = await makePlace();
    expect((await data.savings.read({ sinceMs: 0 }, asked)).points).toEqual([]);
    const before = await data.savings.stamp(asked);
    await createMeter(env, { now: () => new Date("2026-10-01T00:00:00Z") }).record(entry({}));
    await createMeter(env, { now: () => new Date("2026-11-15T00:00:00Z") }).record(entry({}));
    expect(await data.savings.stamp(asked)).not.toBe(before);
    expect((await data.savings.read({ sinceMs: 0 }, asked)).total.cuts).toBe(2);
    expect((await data.savings.read({ sinceMs: Date.UTC(2026, 10, 1) }, asked)).total.cuts).toBe(1);
  });
});

describe("the haven for the viewer", () => {
  it("X-64 a haven that is made while the page is open is found, by the id that it was given", async () => {
    const { env: given, project } = await makePlace();
    const { RUDDER_HAVEN: _, ...env } = given;
    const data = openViewerData({ env, cwd: project });
    const before = await data.haven.stamp(asked);
    expect(await data.haven.view(asked)).toMatchObject({ kind: "none" });
    expect((await runRudder(["init"], { cwd: project, env })).exitCode).toBe(0);
    expect(await data.haven.view(asked)).toMatchObject({ kind: "board", tasks: [] });
    expect(await data.haven.stamp(asked)).not.toBe(before);
  });

  it("Haven: ready, claimed with its lease, blocked, done; a claim changes the stamp", async () => {
    const { data, env, project } = await makePlace();
    expect(await data.haven.view(asked)).toMatchObject({ kind: "none", hint: expect.stringContaining("rudder init") });
    const rudder = async (args: readonly string[], agent = "ada") => {
      const done = await runRudder(args, { cwd: project, env: { ...env, RUDDER_AGENT: agent } });
      if (done.exitCode !== 0) throw new Error(done.text);
    };
    await rudder(["init"]);
    await rudder(["prd", "create", "P"]);
    await rudder(["epic", "create", "PRD-001", "E"]);
    for (const title of ["one", "two", "three", "four"]) await rudder(["task", "create", "E001", title]);
    await rudder(["deps", "add", "T003", "--blocked-by", "T001"]);
    await rudder(["assign", "claim", "T004"]);
    await rudder(["assign", "release", "T004"]);
    const before = await data.haven.stamp(asked);
    await rudder(["assign", "claim", "T002"], "grace");
    await rudder(["task", "log", "T002", "Mind the gap", "--tip"], "grace");
    expect(await data.haven.stamp(asked)).not.toBe(before);
    const view = await data.haven.view(asked);
    if (view.kind !== "board") throw new Error("there is a board");
    expect(view.tasks.map(({ id, column }) => [id, column])).toEqual([
      ["T001", "ready"],
      ["T002", "claimed"],
      ["T003", "blocked"],
      ["T004", "done"],
    ]);
    expect(view.tasks[1]?.lease).toMatchObject({ holder: "grace" });
    expect(view.tasks[1]?.lease?.remainingMs).toBeGreaterThan(1_000_000);
    expect(view.tasks[2]?.waitsFor).toEqual(["T001"]);
    expect(view.memory[0]).toMatchObject({ task: "T002", level: "tip", message: "Mind the gap", by: "grace" });
  });
});

describe("cuts to try", () => {
  const text = Array.from({ length: 400 }, (_, i) => `const value${i} = compute(${i});`).join("\n");

  it("Try it: the share that was asked for is kept, blocks and reasons cover every line", async () => {
    const pruner = createTryPruner({}, createInProcessEngine());
    const cut = await pruner.cut({ text, focus: "value200", keep: 0.2, name: "a.ts" }, asked);
    expect(cut.keptTokens).toBeLessThan(cut.rawTokens * 0.4);
    const covered = [...cut.blocks, ...cut.why].reduce((sum, { from, to }) => sum + to - from + 1, 0);
    expect([covered, cut.lineCount]).toEqual([400, 400]);
  });

  it("Try it: a text that could not be cut comes back whole, and why", async () => {
    const engine: Engine = { prune: async () => ({ failed: "timeout" }) };
    const cut = await createTryPruner({}, engine).cut({ text, focus: "x" }, asked);
    expect(cut).toMatchObject({ blocks: [], lineCount: 400, note: expect.stringContaining("everything is shown") });
    expect(cut.keptTokens).toBe(cut.rawTokens);
  });
});

describe("the meter's book", () => {
  const sessions = (entries: readonly MeterEntry[]) => entries.map(({ session }) => session);

  it("has what was there and what comes, by time, for all who ask at once", async () => {
    const { env } = await makePlace();
    const at = (time: string) => createMeter(env, { now: () => new Date(time) });
    const book = openMeterBook(env);
    expect(await book.entries()).toEqual([]);
    await at("2026-11-02T10:00:00.000Z").record(entry({ session: "second" }));
    await at("2026-10-31T10:00:00.000Z").record(entry({ session: "first" }));
    const before = await book.stamp();
    const [one, two] = await Promise.all([book.entries(), book.entries()]);
    expect([sessions(one), sessions(two)]).toEqual([
      ["first", "second"],
      ["first", "second"],
    ]);
    await at("2026-11-01T10:00:00.000Z").record(entry({ session: "between" }));
    expect(await book.stamp()).not.toBe(before);
    expect(sessions(await book.entries())).toEqual(["first", "between", "second"]);
    expect(sessions(one)).toEqual(["first", "second"]);
    expect(await book.entries()).toBe(await book.entries());
  });

  it("forgets what was taken away", async () => {
    const { env } = await makePlace();
    const month = join(env.JEEVES_STATE_DIR, "meter", "2026-11.jsonl");
    const meter = createMeter(env, { now: () => new Date("2026-11-02T10:00:00.000Z") });
    const book = openMeterBook(env);
    for (const session of ["a", "b"]) await meter.record(entry({ session }));
    expect(sessions(await book.entries())).toEqual(["a", "b"]);
    await rm(month);
    expect(await book.entries()).toEqual([]);
    await meter.record(entry({ session: "c" }));
    expect(sessions(await book.entries())).toEqual(["c"]);
    await writeFile(month, "");
    expect(await book.entries()).toEqual([]);
  });
});
