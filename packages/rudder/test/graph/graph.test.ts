// Who waits for whom: ready, critical, cycles and findings on small graphs that can be checked by eye, and on random
// ones against the plainest possible answer.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { criticalChains } from "../../src/graph/critical.ts";
import { cyclesThroughEpics, walkThroughEpics } from "../../src/graph/epic-cycles.ts";
import { buildGraph, walkBetween } from "../../src/graph/graph.ts";
import { openBlockersOf } from "../../src/graph/open-blockers.ts";
import { readyTasks } from "../../src/graph/ready.ts";
import { validate } from "../../src/graph/validate.ts";
import type { Artefact } from "../../src/index.ts";

function task(id: string, blockedBy: readonly string[] = [], more: Partial<Artefact> = {}): Artefact {
  return {
    kind: "task",
    id,
    path: `${id}.md`,
    title: id,
    status: "Not Started",
    prd: "PRD-001",
    epic: "E001",
    effort: "M",
    priority: "normal",
    blockedBy,
    stories: [],
    tags: [],
    targets: {},
    problems: [],
    ...more,
  };
}

function epic(id: string, blockedBy: readonly string[] = [], more: Partial<Artefact> = {}): Artefact {
  return { ...task(id, blockedBy), kind: "epic", ...more };
}

const ready = (artefacts: readonly Artefact[], held: readonly string[] = []): string[] =>
  readyTasks(buildGraph(artefacts), { heldIds: new Set(held) })
    .first(1_000)
    .map((one) => one.artefact.id);

describe("ready", () => {
  it("RU-16 what most others wait for comes first, then priority, then the longer chain, then the id", () => {
    const artefacts = [
      task("T001"),
      task("T002", [], { priority: "high" }),
      task("T003"),
      task("T004", ["T003"]),
      task("T005", ["T004"], { effort: "XL" }),
      task("T006"),
      task("T007", ["T006"]),
      task("T008", ["T006"]),
    ];
    expect(ready(artefacts)).toEqual(["T003", "T006", "T002", "T001"]);
  });

  it("RU-16 Done frees, Cancelled and missing do not, and an epic's blockers count for its tasks", () => {
    const artefacts = [
      epic("E001", ["E002"]),
      epic("E002", [], { status: "In Progress" }),
      task("T001", [], { status: "Done", epic: "E002" }),
      task("T002", ["T001"], { epic: "E002" }),
      task("T003", ["T009"], { epic: "E002" }),
      task("T004", ["T005"], { epic: "E002" }),
      task("T005", [], { status: "Cancelled", epic: "E002" }),
      task("T006"),
    ];
    expect(ready(artefacts)).toEqual(["T002"]);
    const graph = buildGraph(artefacts);
    const six = graph.byId.get("T006");
    expect(six === undefined ? [] : openBlockersOf(graph, six)).toEqual([{ id: "E002", state: "In Progress" }]);
  });

  it("X-30 a held task is nobody else's; one that was started and left is", () => {
    const artefacts = [
      task("T001", [], { status: "In Progress" }),
      task("T002"),
      task("T003", [], { status: "Blocked" }),
    ];
    expect(ready(artefacts, ["T002"])).toEqual(["T001"]);
  });

  it("RU-16 a cycle holds back its own tasks and nobody else's", () => {
    const artefacts = [task("T001", ["T002"]), task("T002", ["T001"]), task("T003"), task("T004", ["T003"])];
    expect(ready(artefacts)).toEqual(["T003"]);
    expect(buildGraph(artefacts).cycles).toEqual([["T001", "T002"]]);
  });
});

describe("critical", () => {
  it("RU-16 the longest chain by effort is found, first to do first", () => {
    const artefacts = [
      task("T001", [], { effort: "S" }),
      task("T002", ["T001"], { effort: "XL" }),
      task("T003", ["T001"]),
      task("T004", ["T003"]),
      task("T005", ["T002"], { effort: "L" }),
      task("T006", [], { status: "Done", effort: "XL" }),
      task("T007", ["T006"], { effort: "S" }),
    ];
    expect(criticalChains(buildGraph(artefacts), { limit: 2 })).toEqual([
      { effort: 13, ids: ["T001", "T002", "T005"] },
      { effort: 1, ids: ["T007"] },
    ]);
  });
});

