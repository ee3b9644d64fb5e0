// Run files: ours come back as they were; those of others count as well.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRunFile, type Run, runRemainingMs, toLease, toRun, toRunFile } from "../../src/haven/files/run-file.ts";
import { DEFAULT_TTL_MS } from "../../src/lease/lease.ts";

const at = { taskId: "T001", path: "runs/T001.run" };
const now = { bootId: "b", host: "h", monotonicMs: 1, wallMs: Date.parse("2026-01-01T00:10:00.000Z") };

describe("run files", () => {
  it("RU-11 a lease survives its file, whatever its holder is called", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.constantFrom("name" as const, "connection" as const),
        fc.string(),
        (name, kind, operation) => {
          const lease: Run = {
            taskId: "T001",
            holder: { kind, name },
            token: 7,
            isLeft: kind === "connection",
            operation,
            startedAtMs: 1_700_000_000_123,
            pid: 42,
            bootId: "5c8f",
            host: "host",
            expiresMonotonicMs: 99_000,
            expiresAtMs: 1_700_000_060_123,
            ttlMs: 60_000,
          };
          expect(parseRunFile(toRunFile(lease), at)).toEqual(lease);
        },
      ),
    );
  });

  it("RU-11 a file with no more than taskId, operation, started_at and pid is a lease for one term", () => {
    const lease = parseRunFile(
      "taskId: T001\noperation: task-start\nstarted_at: 2026-01-01T00:00:00.000Z\npid: 7\n",
      at,
    );
    expect(lease.holder).toEqual({ kind: "connection", name: "process 7" });
    expect(runRemainingMs(lease, now)).toBeGreaterThan(0);
    expect(runRemainingMs(lease, { ...now, wallMs: now.wallMs + DEFAULT_TTL_MS })).toBeLessThanOrEqual(0);
    expect(toLease(lease, now)).toMatchObject({ token: 0, isHolderGone: true });
  });

  it.each(["", "just words", "a: [", "taskId: T001\nstarted_at: soon\n"])(
    "RU-11 a damaged file is named, with what to do: %j",
    (text) => {
      expect(() => parseRunFile(text, at)).toThrow(/runs\/T001\.run is no run file/);
    },
  );

  const run: Run = {
    taskId: "T001",
    holder: { kind: "name", name: "ada" },
    token: 1,
    operation: "x",
    startedAtMs: now.wallMs,
    pid: 1,
    bootId: "b",
    host: "h",
    expiresMonotonicMs: 1_001,
    expiresAtMs: now.wallMs + 1_000,
    ttlMs: 1_000,
    isLeft: false,
  };

  it("X-54 a wall clock that jumps neither ends nor prolongs a lease", () => {
    for (const jump of [1e9, -1e9]) {
      const jumped = { ...now, wallMs: now.wallMs + jump };
      const lease = toLease(run, jumped);
      expect(lease.expiresAtMs - jumped.wallMs).toBe(1_000);
      expect(toRun(lease, jumped, undefined).expiresMonotonicMs).toBe(run.expiresMonotonicMs);
      expect(runRemainingMs(run, { ...jumped, monotonicMs: 1_001 })).toBe(0);
    }
  });

  it("X-54 a restart of the machine ends its leases; another machine's end by the wall clock", () => {
    expect(runRemainingMs(run, { ...now, bootId: "next boot", monotonicMs: 10 })).toBe(0);
    const elsewhere = { ...now, bootId: "their boot", host: "there", monotonicMs: 9e9 };
    expect(runRemainingMs(run, elsewhere)).toBe(1_000);
    expect(runRemainingMs(run, { ...elsewhere, wallMs: now.wallMs + 1_000 })).toBe(0);
  });
});
