// A report within its token budget (C-31, C-47): the least valuable is dropped first, and a note counts what was dropped.
// The answer and its first reference stay, whatever the budget.
import { estimateTokens } from "@jeeves/prune";
import type { Outcome, RoleResult } from "../runtime/outcome.ts";
import type { LocateReport, ResearchReport } from "./schema.ts";

/** Limits of an answer: characters of each text, and how many findings a role may have. */
export const LENGTHS = { summary: 600, finding: 260, findings: 8, notes: 300, question: 1_000 };

// The estimate is within 8 % on code and prose; JSON full of paths was up to 22 % more. The budget holds for the real count.
const SAFETY = 1.2;
/** Beside code and of code: over 210 answers the real counts were at most 1.09 and 1.064 of the estimates, and never both. */
const BESIDE_CODE_SAFETY = 1.06;
const CODE_SAFETY = 1.07;
/** What the estimate misses of code inside JSON, and what it counts too much of everything else. */
const ESCAPE_TOKENS = 0.29;
const UNDERSCORE_TOKENS = 0.29;
/** Parts of addresses and paths are no words that a tokenizer knows. */
const PATH_PART_TOKENS = 1.1;
const LINE_END_TOKENS = 0.08;
const CODE_SHARE = 0.973;

/** Lengths that hold whatever was found. */
export function boundResult(result: RoleResult): RoleResult {
  return {
    ...result,
    summary: cut(result.summary, LENGTHS.summary),
    key_findings: result.key_findings.slice(0, LENGTHS.findings).map((finding) => cut(finding, LENGTHS.finding)),
    notes: result.notes === null ? null : cut(result.notes, LENGTHS.notes),
  };
}

/** A report that keeps to its budget: what the rest leaves of it buys evidence, and no reference is printed twice. */
export function fitReport(
  report: ResearchReport,
  maxTokens: number,
  showEvidence: (tokens: number, bare: ResearchReport) => ResearchReport["evidence"] = () => [],
): ResearchReport {
  const bare = fit(onceEach(report), maxTokens, {
    dropOne,
    note: (smaller, words) => ({
      ...smaller,
      synthesis: { ...smaller.synthesis, notes: joined(smaller.synthesis.notes, words) },
    }),
  });
  let room = (maxTokens - estimateTokens(JSON.stringify(bare)) * BESIDE_CODE_SAFETY) / CODE_SAFETY;
  let fullest: { readonly report: ResearchReport; readonly tokens: number } | undefined;
  for (let tries = 0; tries < EVIDENCE_TRIES && room >= MIN_EVIDENCE_TOKENS; tries++) {
    const evidence = showEvidence(room, bare);
    if (evidence.length === 0) break;
    const full = onceEach({ ...bare, evidence });
    const tokens = tokensOf(full);
    const left = maxTokens - tokens;
    const isFuller = left >= 0 && tokens > (fullest?.tokens ?? 0);
    if (isFuller) fullest = { report: full, tokens };
    if (left >= 0 && (left < LEFT_TOKENS || !isFuller)) break;
    room += left >= 0 ? left * 0.8 : left - 8;
  }
  return fullest?.report ?? bare;
}

const EVIDENCE_TRIES = 8;
/** What may be left unspent: less would buy no statement. */
const LEFT_TOKENS = 24;
const MIN_EVIDENCE_TOKENS = 60;

/** Each `path:line` where it tells most: evidence, then where to look, then the other roles, then the synthesis. */
function onceEach(report: ResearchReport): ResearchReport {
  const printed = new Set(report.evidence.map(({ reference }) => reference));
  const rest = (references: readonly string[]): string[] =>
    references.filter((reference) => !printed.has(reference) && printed.add(reference));
  const ofRole = (outcome: Outcome<RoleResult>): Outcome<RoleResult> =>
    outcome.status === "ok"
      ? { ...outcome, value: { ...outcome.value, references: rest(outcome.value.references) } }
      : outcome;
  return {
    ...report,
    locator: ofRole(report.locator),
    ...(report.analyzer === undefined ? {} : { analyzer: ofRole(report.analyzer) }),
    ...(report.patterns === undefined ? {} : { patterns: ofRole(report.patterns) }),
    synthesis: { ...report.synthesis, references: rest(report.synthesis.references) },
  };
}

