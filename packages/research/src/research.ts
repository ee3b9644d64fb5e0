// The whole of one question: scope → locator → analyzer and patterns side by side → synthesis (C-28). Every role runs in
// the pool, under one deadline and one budget; a role that fails still leaves a valid report (C-29).
import type { Grammars } from "@jeeves/prune";
import type { CorpusLease } from "./corpus/corpus-keeper.ts";
import { onlyAsksWhere } from "./evidence/asks-where.ts";
import type { RankedBody } from "./evidence/choose-bodies.ts";
import { findBodies } from "./evidence/find-bodies.ts";
import { showEvidence } from "./evidence/show-evidence.ts";
import { traceBodies } from "./evidence/trace.ts";
import type { ModelWriter } from "./model/model-writer.ts";
import { openRoots } from "./open-roots.ts";
import { REDACTED, type Redact } from "./redaction.ts";
import { referencesOf } from "./report/artifact.ts";
import { boundResult, cut, fitReport, LENGTHS } from "./report/fit-report.ts";
import type { ResearchReport } from "./report/schema.ts";
import { type Analyzed, analyze } from "./roles/analyzer.ts";
import { type Located, locate } from "./roles/locator.ts";
import { findPatterns } from "./roles/pattern-finder.ts";
import { historyOf } from "./roles/thoughts.ts";
import { labelRoots, type ResearchRoot } from "./roots.ts";
import type { Outcome, RoleResult } from "./runtime/outcome.ts";
import type { Pool } from "./runtime/pool.ts";
import { createReader, type Reader } from "./runtime/reader.ts";
import { type Constraints, type EffectiveConstraints, effective, type Settings } from "./settings.ts";
import { synthesize } from "./synthesis.ts";
import { parseQuestion, type Question } from "./words/question.ts";

/**
 * What answering a question needs; one researcher shares it among all questions. `model` is undefined where none is set.
 */
export interface ResearchDeps {
  readonly settings: Settings;
  readonly keeper: Pick<CorpusLease, "open">;
  readonly pool: Pool;
  readonly redact: Redact;
  readonly loadGrammars: () => Promise<Grammars | undefined>;
  readonly model: ModelWriter | undefined;
}

/** One question. `roots` are chosen already; constraints may lower the limits on reading and never raise them. */
export interface Asked {
  readonly question: string;
  readonly roots: readonly ResearchRoot[];
  readonly constraints: Constraints;
  readonly signal: AbortSignal;
  readonly onProgress?: (step: { readonly progress: number; readonly total: number; readonly message: string }) => void;
}

/** Scanning may take this share of the time; the rest is for the answer. */
const SCAN_SHARE = 0.6;
const MAX_FILES = 16;
const MIN_REFERENCES = 6;
const TOKENS_PER_REFERENCE = 150;
const MAX_FINDINGS = 5;
/** Beside code, which names its own places, other words are paid for with code: so many tokens for each reference … */
const TOKENS_PER_REFERENCE_BESIDE_CODE = 190;
/** … and so many before files are named that nothing is shown of, and before the analyzer has a second note. */
const ROOMY_TOKENS = 2_500;

