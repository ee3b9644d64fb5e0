// The checker itself: it takes what could have been, and rejects what could not.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Caller, decide, type TaskState } from "../../src/index.ts";
import { type Answer, type Call, checkHistory } from "./linearizable.ts";

const TTL_MS = 1_000;
const ada: Caller = { kind: "name", name: "ada" };
const bob: Caller = { kind: "name", name: "bob" };
const done = (event: string, token?: number): Answer => ({ kind: "done", event, token });
const refused = (code: string): Answer => ({ kind: "refused", code });

let count = 0;
function call(by: Caller, op: Call["op"], span: readonly [number, number | undefined], answer?: Answer): Call {
  count += 1;
  return { id: `${count}`, task: "T001", by, op, ttlMs: TTL_MS, sentMs: span[0], endMs: span[1], answer };
}
const verdictOf = (...calls: readonly Call[]): string => checkHistory(calls, { slackMs: 0 }).kind;

describe("histories that could have been", () => {
  it("X-63 one after the other", () => {
    expect(
      verdictOf(
        call(ada, "claim", [0, 10], done("claimed", 1)),
        call(bob, "claim", [20, 30], refused("held")),
        call(ada, "release", [40, 50], done("released")),
        call(bob, "claim", [60, 70], done("claimed", 2)),
      ),
    ).toBe("linearizable");
  });

  it("X-63 at once, in the one order that fits", () => {
    expect(
      verdictOf(
        call(ada, "claim", [0, 100], refused("held")),
        call(bob, "claim", [0, 100], done("claimed", 1)),
        call(bob, "release", [50, 200], done("released")),
        call(ada, "claim", [90, 210], done("claimed", 2)),
      ),
    ).toBe("linearizable");
  });

  it("X-30 a takeover after the term, and the late release of the one that lost it is refused", () => {
    expect(
      verdictOf(
        call(ada, "claim", [0, 10], done("claimed", 1)),
        call(bob, "claim", [1_005, 1_020], done("taken-over", 2)),
        call(ada, "release", [1_030, 1_040], refused("lost")),
        call(ada, "log", [1_050, 1_060], refused("lost")),
      ),
    ).toBe("linearizable");
  });

  it("X-63 a call without an answer was made or was not", () => {
    const lost = call(ada, "claim", [0, undefined]);
    expect(verdictOf(lost, call(bob, "claim", [20, 30], done("claimed", 1)))).toBe("linearizable");
    expect(verdictOf(lost, call(bob, "claim", [20, 30], refused("held")))).toBe("linearizable");
    // It may also be made long after its caller has given up.
    expect(
      verdictOf(lost, call(bob, "edit", [20, 30], done("written")), call(bob, "edit", [40, 50], refused("held"))),
    ).toBe("linearizable");
  });

  it("X-63 whatever the rules say when they are asked one call at a time", () => {
    const move = fc.record({
      by: fc.constantFrom(ada, bob, { kind: "name", name: "carol" } as const),
      op: fc.constantFrom("claim", "renew", "release", "log", "edit") as fc.Arbitrary<Call["op"]>,
      waitMs: fc.integer({ min: 1, max: 900 }),
      early: fc.integer({ min: 0, max: 400 }),
      late: fc.integer({ min: 0, max: 400 }),
      isLost: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(move, { maxLength: 14 }), (moves) => {
        let state: TaskState = { taskId: "T001", status: "Not Started", lastToken: 0, lost: [] };
        let now = 0;
        const calls = moves.map(({ by, op, waitMs, early, late, isLost }, at) => {
          now += waitMs;
          const command =
            op === "claim"
              ? { kind: op, by, ttlMs: TTL_MS, operation: "x", pid: 0 }
              : op === "renew"
                ? { kind: op, by, ttlMs: TTL_MS }
                : op === "release"
                  ? { kind: op, by, status: "Not Started" as const }
                  : { kind: "write" as const, what: op === "log" ? ("log" as const) : ("edit" as const), by };
          const decision = decide(state, command, now);
          if (decision.kind === "changed") state = decision.state;
          const answer: Answer =
            decision.kind === "changed"
              ? done(decision.event, op === "claim" ? decision.state.lease?.token : undefined)
              : refused(decision.refusal.code);
          const span = [now - early, isLost ? undefined : now + late] as const;
          return { ...call(by, op, span, isLost ? undefined : answer), id: `${at}` };
        });
        expect(checkHistory(calls, { slackMs: 0 }).kind).not.toBe("broken");
      }),
      { numRuns: 150 },
    );
  });
});

