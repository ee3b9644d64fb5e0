// A report within its token budget (C-31, C-47): the least valuable goes first, and what went is said. The answer and
// its first reference stay whatever the budget.
import { estimateTokens } from "@jeeves/prune";
import type { RoleResult } from "./runtime/outcome.ts";
import type { ResearchReport } from "./schema.ts";

export const LENGTHS = { summary: 600, finding: 260, findings: 8, notes: 300, question: 1_000 };

// The estimate is within 8 % on code and prose; JSON full of paths was up to 22 % more. The budget holds for the real count.
const SAFETY = 1.2;

/** Lengths that hold whatever was found. */
export function boundResult(result: RoleResult): RoleResult {
  return {
    ...result,
    summary: cut(result.summary, LENGTHS.summary),
    key_findings: result.key_findings.slice(0, LENGTHS.findings).map((finding) => cut(finding, LENGTHS.finding)),
    notes: result.notes === null ? null : cut(result.notes, LENGTHS.notes),
  };
}

export function fitReport(report: ResearchReport, maxTokens: number): ResearchReport {
  let fitted = report;
  let dropped = 0;
  while (tokensOf(fitted) > maxTokens) {
    const smaller = dropOne(fitted);
    if (smaller === undefined) break;
    dropped++;
    fitted = withNote(smaller, dropped);
  }
  return fitted;
}

export function tokensOf(report: object): number {
  return Math.ceil(estimateTokens(JSON.stringify(report)) * SAFETY);
}

const MIN_REFERENCES = 6;

function dropOne(report: ResearchReport): ResearchReport | undefined {
  return (
    shortenRole(report, "patterns", "key_findings", 3) ??
    shortenSynthesis(report, "key_findings", 2) ??
    shortenRole(report, "locator", "references", MIN_REFERENCES + 2) ??
    shortenRole(report, "analyzer", "key_findings", 3) ??
    shortenSynthesis(report, "references", 2) ??
    shortenRole(report, "locator", "references", MIN_REFERENCES) ??
    shortenRole(report, "analyzer", "references", 2) ??
    shortenSynthesis(report, "key_findings", 0) ??
    shortenRole(report, "patterns", "references", 2) ??
    shortenRole(report, "patterns", "key_findings", 2) ??
    shortenRole(report, "analyzer", "key_findings", 1) ??
    shortenQuestion(report, 200) ??
    shortenRole(report, "analyzer", "references", 0) ??
    shortenRole(report, "patterns", "references", 0) ??
    shortenRole(report, "analyzer", "key_findings", 0) ??
    shortenRole(report, "patterns", "key_findings", 0) ??
    shortenSynthesis(report, "references", 1) ??
    // Where to look is the last thing to go.
    shortenRole(report, "locator", "references", 1)
  );
}

type ListName = "references" | "key_findings";

function shortenRole(
  report: ResearchReport,
  role: "locator" | "analyzer" | "patterns",
  list: ListName,
  floor: number,
): ResearchReport | undefined {
  const outcome = report[role];
  if (outcome?.status !== "ok" || outcome.value[list].length <= floor) return undefined;
  const value = { ...outcome.value, [list]: outcome.value[list].slice(0, -1) };
  return { ...report, [role]: { ...outcome, value } };
}

function shortenSynthesis(report: ResearchReport, list: ListName, floor: number): ResearchReport | undefined {
  if (report.synthesis[list].length <= floor) return undefined;
  return { ...report, synthesis: { ...report.synthesis, [list]: report.synthesis[list].slice(0, -1) } };
}

function shortenQuestion(report: ResearchReport, maxChars: number): ResearchReport | undefined {
  return report.question.length <= maxChars ? undefined : { ...report, question: cut(report.question, maxChars) };
}

const CUT_NOTE = /(?:; )?cut to the token budget: \d+ items? left out$/;

function withNote(report: ResearchReport, dropped: number): ResearchReport {
  const before = (report.synthesis.notes ?? "").replace(CUT_NOTE, "");
  const note = `cut to the token budget: ${dropped} item${dropped === 1 ? "" : "s"} left out`;
  return { ...report, synthesis: { ...report.synthesis, notes: before === "" ? note : `${before}; ${note}` } };
}

export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let end = maxChars - 1;
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code <= 0xdbff) end--;
  return `${text.slice(0, end)}…`;
}
