// The token budget of an answer.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { boundResult, fitReport, LENGTHS } from "../../src/report/fit-report.ts";
import { type ResearchReport, researchReport } from "../../src/report/schema.ts";

const references = Array.from({ length: 20 }, (_, i) => `src/module_${i}/handler.py:${i + 10}`);
const findings = references
  .slice(0, 8)
  .map((reference) => `${reference} Handler.run: return self.dispatch(request, context)`);
const value = {
  summary: "Handler.run dispatches.",
  references,
  key_findings: findings,
  confidence: "med" as const,
  notes: "a note",
};
const report: ResearchReport = {
  question: "How are requests dispatched?",
  rootsSearched: ["/home/me/project"],
  locator: { status: "ok", value, timing: { startedAt: 1, elapsedMs: 5 } },
  analyzer: { status: "ok", value, timing: { startedAt: 1, elapsedMs: 5 } },
  synthesis: value,
  constraints: { maxFilesRead: 50, maxBytesRead: 1_048_576, deadlineMs: 30_000, maxTokens: 640, maxConcurrentTasks: 4 },
  progress: { roles: ["locator", "analyzer"], elapsedMs: 9, timeouts: 0, keywords: ["requests"] },
};

describe("fit", () => {
  it.each([500, 640, 900, 1_400])(
    "C-31 an answer keeps to %i tokens, counted exactly, and says what went",
    (maxTokens) => {
      const fitted = fitReport(report, maxTokens);
      expect(encode(JSON.stringify(fitted)).length).toBeLessThanOrEqual(maxTokens);
      expect(fitted.synthesis.notes).toMatch(/^a note; cut to the token budget: \d+ items left out$/);
      expect(researchReport.safeParse(fitted).success).toBe(true);
    },
  );

  it("C-31 what fits is left alone", () => {
    expect(fitReport(report, 100_000)).toEqual(report);
  });

  it("C-31 C-35 a budget of one token leaves the answer and its first reference, and says so", () => {
    const fitted = fitReport(report, 1);
    expect(fitted.synthesis.summary).toBe(value.summary);
    expect(fitted.synthesis.references).toEqual(references.slice(0, 1));
    expect(fitted.synthesis.notes).toContain("cut to the token budget");
  });

  it("C-47 summary, findings and notes are bounded in length, never through a character", () => {
    const long = {
      ...value,
      summary: "🙂".repeat(2_000),
      key_findings: findings.map((f) => f + "x".repeat(900)),
      notes: "n".repeat(2_000),
    };
    const bounded = boundResult(long);
    expect(bounded.summary.length).toBeLessThanOrEqual(LENGTHS.summary);
    expect(Buffer.from(bounded.summary).toString()).toBe(bounded.summary);
    expect(bounded.key_findings.every((finding) => finding.length <= LENGTHS.finding)).toBe(true);
    expect(bounded.notes?.length).toBeLessThanOrEqual(LENGTHS.notes);
  });
});