/** The first step of every tool: the limits, one reader, and the locator's outcome. */
export async function startQuestion(
  asked: Asked,
  deps: ResearchDeps,
  wanted: { readonly files: number; readonly references: number },
) {
  const since = performance.now();
  const limits = effective(deps.settings, asked.constraints);
  const reader = createReader({ ...deps.settings.limits, ...limits, deny: deps.settings.deny, redact: deps.redact });
  // Redacted before anything is made of it: words of the question come back as keywords and notes, and a model reads it.
  const text = await deps.redact(asked.question);
  const question = parseQuestion(text.replaceAll(REDACTED, ""));
  const left = () => Math.max(1, Math.ceil(limits.deadlineMs - (performance.now() - since)));
  const run = <T>(task: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> =>
    deps.pool.run(task, { signal: asked.signal, deadlineMs: left() });
  let searched = asked.roots;
  const located = await run(async (signal): Promise<Located> => {
    const scanUntil = since + limits.deadlineMs * SCAN_SHARE;
    const { opened, gap } = await openRoots(asked.roots, question, {
      keeper: deps.keeper,
      deny: deps.settings.deny,
      signal,
      scanUntil,
    });
    searched = opened.map(({ root }) => root); // without those that could not be opened (C-34)
    return locate(opened, question, {
      reader,
      signal,
      deny: deps.settings.deny,
      maxFiles: wanted.files,
      maxReferences: wanted.references,
      gap,
      roots: asked.roots,
    });
  });
  const frame = { question: cut(text, LENGTHS.question), rootsSearched: searched.map(({ path }) => path) };
  return { since, limits, reader, question, run, located, frame };
}

/** Answers one question; the code that answers is in `evidence` unless it only asks where (X-68, C-49). */
export async function research(asked: Asked, deps: ResearchDeps): Promise<ResearchReport> {
  const tell = (progress: number, message: string): void => asked.onProgress?.({ progress, total: 4, message });
  tell(0, "searching");
  const maxTokens = effective(deps.settings, asked.constraints).maxTokens;
  const { since, limits, reader, question, run, located, frame } = await startQuestion(asked, deps, {
    files: MAX_FILES,
    references: Math.max(MIN_REFERENCES, Math.min(MAX_FILES, Math.round(maxTokens / TOKENS_PER_REFERENCE))),
  });
  const files = located.status === "ok" ? located.value.files : [];
  const locator = mapOutcome(located, ({ result }) => boundResult(result));
  tell(1, `${files.length} files found`);
  const wantsCode = files.length > 0 && !onlyAsksWhere(question.text);
  const { roots } = asked;
  const reading = { reader, roots, loadGrammars: deps.loadGrammars };
  const flow = () =>
    run(async (signal): Promise<Flow> => {
      const bodies = await findBodies(files, question, { ...reading, signal });
      if (bodies.length === 0)
        return { bodies, ...(await analyze(files, question, { ...reading, signal, maxFindings: MAX_FINDINGS })) };
      const confidence = locator.status === "ok" ? locator.value.confidence : "low";
      return {
        findings: [],
        ...traceBodies(bodies, { confidence, limited: reader.refused > 0, notes: maxTokens < ROOMY_TOKENS ? 1 : 3 }),
      };
    });
  const examples = () => run((signal) => findPatterns(files, { reader, signal, roots, maxExamples: 6 }));
  const analyzing = wantsCode ? flow() : undefined;
  // One task at a time where that was asked for (C-21); never more than two.
  if (limits.maxConcurrentTasks === 1) await analyzing;
  const [analyzed, patterns] = await Promise.all([
    analyzing,
    files.length > 0 && question.asksForExamples ? examples() : undefined,
  ]);
  const remembered = await run((signal) => thoughtsOf(question, { reader, signal, deps }));
  const history = remembered.status === "ok" ? remembered.value : []; // an extra; without it the answer stands
  tell(2, "evidence read");
  const analyzer = analyzed === undefined ? undefined : mapOutcome(analyzed, ({ result }) => boundResult(result));
  const { findings, bodies } = analyzed?.status === "ok" ? analyzed.value : { findings: [], bodies: [] };
  const isTight = bodies.length > 0 && maxTokens < ROOMY_TOKENS;
  const plain = synthesize({ locator, analyzer, patterns, files, findings, bodies, history, roots, isTight });
  const modelEvidence = showEvidence(bodies, { roots, tokens: MODEL_TOKENS });
  const written =
    deps.model === undefined || findings.length + modelEvidence.length === 0
      ? undefined
      : await deps.model.write({
          question,
          findings,
          evidence: modelEvidence,
          deadlineMs: remaining(since, limits),
          signal: asked.signal,
        });
  tell(3, "answer written");
  const report: ResearchReport = {
    question: frame.question,
    rootsSearched: frame.rootsSearched,
    synthesis: boundResult(written === undefined ? plain : written(plain)),
    evidence: [],
    locator: bodies.length === 0 ? locator : mapOutcome(locator, (result) => besideCode(result, files, maxTokens)),
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(patterns === undefined ? {} : { patterns: mapOutcome(patterns, boundResult) }),
    constraints: limits,
    progress: {
      roles: [
        "locator",
        ...(analyzer ? ["analyzer" as const] : []),
        ...(patterns ? ["patterns" as const] : []),
        ...(history.length > 0 ? ["thoughts" as const] : []),
        ...(written ? ["model" as const] : []),
      ],
      elapsedMs: Math.round(performance.now() - since),
      timeouts: [locator, analyzer, patterns].filter((role) => role?.status === "timeout").length,
      keywords: isTight ? [] : keywordsOf(question),
    },
  };
  tell(4, "done");
  return fitReport(report, limits.maxTokens, (tokens, bare) =>
    showEvidence(bodies, { roots, tokens, printed: referencesOf(bare) }),
  );
}

/** What a model is shown of the code, in tokens. */
const MODEL_TOKENS = 2_500;

interface Flow extends Analyzed {
  readonly bodies: readonly RankedBody[];
}

/** Where else to look: the best file is named by the code itself. */
function besideCode(result: RoleResult, files: readonly unknown[], maxTokens: number): RoleResult {
  const count = Math.max(2, Math.round(maxTokens / TOKENS_PER_REFERENCE_BESIDE_CODE));
  return {
    ...result,
    summary: `${files.length} file${files.length === 1 ? "" : "s"}.`,
    references: result.references.slice(0, count),
  };
}

function remaining(since: number, limits: EffectiveConstraints): number {
  return Math.max(1, Math.round(limits.deadlineMs - (performance.now() - since)));
}

/** At most four names and words of the question, names first. */
export function keywordsOf(question: Question): string[] {
  const names = question.identifiers.slice(0, 4);
  const named = new Set(names.map((name) => name.toLowerCase()));
  const words = question.terms
    .filter(({ isWhole, weight, word }) => weight >= 1 && !isWhole && !named.has(word))
    .map(({ word }) => word);
  return [...new Set([...names, ...words])].slice(0, 4);
}

/** The outcome with its value changed; a failure stays as it is. */
export function mapOutcome<A, B>(outcome: Outcome<A>, change: (value: A) => B): Outcome<B> {
  return outcome.status === "ok" ? { ...outcome, value: change(outcome.value) } : outcome;
}

async function thoughtsOf(
  question: Question,
  { reader, signal, deps }: { readonly reader: Reader; readonly signal: AbortSignal; readonly deps: ResearchDeps },
): Promise<string[]> {
  const { thoughts, deny } = deps.settings;
  const [root] = thoughts === undefined ? [] : labelRoots([thoughts]);
  return root === undefined ? [] : historyOf(root, question, { keeper: deps.keeper, reader, signal, deny });
}
