// The narrower questions: where only, how only, examples only. Each starts as research does, and runs at most one role
// after the locator.
import { boundResult, fitRole } from "./report/fit-report.ts";
import type { ComponentReport, LocateReport, PatternsReport } from "./report/schema.ts";
import { type Asked, keywordsOf, mapOutcome, type ResearchDeps, startQuestion } from "./research.ts";
import { analyze } from "./roles/analyzer.ts";
import type { LocatedFile } from "./roles/locator.ts";
import { findPatterns } from "./roles/pattern-finder.ts";
import { toReference } from "./roots.ts";
import type { Outcome, RoleResult } from "./runtime/outcome.ts";

const LOCATED = { files: 16, references: 20 };
const PATTERNS = { files: 14, references: 14 };
const COMPONENT = { files: 5, references: 8 };

type Started = Awaited<ReturnType<typeof startQuestion>>;

/** Answers `locate_in_codebase`: at most 20 references in 16 files. */
export async function locateInCodebase(asked: Asked, deps: ResearchDeps): Promise<LocateReport> {
  const started = await startQuestion(asked, deps, LOCATED);
  const { located } = started;
  const files = located.status === "ok" ? located.value.files : [];
  const locator = mapOutcome(located, ({ result }) => boundResult(result));
  const report = {
    ...started.frame,
    locator,
    categories: categoriesOf(files, asked),
    ...tail(started, ["locator"], [locator]),
  };
  return fitRole(report, "locator", started.limits.maxTokens);
}

/** Answers `analyze_component`: at most 8 findings. */
export async function analyzeComponent(asked: Asked, deps: ResearchDeps): Promise<ComponentReport> {
  const started = await startQuestion(asked, deps, COMPONENT);
  const { located, run, reader, question } = started;
  const analyzed =
    located.status === "ok"
      ? await run((signal) =>
          analyze(located.value.files, question, {
            reader,
            signal,
            roots: asked.roots,
            loadGrammars: deps.loadGrammars,
            maxFindings: 8,
          }),
        )
      : located;
  const analyzer = mapOutcome(analyzed, ({ result }) => boundResult(result));
  const report = { ...started.frame, analyzer, ...tail(started, ["locator", "analyzer"], [analyzer]) };
  return fitRole(report, "analyzer", started.limits.maxTokens);
}

/** Answers `find_patterns`: at most 6 examples. */
export async function findPatternsInCodebase(asked: Asked, deps: ResearchDeps): Promise<PatternsReport> {
  const started = await startQuestion(asked, deps, PATTERNS);
  const { located, run, reader } = started;
  const found =
    located.status === "ok"
      ? await run((signal) => findPatterns(located.value.files, { reader, signal, roots: asked.roots, maxExamples: 6 }))
      : located;
  const patterns = mapOutcome(found, boundResult);
  const report = { ...started.frame, patterns, ...tail(started, ["locator", "patterns"], [patterns]) };
  return fitRole(report, "patterns", started.limits.maxTokens);
}

function tail(
  { limits, since, question }: Started,
  roles: ("locator" | "analyzer" | "patterns")[],
  outcomes: readonly Outcome<RoleResult>[],
) {
  return {
    constraints: limits,
    progress: {
      roles,
      elapsedMs: Math.round(performance.now() - since),
      timeouts: outcomes.filter(({ status }) => status === "timeout").length,
      keywords: keywordsOf(question),
    },
  };
}

const CATEGORY_OF = {
  implementation: "implementation",
  tests: "tests",
  config: "config",
  docs: "docs",
  types: "types",
  entry: "entry_points",
} as const;

function categoriesOf(files: readonly LocatedFile[], asked: Asked): LocateReport["categories"] {
  const categories: Record<string, string[]> = {};
  for (const name of Object.values(CATEGORY_OF)) {
    const here = files.filter(({ part }) => CATEGORY_OF[part] === name);
    if (here.length > 0)
      categories[name] = here.map(({ root, path, lines: [line] }) =>
        toReference({ root, path, ...(line === undefined ? {} : { line: line.line }) }, asked.roots),
      );
  }
  return categories;
}
