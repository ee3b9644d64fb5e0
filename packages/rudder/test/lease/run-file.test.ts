// Run files: ours come back as they were; those of others count as well.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLive, type Lease } from "../../src/index.ts";
import { DEFAULT_TTL_MS } from "../../src/lease/lease.ts";
import { parseRunFile, toRunFile } from "../../src/lease/run-file.ts";

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
          const lease: Lease = {
            taskId: "T001",
            holder: { kind, name },
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
    expect(isLive(lease, now)).toBe(true);
    expect(isLive(lease, { ...now, wallMs: now.wallMs + DEFAULT_TTL_MS })).toBe(false);
  });

  it.each(["", "just words", "a: [", "taskId: T001\nstarted_at: soon\n"])(
    "RU-11 a damaged file is named, with what to do: %j",
    (text) => {
      expect(() => parseRunFile(text, at)).toThrow(/runs\/T001\.run is no run file/);
    },
  );
});
