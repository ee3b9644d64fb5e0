// what is ready is asked again and again while others finish their tasks. The order is kept, and must be the very
// one that a first question would get; what a change costs does not grow with the haven. Work is counted, never timed.
import fc from "fast-check";
import { expect, it } from "vitest";
import { noteRevision } from "../../src/artefact/revisions.ts";
import { buildGraph } from "../../src/graph/graph.ts";
import { readyTasks } from "../../src/graph/ready.ts";
import type { Artefact } from "../../src/index.ts";

const STATUSES = ["Not Started", "In Progress", "Done", "Blocked", "Cancelled"] as const;
const idOf = (n: number): string => `T${String(n).padStart(3, "0")}`;

function task(n: number, more: Partial<Artefact> = {}): Artefact {
  const fields = { status: "Not Started", effort: "M", priority: "normal", blockedBy: [] } as const;
  const lists = { stories: [], tags: [], targets: {}, problems: [] };
  return { kind: "task", id: idOf(n), path: `${n}.md`, title: "x", prd: "PRD-001", ...fields, ...lists, ...more };
}

function answerFor(artefacts: readonly Artefact[], doneIds: ReadonlySet<string> = new Set()): unknown {
  const list = readyTasks(buildGraph(artefacts), { heldIds: new Set(["T002"]), doneIds });
  return { length: list.length, first: list.first(1_000) };
}

/** The next list, as a server makes it: the same places, some with another artefact. */
function changed(from: readonly Artefact[], at: readonly number[], how: (old: Artefact, n: number) => Artefact) {
  const next = [...from];
  for (const [n, place] of at.entries()) {
    const old = from[place];
    if (old !== undefined) next[place] = how(old, n);
  }
  noteRevision(next, { from, changed: at });
  return next;
}

const SIZE = 12;
const artefact = fc.record({
  status: fc.constantFrom(...STATUSES),
  priority: fc.constantFrom("low", "normal", "high", "critical"),
  effort: fc.constantFrom("S", "M", "L", "XL"),
});
const node = fc.tuple(artefact, fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: 3 }), fc.boolean());
const change = fc.array(fc.tuple(fc.nat(SIZE - 1), artefact), { minLength: 1, maxLength: 3 });

it("X-66 the order that is kept is the one that a first question gets, whatever changes: cycles, epics, the archive", () => {
  fc.assert(
    fc.property(
      fc.array(node, { minLength: SIZE, maxLength: SIZE }),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      (nodes, changes, isArchived) => {
        // The first two are epics, to which half of the tasks belong.
        const ids = nodes.map((_, n) => (n < 2 ? `E00${n + 1}` : idOf(n)));
        let artefacts: readonly Artefact[] = nodes.map(([fields, blockers, isFirst], n) =>
          task(n, {
            ...(fields as Partial<Artefact>),
            id: ids[n] ?? "",
            ...(n < 2 ? { kind: "epic" as const } : { epic: isFirst ? "E001" : "E002" }),
            blockedBy: [...blockers.map((at) => ids[at] ?? ""), ...(n === 5 ? ["T900"] : [])],
          }),
        );
        const doneIds = new Set(isArchived ? ["T900"] : []);
        answerFor(artefacts, doneIds);
        for (const one of changes) {
          const places = [...new Map(one.map(([at, fields]) => [at, fields]))];
          artefacts = changed(
            artefacts,
            places.map(([at]) => at),
            (old, n) => ({ ...old, ...(places[n]?.[1] as Partial<Artefact>) }),
          );
          expect(answerFor(artefacts, doneIds)).toEqual(answerFor(structuredClone(artefacts) as Artefact[], doneIds));
        }
      },
    ),
  );
});

it("X-66 a task that was done had the order of the whole haven worked out again: now only what it concerns", () => {
  const countFor = (tasks: number): number => {
    let looks = 0;
    const counted = (one: Artefact): Artefact =>
      Object.defineProperty({ ...one }, "effort", {
        get: () => {
          looks += 1;
          return one.effort;
        },
      });
    // Each odd one waits for the one before it.
    const all = Array.from({ length: tasks }, (_, n) =>
      counted(task(n, n % 2 === 1 ? { blockedBy: [idOf(n - 1)] } : {})),
    );
    answerFor(all);
    looks = 0;
    const next = changed(all, [10], (old) => counted({ ...old, status: "Done" }));
    expect(answerFor(next)).toEqual(answerFor(structuredClone(next.map((one) => ({ ...one }))) as Artefact[]));
    looks = 0;
    answerFor(changed(next, [20], (old) => counted({ ...old, status: "Done" })));
    return looks;
  };
  expect(countFor(2_000)).toBeLessThanOrEqual(countFor(200));
});