/** A report of one role alone; what its categories name goes last. */
export function fitRole<R extends RoleReport>(report: R, role: RoleName, maxTokens: number): R {
  return fit(report, maxTokens, {
    dropOne: (whole) =>
      shortenRole(whole, role, "key_findings", 2) ??
      shortenRole(whole, role, "references", MIN_REFERENCES) ??
      shortenCategories(whole) ??
      shortenQuestion(whole, 200) ??
      shortenRole(whole, role, "references", 1) ??
      shortenRole(whole, role, "key_findings", 1),
    note(smaller, words) {
      const outcome = smaller[role];
      if (outcome?.status !== "ok") return smaller;
      return {
        ...smaller,
        [role]: { ...outcome, value: { ...outcome.value, notes: joined(outcome.value.notes, words) } },
      };
    },
  });
}

interface Fitting<R> {
  /** The report with the least valuable thing gone; undefined where nothing more may go. */
  dropOne(report: R): R | undefined;
  note(report: R, words: string): R;
}

function fit<R extends object>(report: R, maxTokens: number, { dropOne, note }: Fitting<R>): R {
  let fitted = report;
  let left = report;
  for (let dropped = 1; tokensOf(fitted) > maxTokens; dropped++) {
    const smaller = dropOne(left);
    if (smaller === undefined) break;
    left = smaller;
    fitted = note(left, `cut to the token budget: ${dropped} item${dropped === 1 ? "" : "s"} left out`);
  }
  return fitted;
}

function joined(notes: string | null, words: string): string {
  return notes === null || notes === "" ? words : `${notes}; ${words}`;
}

function tokensOf(report: object): number {
  const { evidence, ...rest } = report as { readonly evidence?: ResearchReport["evidence"] };
  const words = estimateTokens(JSON.stringify(rest));
  if (evidence === undefined || evidence.length === 0) return Math.ceil(words * SAFETY);
  const code = JSON.stringify(evidence);
  const missed =
    countOf(code, "\\") * ESCAPE_TOKENS +
    countOf(code, "_") * UNDERSCORE_TOKENS +
    (code.match(/\/\w/g)?.length ?? 0) * PATH_PART_TOKENS -
    countOf(code, "\\n") * LINE_END_TOKENS;
  return Math.ceil(words * BESIDE_CODE_SAFETY + (estimateTokens(code) * CODE_SHARE + missed) * CODE_SAFETY);
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
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
type RoleName = "locator" | "analyzer" | "patterns";
type RoleReport = { readonly question: string } & { readonly [role in RoleName]?: Outcome<RoleResult> | undefined } & {
  readonly categories?: LocateReport["categories"];
};

function shortenRole<R extends RoleReport>(report: R, role: RoleName, list: ListName, floor: number): R | undefined {
  const outcome = report[role];
  if (outcome?.status !== "ok" || outcome.value[list].length <= floor) return undefined;
  const value = { ...outcome.value, [list]: outcome.value[list].slice(0, -1) };
  return { ...report, [role]: { ...outcome, value } };
}

function shortenSynthesis(report: ResearchReport, list: ListName, floor: number): ResearchReport | undefined {
  if (report.synthesis[list].length <= floor) return undefined;
  return { ...report, synthesis: { ...report.synthesis, [list]: report.synthesis[list].slice(0, -1) } };
}

/** The longest category gives up its last; each keeps its first. */
function shortenCategories<R extends RoleReport>(report: R): R | undefined {
  const [name, longest] = Object.entries(report.categories ?? {}).reduce<[string, readonly string[]]>(
    (most, [part, references = []]) => (references.length > most[1].length ? [part, references] : most),
    ["", []],
  );
  if (longest.length <= 1) return undefined;
  return { ...report, categories: { ...report.categories, [name]: longest.slice(0, -1) } };
}

function shortenQuestion<R extends RoleReport>(report: R, maxChars: number): R | undefined {
  return report.question.length <= maxChars ? undefined : { ...report, question: cut(report.question, maxChars) };
}

/** A text of at most `maxChars` characters; "…" takes the place of the last where it was cut. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let end = maxChars - 1;
  const code = text.charCodeAt(end - 1);
  if (code >= 0xd800 && code <= 0xdbff) end--;
  return `${text.slice(0, end)}…`;
}
