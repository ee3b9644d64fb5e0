// The rules, against a model that is small enough to be seen to be right: per task a holder and an end.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, type Instant, type TaskCommand, type TaskState } from "../../src/index.ts";

const TTL_MS = 1_000;
const start: Instant = { bootId: "boot", host: "here", monotonicMs: 5_000, wallMs: 1_700_000_000_000 };
const ada = { kind: "name", name: "ada" } as const;
const bob = { kind: "name", name: "bob" } as const;
const socket = { kind: "connection", name: "connection 7" } as const;
const other = { kind: "connection", name: "connection 8" } as const;
const fresh: TaskState = { taskId: "T001", status: "Not Started" };

function claimBy(by: typeof ada | typeof bob | typeof socket | typeof other): TaskCommand {
  return { kind: "claim", by, ttlMs: TTL_MS, operation: "task-start", pid: 1 };
}

function later(ms: number, from: Instant = start): Instant {
  return { ...from, monotonicMs: from.monotonicMs + ms, wallMs: from.wallMs + ms };
}

function changed(state: TaskState, command: TaskCommand, now: Instant): TaskState {
  const decision = decide(state, command, now);
  if (decision.kind !== "changed") throw new Error(`refused: ${decision.refusal.code}`);
  return decision.state;
}

function refusal(state: TaskState, command: TaskCommand, now: Instant): string {
  const decision = decide(state, command, now);
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
        lease: { startedAtMs: start.wallMs, expiresMonotonicMs: later(1_400).monotonicMs },
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
    expect(changed(held, { kind: "release", by: ada }, later(1))).toEqual({ taskId: "T001", status: "Done" });
  });

  it("X-31 what a bare connection holds is released by anyone in the haven", () => {
    const held = changed(fresh, claimBy(socket), start);
    expect(refusal(held, claimBy(other), later(1))).toBe("held");
    expect(changed(held, { kind: "release", by: other }, later(1)).lease).toBeUndefined();
    expect(changed(held, { kind: "release", by: ada }, later(1)).lease).toBeUndefined();
  });

  it("RU-13 a release says Done unless told otherwise, and keeps a status that was set before", () => {
    const held = changed(fresh, claimBy(ada), start);
    expect(changed(held, { kind: "release", by: ada, status: "Blocked" }, start).status).toBe("Blocked");
    const blocked = changed(held, { kind: "set-status", by: ada, status: "Blocked" }, start);
    expect(changed(blocked, { kind: "release", by: ada }, start).status).toBe("Blocked");
  });
});

describe("lease time", () => {
  it("X-54 a wall clock that jumps neither ends nor prolongs a lease", () => {
    const held = changed(fresh, claimBy(ada), start);
    const ahead = { ...later(1), wallMs: start.wallMs + 1e9 };
    const back = { ...later(TTL_MS), wallMs: start.wallMs - 1e9 };
    expect(refusal(held, claimBy(bob), ahead)).toBe("held");
    expect(refusal(held, claimBy(bob), back)).toBe("changed");
  });

  it("X-54 a restart of the machine ends its leases; another machine's end by the wall clock", () => {
    const held = changed(fresh, claimBy(ada), start);
    const rebooted = { ...start, bootId: "next boot", monotonicMs: 10 };
    const elsewhere = { ...start, bootId: "their boot", host: "there", monotonicMs: 9e9 };
    expect(refusal(held, claimBy(bob), rebooted)).toBe("changed");
    expect(refusal(held, claimBy(bob), elsewhere)).toBe("held");
    expect(refusal(held, claimBy(bob), { ...elsewhere, wallMs: start.wallMs + TTL_MS })).toBe("changed");
  });
});

describe("the rules as a whole", () => {
  const callers = [ada, bob, socket, other];
  const move = fc.record({
    waitMs: fc.integer({ min: 0, max: 1_500 }),
    wallJumpMs: fc.integer({ min: -1e9, max: 1e9 }),
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
        for (const { waitMs, wallJumpMs, by, kind, force } of moves) {
          now = { ...now, monotonicMs: now.monotonicMs + waitMs, wallMs: now.wallMs + waitMs + wallJumpMs };
          const at = now.monotonicMs;
          const isMine = model?.holder.name === by.name;
          const isLive = model !== undefined && at < model.end;
          const isBare = model?.holder.kind === "connection";
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
            renew: model !== undefined && (isMine || (isBare && by.kind === "connection")),
            release: model !== undefined && (isMine || isBare || force),
            "set-status": !isLive || isMine || (isBare && by.kind === "connection") || force,
          }[kind];
          expect(decision.kind, JSON.stringify({ kind, by, model, at })).toBe(may ? "changed" : "refused");
          if (decision.kind === "refused") continue;
          if (kind === "claim") model = { holder: by, end: at + TTL_MS };
          if (kind === "renew" && model !== undefined) model = { ...model, end: at + TTL_MS };
          if (kind === "release") model = undefined;
          state = decision.state;
          expect(state.lease?.holder).toEqual(model?.holder);
          if (model !== undefined) expect(state.lease?.expiresMonotonicMs).toBe(model.end);
        }
      }),
      { numRuns: 500 },
    );
  });
});
