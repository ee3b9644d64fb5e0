// The page's pure parts: addresses, figures, the graph's places.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHighlighter } from "../../src/page/cut/highlight.ts";
import { amount, compact, countdown, dollars, duration, moment, share } from "../../src/page/format.ts";
import { layoutGraph } from "../../src/page/haven/layout-graph.ts";
import { parseRoute, toHash } from "../../src/page/router.ts";
import { foldQuiet } from "../../src/page/runs/fold-quiet.ts";
import { prettyJson } from "../../src/page/runs/pretty-json.ts";
import { lossReason } from "../../src/page/savings/loss-reason.ts";
import { slotRange } from "../../src/page/savings/slot-range.ts";
import type { HavenTask, RunSummary } from "../../src/wire.ts";

function task(id: string, blockedBy: readonly string[] = []): HavenTask {
  return {
    id,
    title: id,
    status: "Not Started",
    column: "ready",
    effort: "S",
    priority: "normal",
    blockedBy,
    waitsFor: [],
  };
}

describe("the page's words", () => {
  it("Savings: negative is shown as negative", () => {
    expect(compact(-12_345)).toBe("−12.3k");
    expect(dollars(-3.5)).toBe("−$3.50");
    expect([dollars(-0.003), dollars(0), dollars(0.02)]).toEqual(["−$0.0030", "$0.00", "$0.02"]);
    expect(compact(999)).toBe("999");
    expect(compact(999_700)).toBe("1.0M");
    expect(amount(0, "bytes")).toBe("0 B");
    expect(amount(8_400, "bytes")).toBe("8.4 kB");
  });

  it("Savings: a loss names what cost most", () => {
    expect(lossReason({ visible: 0, back: 0, surface: 1_011 })).toMatch(/our own tools/);
    expect(lossReason({ visible: 900, back: 10, surface: 10 })).toMatch(/made visible/);
    expect(lossReason({ visible: 0, back: 900, surface: 10 })).toMatch(/asked for again/);
  });

  it("Savings: the chart of a first hour is that hour, not days of nothing", () => {
    expect(slotRange(3_600)({ data: [[7_200], [5]] })).toEqual([5_400, 9_000]);
    expect(slotRange(86_400)({ data: [[0, 86_400, 172_800]] })).toEqual([-43_200, 216_000]);
  });

  it("sessions without calls are folded, but for the open one, and where there is nothing else", () => {
    const run = (id: string, more: object): RunSummary => ({
      ...{ id, title: id, agent: "codex", project: "/p", startedAt: "", status: "session", calls: 0, failedCalls: 0 },
      sizes: { unit: "tokens", raw: 0, kept: 0, recovered: 0 },
      ...more,
    });
    const runs = [run("a", { calls: 2 }), run("b", {}), run("c", {}), run("d", { status: "failed" })];
    const ids = (isUnfolded: boolean, open?: string) => foldQuiet(runs, { isUnfolded, open }).shown.map(({ id }) => id);
    expect([ids(false), ids(true), ids(false, "c")]).toEqual([
      ["a", "d"],
      ["a", "b", "c", "d"],
      ["a", "c", "d"],
    ]);
    expect(foldQuiet(runs.slice(1, 3), { isUnfolded: false, open: undefined })).toMatchObject({ quiet: [] });
  });

  it("a highlighted line is the line, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("a.ts", "a.py", "a.go"), (line, path) => {
        const pieces = createHighlighter(path)(line);
        expect(pieces.map(({ text }) => text).join("")).toBe(line);
      }),
    );
    const kinds = (line: string) =>
      createHighlighter("a.ts")(line).flatMap(({ kind, text }) => (kind ? [[kind, text]] : []));
    expect(kinds('const a = load("x // y", 42); // why')).toEqual([
      ["word", "const"],
      ["name", "load"],
      ["string", '"x // y"'],
      ["number", "42"],
      ["comment", "// why"],
    ]);
  });

  it("a time is told with its day where that is not today", () => {
    const at = new Date(2026, 2, 5, 14, 7, 9);
    expect(moment(at.toISOString(), at.getTime() + 60_000)).toBe("14:07:09");
    expect(moment(at.toISOString(), at.getTime() + 86_400_000)).toBe("5 Mar 2026, 14:07:09");
    expect(moment("never", at.getTime())).toBe("");
  });

  it("shares, times and leases read as people say them", () => {
    expect([share(0, 0), share(1, 1000), share(1, 4)]).toEqual(["–", "<1%", "25%"]);
    expect([duration(12), duration(1_250), duration(90_500)]).toEqual(["12 ms", "1.3 s", "1 min 30 s"]);
    expect([countdown(0), countdown(61_000), countdown(-5)]).toEqual(["0:00", "1:01", "0:00"]);
  });

  it("A record shows the line ends of its texts, and no others", () => {
    const shown = prettyJson(JSON.stringify({ text: "one\ntwo", path: "C:\\new\\\n" }));
    expect(shown).toContain('"one\n      two"');
    expect(shown).toContain('"C:\\\\new\\\\\n      "');
    expect(prettyJson("no { json")).toBe("no { json");
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    expect(prettyJson(deep)).toBe(deep);
  });

  it("an address leads back to where it came from, whatever the id", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) => {
        expect(parseRoute(toHash({ view: "runs", run: id }))).toEqual({ view: "runs", run: id });
        expect(parseRoute(toHash({ view: "cut", pruneId: id, run: id }))).toEqual({
          view: "cut",
          pruneId: id,
          run: id,
        });
      }),
    );
    expect(parseRoute("#/nonsense/%")).toEqual({ view: "home" });
    expect(parseRoute("#/haven")).toEqual(parseRoute("#/tasks"));
  });

  it("Haven: every task stands to the right of what it waits for, and no two at one place; cycles do not hang it", () => {
    const chain = Array.from({ length: 3_000 }, (_, i) => task(`T${i}`, i === 0 ? [] : [`T${i - 1}`]));
    const { nodes } = layoutGraph([task("A", ["B"]), task("B", ["A"]), task("C", ["A", "missing"]), ...chain]);
    expect(nodes).toHaveLength(3_003);
    const at = new Map(nodes.map((node) => [node.task.id, node]));
    for (const { task: own, x } of nodes) {
      if (own.id === "A" || own.id === "B") continue;
      for (const id of own.blockedBy) if (at.has(id)) expect(x).toBeGreaterThan(at.get(id)?.x ?? 0);
    }
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
  });
});
