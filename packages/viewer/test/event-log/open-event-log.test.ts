// A log read by windows: whole, while it grows, torn, gone, and larger than anybody wants in memory.
import { execFileSync } from "node:child_process";
import { appendFile, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EventLog, openEventLog } from "../../src/event-log/open-event-log.ts";
import type { TimelineView } from "../../src/wire.ts";
import { makeScratch } from "../scratch.ts";

const never = { signal: new AbortController().signal };

function line(event: string, data: object = {}, level = "info"): string {
  return `${JSON.stringify({ ts: "2026-11-15T10:00:00.000Z", level, event, data: { run_id: "r", ...data } })}\n`;
}

function call(id: string, more: object = {}): string {
  return line("agent.tool_call", { id, tool: "mcp:pruner/read", input: { file_path: "a.ts", ...more } });
}

function result(id: string, more: object = {}): string {
  return line("agent.tool_result", { id, tool: "mcp:pruner/read", is_error: false, text: "kept", ...more });
}

async function windowOf(log: EventLog, view: TimelineView, from = 0, count = 100) {
  const state = await log.window({ view, from, count }, never);
  if (state === undefined) throw new Error("the log is gone");
  return state;
}

describe("a run's timeline", () => {
  it("Runs: a call and its result are one step, with focus, sizes and time", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    const sizes = { raw_bytes: 4000, kept_bytes: 900, recovered_bytes: 0 };
    const later = result("c1", sizes).replace("10:00:00.000Z", "10:00:01.250Z");
    await writeFile(
      file,
      line("run.started", { prompt: "Do it" }) + call("c1", { context_focus_question: "why?" }) + later,
    );
    const { steps, total } = await windowOf(openEventLog(file), "steps");
    expect(total).toBe(2);
    expect(steps[0]).toMatchObject({ kind: "task", text: "Do it", line: 1 });
    expect(steps[1]).toMatchObject({
      kind: "call",
      line: 2,
      call: {
        tool: "mcp:pruner/read",
        input: "a.ts",
        focus: "why?",
        durationMs: 1250,
        isOpen: false,
        sizes: { unit: "bytes", raw: 4000, kept: 900, recovered: 0 },
      },
    });
  });

  it("J-92 mcp:*/* tool calls are steps, and mcp_pruner.* events are among the events", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    await writeFile(
      file,
      line("mcp_pruner.ready", { root: "/p" }) + call("c1") + line("pruner.call_start") + result("c1"),
    );
    const log = openEventLog(file);
    const steps = await windowOf(log, "steps");
    expect(steps.steps.map((step) => step.call?.tool)).toEqual(["mcp:pruner/read"]);
    const events = await windowOf(log, "events");
    expect(events.steps.map(({ event }) => event)).toEqual([
      "mcp_pruner.ready",
      "agent.tool_call",
      "pruner.call_start",
      "agent.tool_result",
    ]);
  });

  it("Runs: what the meter says of a hook's cut stands beside the call that it belongs to", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    const native = { id: "c1", tool: "Read" };
    const cut = {
      client: "claude-code",
      tool: "Read",
      raw_tokens: 5000,
      kept_tokens: 800,
      prune_id: "prn_abcdefghijkl",
    };
    await writeFile(
      file,
      line("agent.tool_call", { ...native, input: { file_path: "b.ts" } }) +
        line("agent.tool_result", { ...native, is_error: false, text: "…" }) +
        line("meter.cut", { ...cut, focus: "where is it?", ms: 12 }),
    );
    const log = openEventLog(file);
    const { steps } = await windowOf(log, "steps");
    expect(steps).toHaveLength(1);
    expect(steps[0]?.call).toMatchObject({
      tool: "Read",
      focus: "where is it?",
      pruneId: "prn_abcdefghijkl",
      sizes: { unit: "tokens", raw: 5000, kept: 800 },
    });
    expect(log.index.tokens).toEqual({ raw: 5000, kept: 800, recovered: 0 });
  });

  it("Runs: a cut that its server tells of late belongs to the call that made it, and to no other", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    const sizes = (raw: number, kept: number) => ({ raw_bytes: raw, kept_bytes: kept, recovered_bytes: 0 });
    const told = (raw: number, prune_id: string) =>
      line("pruner.call_ok", { tool: "read", raw_bytes: raw, pruned_bytes: 9, prune_id });
    const meter = (prune_id: string) => line("meter.cut", { tool: "read", raw_tokens: 9, kept_tokens: 2, prune_id });
    await writeFile(
      file,
      call("c1") +
        result("c1", sizes(4000, 900)) +
        call("c2") +
        told(4000, "prn_aaaaaaaaaaaa") +
        meter("prn_aaaaaaaaaaaa") +
        result("c2", sizes(70, 70)) +
        // The meter may speak before the result; the answer itself may name another cut.
        call("c3") +
        meter("prn_bbbbbbbbbbbb") +
        result("c3", { text: "[rest: recover_text prn_cccccccccccc]", ...sizes(50, 5) }),
    );
    const { steps } = await windowOf(openEventLog(file), "steps");
    expect(steps.map((step) => step.call?.pruneId)).toEqual(["prn_aaaaaaaaaaaa", undefined, "prn_cccccccccccc"]);
    // The same text again, and shown whole this time.
    await appendFile(file, call("c4") + result("c4", sizes(4000, 4000)));
    const again = await windowOf(openEventLog(file), "steps", 3, 1);
    expect(again.steps[0]?.call).not.toHaveProperty("pruneId");
  });

  it("Bad input: an unknown kind is a step like any other", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    await writeFile(
      file,
      `${line("weather.changed", { wind: 7 })}not json\n[1]\n\n${line("run.state", { state: "x" }, "warn")}`,
    );
    const { steps } = await windowOf(openEventLog(file), "steps");
    expect(steps.map(({ kind, event }) => [kind, event])).toEqual([
      ["event", "weather.changed"],
      ["torn", "not an event"],
      ["torn", "not an event"],
      ["torn", "not an event"],
      ["state", "run.state"],
    ]);
    expect(steps[0]?.text).toBe('{"wind":7}');
  });

  it("Bad input: a line that cannot be told in words costs no other line", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const unprintable = call("c1").replace('"a.ts"', '[{"toString":1}]');
    await writeFile(
      file,
      line("some.kind", { a: 0 }).replace('"a":0', `"a":${deep}`) + unprintable + line("agent.message", { text: "Hi" }),
    );
    for (const view of ["steps", "events"] as const) {
      const { steps } = await windowOf(openEventLog(file), view);
      const [deepest, ...others] = steps.map(({ kind, event }) => [kind, event]);
      // Newer versions of Node can tell it.
      expect(deepest).toSatisfy(([kind]) => kind === "torn" || kind === "event");
      expect(others).toEqual([
        ["torn", "not an event"],
        ["message", "agent.message"],
      ]);
    }
  });

  it("Bad input: a result that names tens of thousands of cuts does not hold the server", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    const text = `${"prn_aaaaaaaaaaaa ".repeat(50_000)}prn_bbbbbbbbbbbb`;
    await writeFile(file, call("c1") + result("c1", { text }));
    const { steps } = await windowOf(openEventLog(file), "steps");
    expect(steps[0]?.call?.pruneId).toBe("prn_bbbbbbbbbbbb");
  });

  it("Bad input: a pipe in the place of a log is no log, and is not waited for", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    execFileSync("mkfifo", [file]);
    expect(await openEventLog(file).window({ view: "steps", from: 0, count: 10 }, never)).toBeUndefined();
  });

  it("Bad input: a torn last line is shown as torn, and is an event once its end has come", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    const whole = line("agent.message", { text: "Hello" });
    await writeFile(file, whole + whole.slice(0, 40));
    const log = openEventLog(file);
    for (const view of ["steps", "events"] as const) {
      const { steps, total } = await windowOf(log, view);
      expect(total).toBe(2);
      expect(steps.map(({ kind }) => kind)).toEqual(["message", "torn"]);
    }
    await appendFile(file, whole.slice(40));
    expect((await windowOf(log, "steps")).steps.map(({ kind }) => kind)).toEqual(["message", "message"]);
  });

  it("Bad input: a log that is deleted while it is open is gone, and one that is replaced is read anew", async () => {
    const dir = await makeScratch();
    const file = join(dir, "events.jsonl");
    await writeFile(file, line("agent.message", { text: "old" }).repeat(3));
    const log = openEventLog(file);
    expect((await windowOf(log, "events")).total).toBe(3);
    await rm(file);
    expect(await log.window({ view: "events", from: 0, count: 1 }, never)).toBeUndefined();
    await writeFile(join(dir, "other"), line("agent.message", { text: "new" }));
    await rename(join(dir, "other"), file);
    const { steps, total } = await windowOf(log, "events");
    expect([total, steps[0]?.text]).toEqual([1, "new"]);
    await rm(file);
    await mkdir(file);
    expect(await log.window({ view: "events", from: 0, count: 1 }, never)).toBeUndefined();
  });

  it("any window of any log says what the lines say, whatever the chunks", async () => {
    const dir = await makeScratch();
    let files = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), { minLength: 1, maxLength: 200 }),
        fc.nat(220),
        fc.integer({ min: 1, max: 90 }),
        async (words, from, count) => {
          const file = join(dir, `log-${files++}`);
          const [first = ""] = words;
          const long = first.repeat(9_000);
          const texts = [...words, long];
          await writeFile(file, texts.map((text) => line("weather.changed", { text })).join(""));
          const { steps, total } = await windowOf(openEventLog(file), "events", from, count);
          expect(total).toBe(texts.length);
          const want = texts
            .slice(from, from + count)
            .map((text, i) => [from + i, text.replace(/\s+/g, " ").trim().slice(0, 20)]);
          expect(steps.map(({ n, text }) => [n, text.startsWith("{") ? "" : text.slice(0, 20)])).toEqual(
            want.map(([n, text]) => [n, text]),
          );
        },
      ),
      { numRuns: 25 },
    );
  });

  it("Bad input: a log of 1 GB is read by windows, within bounded memory", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    // A gigabyte of holes would be no log: real lines, written once and copied.
    const block = Buffer.from(
      Array.from(
        { length: 400 },
        (_, i) =>
          call(`c${i}`) + result(`c${i}`, { text: "x".repeat(5_000), raw_bytes: 9, kept_bytes: 3, recovered_bytes: 0 }),
      ).join(""),
    );
    const handle = await open(file, "w");
    let bytes = 0;
    let blocks = 0;
    for (; bytes < 1024 ** 3; bytes += block.length, blocks++) await handle.write(block);
    await handle.close();
    const before = process.memoryUsage.rss();
    const log = openEventLog(file);
    let state = await windowOf(log, "steps", 0, 50);
    expect(state.indexedShare).toBeLessThan(1);
    expect(state.steps).toHaveLength(50);
    for (let i = 0; i < 20 && state.indexedShare < 1; i++) state = await windowOf(log, "steps", 0, 50);
    expect(state.indexedShare).toBe(1);
    expect(state.total).toBe(blocks * 400);
    const last = await windowOf(log, "events", blocks * 800 - 3, 10);
    expect(last.steps.map(({ line: number }) => number)).toEqual([blocks * 800 - 2, blocks * 800 - 1, blocks * 800]);
    expect((await log.record(blocks * 800))?.json).toContain("agent.tool_result");
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024);
  });

  it("Bad input: a line larger than memory should hold is shown by its head", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    await writeFile(
      file,
      line("agent.message", { text: "y".repeat(5_000_000) }) + line("agent.message", { text: "after" }),
    );
    const { steps } = await windowOf(openEventLog(file), "steps");
    expect(steps.map(({ kind }) => kind)).toEqual(["torn", "message"]);
    expect(steps[0]?.event).toBe("line too long");
    expect(steps[0]?.text.length).toBeLessThan(500);
  });

  it("Runs: the bars add up to what the calls had, however many there are", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    const calls = Array.from(
      { length: 50 },
      (_, i) => call(`c${i}`) + result(`c${i}`, { raw_bytes: 100 + i, kept_bytes: 10, recovered_bytes: 0 }),
    );
    await writeFile(file, calls.join(""));
    const log = openEventLog(file);
    await windowOf(log, "steps", 0, 1);
    const bars = log.bars(8);
    expect(bars.length).toBeLessThanOrEqual(8);
    expect(bars.reduce((sum, { raw }) => sum + raw, 0)).toBe(50 * 100 + (49 * 50) / 2);
    expect(bars.reduce((sum, { kept }) => sum + kept, 0)).toBe(500);
  });

  it("Runs: the bars showed what a shadow cut would have cut as cut", async () => {
    const file = join(await makeScratch(), "events.jsonl");
    const counted = { tool: "Read", raw_tokens: 10_000, kept_tokens: 1_000 };
    const native = { id: "c1", tool: "Read", server: null };
    await writeFile(
      file,
      line("agent.tool_call", { ...native, input: { file_path: "b.ts" } }) +
        line("meter.shadow", counted) +
        line("agent.tool_result", { ...native, is_error: false, text: "…" }),
    );
    const log = openEventLog(file);
    await windowOf(log, "steps");
    const bars = log.bars(8);
    expect(bars.reduce((sum, { raw }) => sum + raw, 0)).toBeGreaterThan(0);
    expect(bars.map(({ kept }) => kept)).toEqual(bars.map(({ raw }) => raw));
  });
});
