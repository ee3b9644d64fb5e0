// Every response is exactly its schema: a field too many is refused like a field too few.
import { describe, expect, it } from "vitest";
import * as schema from "../../src/report/schema.ts";

const value = { summary: "s", references: ["a.py:1"], key_findings: ["k"], confidence: "low", notes: null };
const timing = { startedAt: 1, elapsedMs: 0 };
const ok = { status: "ok", value, timing };
const failed = { status: "timeout", error: { name: "deadline_exceeded", message: "m" }, timing };
const constraints = { maxFilesRead: 1, maxBytesRead: 1, deadlineMs: 1, maxTokens: 1, maxConcurrentTasks: 1 };
const progress = { roles: ["locator"], elapsedMs: 0, timeouts: 0, keywords: [] };
const head = { question: "q", rootsSearched: ["/r"] };

const RESPONSES = [
  ["outcome ok", schema.outcome, ok],
  ["outcome failed", schema.outcome, failed],
  ["role result", schema.roleResult, value],
  [
    "research",
    schema.researchReport,
    { ...head, synthesis: value, evidence: [{ reference: "a.py:1", text: "1:a" }], locator: ok, constraints, progress },
  ],
  ["locate", schema.locateReport, { ...head, locator: ok, categories: { tests: ["a.py:1"] }, constraints, progress }],
  ["patterns", schema.patternsReport, { ...head, patterns: failed, constraints, progress }],
  ["component", schema.componentReport, { ...head, analyzer: ok, constraints, progress }],
  ["roots", schema.rootsReport, { roots: ["/r"] }],
  ["handoff", schema.handoffReport, { artifact: { path: "/a.md" }, summary: "s", references: 1 }],
  [
    "resume",
    schema.resumeReport,
    {
      artifact: { path: "/a.md" },
      question: "q",
      summary: "s",
      references: [{ reference: "a.py:1", status: "ok" }],
      notes: null,
    },
  ],
] as const;

describe.each(RESPONSES)("C-15 C-12 C-13 C-14 %s", (_, shape, good) => {
  it("takes what is right", () => {
    expect(shape.safeParse(good).success).toBe(true);
  });

  it("refuses a further field", () => {
    expect(shape.safeParse({ ...good, extra: 1 }).success).toBe(false);
  });

  it.each(Object.keys(good))("refuses a missing %s", (field) => {
    const { [field as keyof typeof good]: _gone, ...rest } = good;
    expect(shape.safeParse(rest).success).toBe(false);
  });
});

describe("C-13", () => {
  it("a value only when ok, an error only when not", () => {
    expect(schema.outcome.safeParse({ ...ok, error: failed.error }).success).toBe(false);
    expect(schema.outcome.safeParse({ ...failed, value }).success).toBe(false);
    expect(schema.outcome.safeParse({ ...failed, status: "late" }).success).toBe(false);
  });

  it.each([
    ["src/a.py", true],
    ["src/a.py:12", true],
    ["src/a.py:12:3", true],
    ["src/a.py:0", false],
    ["src/a.py:12-14", false],
    ["a.py:1: code", false],
    ["", false],
  ])("C-11 %j is a reference: %s", (reference, isOne) => {
    expect(schema.REFERENCE.test(reference)).toBe(isOne);
  });
});