describe("renewals by the way", () => {
  const calls = [
    call(ada, "claim", [0, 10], done("claimed", 1)),
    { ...call(ada, "log", [800, 810], done("written")), task: "T002" },
    call(bob, "claim", [1_500, 1_510], refused("held")),
  ];

  it("X-30 a call on another task may have renewed the lease", () => {
    expect(checkHistory(calls, { slackMs: 0, doCallsRenew: true }).kind).toBe("linearizable");
    expect(checkHistory(calls, { slackMs: 0 }).kind).toBe("broken");
  });

  it("X-30 but not for longer than its term", () => {
    const late = [...calls, call(bob, "claim", [1_900, 1_910], refused("held"))];
    expect(checkHistory(late, { slackMs: 0, doCallsRenew: true })).toMatchObject({ kind: "broken", task: "T001" });
  });
});

describe("histories that could not have been", () => {
  it.each<[string, readonly Call[]]>([
    [
      "two holders",
      [call(ada, "claim", [0, 10], done("claimed", 1)), call(bob, "claim", [20, 30], done("claimed", 2))],
    ],
    [
      "a takeover before the term",
      [call(ada, "claim", [0, 10], done("claimed", 1)), call(bob, "claim", [500, 600], done("taken-over", 2))],
    ],
    [
      "a lease that never ended",
      [call(ada, "claim", [0, 10], done("claimed", 1)), call(bob, "claim", [2_000, 2_010], refused("held"))],
    ],
    ["a refusal of what was free", [call(ada, "claim", [0, 10], refused("held"))]],
    [
      "a late release that was taken",
      [
        call(ada, "claim", [0, 10], done("claimed", 1)),
        call(bob, "claim", [1_020, 1_030], done("taken-over", 2)),
        call(ada, "release", [1_040, 1_050], done("released")),
      ],
    ],
    [
      "a late edit that was taken",
      [
        call(ada, "claim", [0, 10], done("claimed", 1)),
        call(bob, "claim", [1_020, 1_030], done("taken-over", 2)),
        call(ada, "edit", [1_040, 1_050], done("written")),
      ],
    ],
    [
      "a late log line that was taken",
      [
        call(ada, "claim", [0, 10], done("claimed", 1)),
        call(bob, "claim", [1_020, 1_030], done("taken-over", 2)),
        call(ada, "log", [1_040, 1_050], done("written")),
      ],
    ],
    [
      "a token that was given twice",
      [
        call(ada, "claim", [0, 10], done("claimed", 1)),
        call(ada, "release", [20, 30], done("released")),
        call(bob, "claim", [40, 50], done("claimed", 1)),
      ],
    ],
    [
      "an acknowledged release that was forgotten",
      [
        call(ada, "claim", [0, 10], done("claimed", 1)),
        call(ada, "release", [20, 30], done("released")),
        call(bob, "claim", [40, 50], refused("held")),
      ],
    ],
    [
      "another's edit under a live lease",
      [call(ada, "claim", [0, 10], done("claimed", 1)), call(bob, "edit", [20, 30], done("written"))],
    ],
    [
      "an answer that comes before its cause",
      [call(bob, "claim", [0, 10], refused("held")), call(ada, "claim", [20, 30], done("claimed", 1))],
    ],
    [
      "one call without an answer that would have to be made twice",
      [
        call(ada, "claim", [0, undefined]),
        call(bob, "claim", [10, 20], refused("held")),
        call(bob, "claim", [1_100, 1_110], done("taken-over", 2)),
        call(bob, "release", [1_120, 1_130], done("released")),
        call(bob, "claim", [1_140, 1_150], refused("held")),
      ],
    ],
  ])("X-63 %s", (_what, calls) => {
    expect(checkHistory(calls, { slackMs: 0 }).kind).toBe("broken");
  });

  it("X-63 one task's fault is found among many tasks that are in order", () => {
    const good = Array.from({ length: 20 }, (_, n) => ({
      ...call(ada, "claim", [0, 10], done("claimed", 1)),
      task: `T1${n}`,
    }));
    const bad = [call(ada, "claim", [0, 10], done("claimed", 1)), call(bob, "claim", [20, 30], done("claimed", 2))];
    expect(checkHistory([...good, ...bad], { slackMs: 0 })).toMatchObject({ kind: "broken", task: "T001" });
  });
});
