// The rules, against a model that is small enough to be seen to be right: per task a holder and an end.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Caller, decide, type TaskCommand, type TaskState } from "../../src/index.ts";

const TTL_MS = 1_000;
const start = 1_700_000_000_000;
const ada = { kind: "name", name: "ada" } as const;
const bob = { kind: "name", name: "bob" } as const;
const socket = { kind: "connection", name: "connection 7" } as const;
const other = { kind: "connection", name: "connection 8" } as const;
const fresh: TaskState = { taskId: "T001", status: "Not Started", lastToken: 0, lost: [] };

function claimBy(by: Caller): TaskCommand {
  return { kind: "claim", by, ttlMs: TTL_MS, operation: "task-start", pid: 1 };
}

function later(ms: number): number {
  return start + ms;
}

function changed(state: TaskState, command: TaskCommand, nowMs: number): TaskState {
  const decision = decide(state, command, nowMs);
  if (decision.kind !== "changed") throw new Error(`refused: ${decision.refusal.code}`);
  return decision.state;
}

function refusal(state: TaskState, command: TaskCommand, nowMs: number): string {
  const decision = decide(state, command, nowMs);
  return decision.kind === "refused" ? decision.refusal.code : "changed";
}

describe("claims", () => {
  it("X-31 a claim on a live lease of another name is refused and names the holder", () => {
    const held = changed(fresh, claimBy(ada), start);
    const decision = decide(held, claimBy(bob), later(TTL_MS - 1));
    expect(decision).toMatchObject({ kind: "refused", refusal: { code: "held", lease: { holder: ada } } });
  });

  it("X-31 under the same name a claim renews", () => {
    const held = changed(fresh, claimBy(ada), start);
    const decision = decide(held, claimBy(ada), later(400));
    expect(decision).toMatchObject({ kind: "changed", event: "renewed" });
    expect(refusal(changed(held, claimBy(ada), later(400)), claimBy(bob), later(TTL_MS + 399))).toBe("held");
  });

  it("X-31 a claim that died between its lease and its task is finished by the next one of the same name", () => {
    const { lease } = changed(fresh, claimBy(ada), start);
    const half: TaskState = { ...fresh, ...(lease === undefined ? {} : { lease }) };
    expect(decide(half, claimBy(ada), later(400))).toMatchObject({
      event: "claimed",
      state: {
        status: "In Progress",
        lease: { startedAtMs: start, expiresAtMs: later(1_400) },
      },
    });
    expect(refusal(half, claimBy(bob), later(400))).toBe("held");
  });

  it("X-30 a task whose lease has ended can be taken over, at its end and not before", () => {
    const held = changed(fresh, claimBy(ada), start);
    expect(refusal(held, claimBy(bob), later(TTL_MS - 1))).toBe("held");
    expect(decide(held, claimBy(bob), later(TTL_MS))).toMatchObject({ event: "taken-over", from: { holder: ada } });
  });

  it("X-30 a Done or Cancelled task is not claimed", () => {
    expect(refusal({ ...fresh, status: "Done" }, claimBy(ada), start)).toBe("closed");
    expect(refusal({ ...fresh, status: "Cancelled" }, claimBy(ada), start)).toBe("closed");
  });
});

