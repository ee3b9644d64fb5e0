// One answer from what the roles found, also when some of them failed.
import { describe, expect, it } from "vitest";
import type { Finding } from "../src/roles/analyzer.ts";
import type { Outcome, RoleResult } from "../src/runtime/outcome.ts";
import { synthesize } from "../src/synthesis.ts";

const timing = { startedAt: 1, elapsedMs: 1 };
const ok = (references: string[], key_findings: string[] = []): Outcome<RoleResult> => ({
  status: "ok",
  value: { summary: "s", references, key_findings, confidence: "high", notes: null },
  timing,
});
const late: Outcome<RoleResult> = { status: "timeout", error: { name: "deadline_exceeded", message: "late" }, timing };
const findings: Finding[] = [{ reference: "a.py:1", scope: "Book.open", quote: "def open(self):", kind: "evidence" }];
const base = { files: [], bodies: [], findings, history: [], patterns: undefined, roots: [{ path: "/r", label: "r" }] };

describe("synthesis", () => {
  it("C-30 the direct answer comes first, and no reference twice", () => {
    const result = synthesize({ ...base, locator: ok(["a.py:1", "b.py:2"]), analyzer: ok(["a.py:1", "c.py:3"]) });
    expect(result.summary).toBe("Book.open in a.py.");
    expect(result.references).toEqual(["a.py:1", "c.py:3", "b.py:2"]);
  });

  it("C-29 a role that timed out is recorded, and the answer stands", () => {
    const result = synthesize({ ...base, locator: ok(["a.py:1"]), analyzer: late, patterns: late });
    expect(result.references).toEqual(["a.py:1"]);
    expect(result.notes).toBe("analyzer: timeout (deadline_exceeded); patterns: timeout (deadline_exceeded)");
  });

  it("C-29 C-18 without a locator there is no answer, and it says why", () => {
    const result = synthesize({ ...base, locator: late, analyzer: undefined, findings: [] });
    expect(result).toMatchObject({ references: [], confidence: "low" });
    expect(result.summary).toContain("timeout");
  });

  it("C-26 C-30 history comes last", () => {
    const result = synthesize({
      ...base,
      locator: ok(["a.py:1"]),
      analyzer: undefined,
      history: ["history: thoughts/x.md:1: y"],
    });
    expect(result.key_findings.at(-1)).toBe("history: thoughts/x.md:1: y");
  });
});
