// The token budget of an answer.

import { estimateTokens } from "@jeeves/prune";
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
  evidence: [],
  analyzer: { status: "ok", value, timing: { startedAt: 1, elapsedMs: 5 } },
  synthesis: value,
  constraints: { maxFilesRead: 50, maxBytesRead: 1_048_576, deadlineMs: 30_000, maxTokens: 640, maxConcurrentTasks: 4 },
  progress: { roles: ["locator", "analyzer"], elapsedMs: 9, timeouts: 0, keywords: ["requests"] },
};

describe("fit", () => {
  it.each([500, 640, 900])("C-31 an answer keeps to %i tokens, counted exactly, and says what went", (maxTokens) => {
    const fitted = fitReport(report, maxTokens);
    expect(encode(JSON.stringify(fitted)).length).toBeLessThanOrEqual(maxTokens);
    expect(fitted.synthesis.notes).toMatch(/^a note; cut to the token budget: \d+ items left out$/);
    expect(researchReport.safeParse(fitted).success).toBe(true);
  });

  it("C-31 what fits is left alone", () => {
    const once = { ...report, synthesis: { ...value, references: [] } };
    const analyzer = {
      status: "ok" as const,
      value: { ...value, references: [] },
      timing: { startedAt: 1, elapsedMs: 5 },
    };
    expect(fitReport(report, 100_000)).toEqual({ ...once, analyzer });
  });

  it("C-31 C-35 a budget of one token leaves the answer and its first reference, and says so", () => {
    const fitted = fitReport(report, 1);
    expect(fitted.synthesis.summary).toBe(value.summary);
    expect(fitted.locator).toMatchObject({ value: { references: references.slice(0, 1) } });
    expect(fitted.synthesis.notes).toContain("cut to the token budget");
  });

  it("X-68 code fills 85 % of the budget, counted exactly, and never passes it", () => {
    const lines = Array.from(
      { length: 2_000 },
      (_, n) => `${n + 1}     if (this.items["${n}"] === undefined) return next(error);`,
    );
    for (const maxTokens of [1_500, 4_000]) {
      const fitted = fitReport(report, maxTokens, (room) => [
        { reference: "src/module_0/handler.py:1", text: lines.slice(0, Math.max(1, Math.floor(room / 25))).join("\n") },
      ]);
      const tokens = encode(JSON.stringify(fitted)).length;
      expect(tokens).toBeLessThanOrEqual(maxTokens);
      expect(tokens).toBeGreaterThan(maxTokens * 0.85);
    }
  });

  it("C-31 a table of addresses, of which a tokenizer knows few parts, keeps to the budget as well", () => {
    const rows = Array.from(
      { length: 200 },
      (_, n) => `${n + 8}         (("kq${n}tv", "https://www.kq${n}tv.com.xy/zuvivo-kanal${n}/"), {}),`,
    );
    const fitted = fitReport(report, 1_500, (room) => {
      const bought = rows.findIndex((_, n) => estimateTokens(rows.slice(0, n + 2).join("\n")) > room);
      return [{ reference: "tests/plugins/test_channels.py:6", text: rows.slice(0, bought + 1).join("\n") }];
    });
    expect(fitted.evidence).toHaveLength(1);
    expect(encode(JSON.stringify(fitted)).length).toBeLessThanOrEqual(1_500);
  });

  it("X-68 what the rest leaves of the budget buys evidence, and no reference is printed twice", () => {
    const tokens: number[] = [];
    const body = { reference: "src/module_0/handler.py:9", text: "10 def run(self):\n11     return self.dispatch()" };
    const fitted = fitReport(report, 1_400, (room) => {
      tokens.push(room);
      return [body];
    });
    expect(tokens[0]).toBeGreaterThan(0);
    expect(fitted.evidence).toEqual([body]);
    const roles = [fitted.locator, fitted.analyzer].flatMap((role) =>
      role?.status === "ok" ? role.value.references : [],
    );
    const all = [body.reference, ...roles, ...fitted.synthesis.references];
    expect(new Set(all).size).toBe(all.length);
    expect(encode(JSON.stringify(fitted)).length).toBeLessThanOrEqual(1_400);
  });

  it("X-68 evidence that does not fit is asked for again with less room", () => {
    const fitted = fitReport(report, 1_400, (room) => [{ reference: "a.py:1", text: "1 x = 1\n".repeat(room) }]);
    expect(fitted.evidence).toEqual([]);
    expect(encode(JSON.stringify(fitted)).length).toBeLessThanOrEqual(1_400);
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