describe("releases", () => {
  it("X-31 what a name holds is released by that name or with force", () => {
    const held = changed(fresh, claimBy(ada), start);
    expect(refusal(held, { kind: "release", by: bob }, later(1))).toBe("held");
    expect(refusal(held, { kind: "release", by: socket }, later(1))).toBe("held");
    expect(changed(held, { kind: "release", by: bob, force: true }, later(1)).lease).toBeUndefined();
    expect(changed(held, { kind: "release", by: ada }, later(1))).toEqual({
      ...fresh,
      status: "Done",
      lastToken: 1,
    });
  });

  it("X-31 what a bare connection holds is its own while it lives, and anyone's once it is gone", () => {
    const held = changed(fresh, claimBy(socket), start);
    expect(refusal(held, claimBy(other), later(1))).toBe("held");
    for (const by of [other, ada]) expect(refusal(held, { kind: "release", by }, later(1))).toBe("held");
    expect(changed(held, { kind: "release", by: socket }, later(1)).lease).toBeUndefined();
    const gone = gonePart(held);
    for (const by of [other, ada]) expect(changed(gone, { kind: "release", by }, later(1)).lease).toBeUndefined();
    expect(refusal(gone, claimBy(other), later(1))).toBe("held");
    expect(refusal(gone, { kind: "renew", by: other, ttlMs: 1 }, later(1))).toBe("changed");
    expect(refusal(gone, { kind: "renew", by: ada, ttlMs: 1 }, later(1))).toBe("not_held");
  });

  it("RU-13 a release says Done unless told otherwise, and keeps a status that was set before", () => {
    const held = changed(fresh, claimBy(ada), start);
    expect(changed(held, { kind: "release", by: ada, status: "Blocked" }, start).status).toBe("Blocked");
    const blocked = changed(held, { kind: "set-status", by: ada, status: "Blocked" }, start);
    expect(changed(blocked, { kind: "release", by: ada }, start).status).toBe("Blocked");
  });
});

/** The same state after the bare connection that holds the task has ended. */
function gonePart(state: TaskState): TaskState {
  return state.lease === undefined ? state : { ...state, lease: { ...state.lease, isHolderGone: true } };
}

const edit = (by: Caller, more: { token?: number; force?: boolean } = {}): TaskCommand => ({
  kind: "write",
  what: "edit",
  by,
  ...more,
});
const logged = (by: Caller): TaskCommand => ({ kind: "write", what: "log", by });

describe("fencing", () => {
  const held = changed(fresh, claimBy(ada), start);
  const taken = changed(held, claimBy(bob), later(TTL_MS));
  const after = later(TTL_MS + 1);

  it("X-63 a claim returns a token that grows with every claim, over releases too", () => {
    expect(held.lease?.token).toBe(1);
    expect(taken.lease?.token).toBe(2);
    const released = changed(taken, { kind: "release", by: bob, status: "Not Started" }, after);
    expect(changed(released, claimBy(ada), after).lease?.token).toBe(3);
    expect(changed(taken, { kind: "renew", by: bob, ttlMs: 9 }, after).lease?.token).toBe(2);
  });

  it("X-63 a caller that lost the task is refused every write while the newer holder lives", () => {
    const writes: TaskCommand[] = [
      logged(ada),
      edit(ada),
      { kind: "release", by: ada },
      { kind: "renew", by: ada, ttlMs: TTL_MS },
      { kind: "set-status", by: ada, status: "Done" },
    ];
    for (const command of writes) {
      expect(decide(taken, command, after)).toMatchObject({
        kind: "refused",
        refusal: { code: "lost", lease: { holder: bob } },
      });
    }
    const ended = later(2 * TTL_MS);
    expect(refusal(taken, logged(ada), ended)).toBe("changed");
    expect(refusal(taken, edit(ada), ended)).toBe("changed");
    const released = changed(taken, { kind: "release", by: bob, status: "Not Started" }, after);
    expect(refusal(released, edit(ada), after)).toBe("changed");
  });

  it("X-63 who lost it stays known over later holders, until it holds the task again", () => {
    const carol = { kind: "name", name: "carol" } as const;
    const released = changed(taken, { kind: "release", by: bob, status: "Not Started" }, after);
    const third = changed(released, claimBy(carol), after);
    expect(refusal(third, logged(ada), after)).toBe("lost");
    expect(refusal(third, logged(bob), after)).toBe("changed");
    const again = changed(third, claimBy(ada), later(5 * TTL_MS));
    expect(refusal(again, edit(ada), later(5 * TTL_MS))).toBe("changed");
    expect(refusal(again, edit(carol), later(5 * TTL_MS))).toBe("lost");
  });

  it("X-63 a holder with an older token has lost the task, whatever it is called", () => {
    const again = changed(
      changed(taken, { kind: "release", by: bob }, after),
      { kind: "set-status", by: bob, status: "Not Started" },
      after,
    );
    const third = changed(again, claimBy(ada), after);
    expect(refusal(third, { kind: "release", by: ada, token: 1 }, after)).toBe("lost");
    expect(refusal(third, { kind: "renew", by: ada, ttlMs: 1, token: 1 }, after)).toBe("lost");
    expect(refusal(third, edit(ada, { token: 3 }), after)).toBe("changed");
  });

  it("X-63 others may log; their other writes to a task under a live lease need force, which is told", () => {
    expect(refusal(held, logged(bob), later(1))).toBe("changed");
    expect(refusal(held, edit(bob), later(1))).toBe("held");
    expect(decide(held, edit(bob, { force: true }), later(1))).toMatchObject({ kind: "changed", isForced: true });
    expect(decide(held, edit(ada, { force: true }), later(1))).toMatchObject({ kind: "changed", isForced: false });
    expect(refusal(fresh, edit(bob), later(1))).toBe("changed");
    expect(refusal(gonePart(changed(fresh, claimBy(socket), start)), edit(bob), later(1))).toBe("changed");
    expect(refusal(changed(fresh, claimBy(socket), start), edit(other), later(1))).toBe("held");
  });

  it("X-63 a forced release makes the former holder one that lost it", () => {
    const forced = changed(held, { kind: "release", by: bob, status: "Not Started", force: true }, later(1));
    expect(refusal(changed(forced, claimBy(bob), later(2)), logged(ada), later(3))).toBe("lost");
  });

  it("X-63 a task that waits for others is claimed only by force", () => {
    const claim: TaskCommand = { ...claimBy(ada), kind: "claim", waitsFor: ["T000"] } as TaskCommand;
    expect(decide(fresh, claim, start)).toMatchObject({ refusal: { code: "blocked", waitsFor: ["T000"] } });
    expect(decide(fresh, { ...claim, force: true } as TaskCommand, start)).toMatchObject({ isForced: true });
    expect(decide(held, claim, later(1))).toMatchObject({ kind: "changed", event: "renewed" });
  });
});