describe("findings", () => {
  it("RU-16 every kind of finding is found and named", () => {
    const artefacts = [
      epic("E001"),
      task("T001", ["T001"]),
      task("T002", ["T404"]),
      task("T003", ["T001", "T001"]),
      task("T004", ["T005"]),
      task("T005", [], { status: "Cancelled" }),
      task("T006", ["T007"]),
      task("T007", ["T008"]),
      task("T008", ["T006"]),
    ];
    const found = validate({ artefacts, problems: [{ code: "broken_yaml", path: "T002.md", line: 3, message: "m" }] });
    expect(found.map((one) => [one.code, one.id])).toEqual([
      ["broken_yaml", "T002"],
      ["self_ref", "T001"],
      ["missing_ref", "T002"],
      ["duplicate", "T003"],
      ["cancelled_blocker", "T004"],
      ["cycle", "T006"],
    ]);
    expect(found.at(-1)?.message).toBe("a cycle: T006 → T007 → T008 → T006");
  });
});

describe("cycles through epics", () => {
  const e2 = { epic: "E002" };
  const knot = [epic("E001"), epic("E002", ["E001"]), task("T001", ["T002"]), task("T002", [], e2)];

  it("RU-16 a task that waits for a task of an epic that waits for its own was in order, and nothing was ready", () => {
    expect(ready(knot)).toEqual([]);
    expect(validate({ artefacts: knot, problems: [] }).map(({ code, message }) => [code, message])).toEqual([
      ["cycle", "a cycle: E001 → T001 → T002 → E001"],
    ]);
  });

  it("RU-16 what is closed holds up nothing", () => {
    const done = task("T002", [], { ...e2, status: "Done" });
    expect(cyclesThroughEpics(knot.map((one) => (one.id === "T002" ? done : one)))).toEqual([]);
    const to = (one: Artefact): boolean => one.id === "E001";
    expect(walkThroughEpics(knot, { from: "T002", to })).toEqual(["T002", "E001"]);
    expect(walkThroughEpics([...knot.slice(0, 3), done], { from: "T002", to })).toBeUndefined();
  });
});

describe("on any graph", () => {
  const graphs = fc
    .array(fc.tuple(fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 3 }), fc.boolean()), {
      minLength: 1,
      maxLength: 12,
    })
    .map((rows) =>
      rows.map(([blockers, isDone], index) =>
        task(
          `T${index + 100}`,
          [...new Set(blockers)].map((n) => `T${n + 100}`),
          { status: isDone ? "Done" : "Not Started" },
        ),
      ),
    );

  it("RU-16 a cycle is reported exactly when some task can reach itself, and each one is a real walk", () => {
    fc.assert(
      fc.property(graphs, (artefacts) => {
        const graph = buildGraph(artefacts);
        const edges = (id: string) =>
          (graph.byId.get(id)?.blockedBy ?? []).filter((to) => graph.byId.has(to) && to !== id);
        const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
          edges(from).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
        const isCyclic = artefacts.some((one) => reaches(one.id, one.id));
        expect(graph.cycles.length > 0).toBe(isCyclic);
        for (const cycle of graph.cycles) {
          cycle.forEach((id, index) => {
            expect(edges(id)).toContain(cycle[(index + 1) % cycle.length]);
          });
        }
        for (const a of artefacts) {
          for (const b of artefacts) {
            const walk = walkBetween(graph, a.id, b.id);
            expect(walk !== undefined).toBe(a.id === b.id || reaches(a.id, b.id));
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it("RU-16 impact is the number of open tasks that wait for it through open tasks", () => {
    fc.assert(
      fc.property(graphs, (artefacts) => {
        const graph = buildGraph(artefacts);
        for (const start of artefacts) {
          const waiting = new Set<string>();
          for (let size = -1; size < waiting.size; ) {
            size = waiting.size;
            for (const one of artefacts) {
              const isNext = one.blockedBy.some((id) => id === start.id || waiting.has(id));
              if (isNext && one.status !== "Done" && one.id !== start.id) waiting.add(one.id);
            }
          }
          expect(graph.impactOf(start.id)).toBe(waiting.size);
        }
      }),
      { numRuns: 200 },
    );
  });
});