describe("the rules as a whole", () => {
  const callers = [ada, bob, socket, other];
  const move = fc.record({
    waitMs: fc.integer({ min: 0, max: 1_500 }),
    by: fc.constantFrom(...callers),
    kind: fc.constantFrom("claim" as const, "renew" as const, "release" as const, "set-status" as const),
    force: fc.boolean(),
  });

  it("X-30 at any instant a task has at most one holder: the same as in a model of a holder and an end", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        let state: TaskState = fresh;
        let model: { holder: (typeof callers)[number]; end: number } | undefined;
        let now = start;
        for (const { waitMs, by, kind, force } of moves) {
          now += waitMs;
          const at = now;
          const isMine = model?.holder.name === by.name;
          const isLive = model !== undefined && at < model.end;
          const command: TaskCommand =
            kind === "claim"
              ? claimBy(by)
              : kind === "renew"
                ? { kind, by, ttlMs: TTL_MS }
                : kind === "release"
                  ? { kind, by, status: "Not Started", force }
                  : { kind, by, status: "Blocked", force };
          const decision = decide(state, command, now);
          const may = {
            claim: isMine || !isLive,
            renew: model !== undefined && isMine,
            release: model !== undefined && (isMine || force),
            "set-status": !isLive || isMine || force,
          }[kind];
          expect(decision.kind, JSON.stringify({ kind, by, model, at })).toBe(may ? "changed" : "refused");
          if (decision.kind === "refused") continue;
          if (kind === "claim") model = { holder: by, end: at + TTL_MS };
          if (kind === "renew" && model !== undefined) model = { ...model, end: at + TTL_MS };
          if (kind === "release") model = undefined;
          state = decision.state;
          expect(state.lease?.holder).toEqual(model?.holder);
          if (model !== undefined) expect(state.lease?.expiresAtMs).toBe(model.end);
        }
      }),
      { numRuns: 500 },
    );
  });
});
