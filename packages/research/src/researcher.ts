// One researcher for the life of a server: the corpora, the pool, the model and the settings, behind one method per tool.
import { join } from "node:path";
import { fallbackStateDir, privateNamesIn, resolveStateDir } from "@jeeves/state";
import { createCorpusKeeper } from "./corpus/corpus-keeper.ts";
import { createChatClient, isLoopback } from "./model/chat-client.ts";
import { createModelWriter } from "./model/model-writer.ts";
import { createRedact, createRedactionGate } from "./redaction.ts";
import { referencesOf, writeArtifact } from "./report/artifact.ts";
import { type Fingerprint, fingerprintOf } from "./report/fingerprint.ts";
import { resumeHandoff } from "./report/handoff.ts";
import type {
  ComponentReport,
  HandoffReport,
  LocateReport,
  PatternsReport,
  ResearchReport,
  ResumeReport,
} from "./report/schema.ts";
import { type Asked, type ResearchDeps, research } from "./research.ts";
import { ResearchError } from "./research-error.ts";
import { type ChosenRoots, chooseRoots, parseReference, resolveRoot } from "./roots.ts";
import { createPool } from "./runtime/pool.ts";
import { createReader } from "./runtime/reader.ts";
import type { Settings } from "./settings.ts";
import { analyzeComponent, findPatternsInCodebase, locateInCodebase } from "./tools.ts";

/** `env` is where the state directory comes from; `onWarning` hears of failures that cost no answer. */
export interface ResearcherOptions {
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly now?: () => Date;
  readonly onWarning?: (what: string, error: unknown) => void;
}

/** Where a memo goes: a path inside the artefact directory, or a name made from the question. */
interface ArtifactRequest {
  readonly path?: string | undefined;
}

/**
 * Answers questions about the roots of its settings. All answers are redacted. A role that fails, is cancelled or runs out
 * of time is part of the answer; what cannot be answered at all rejects, such as a memo that cannot be written.
 */
export interface Researcher {
  /** Allowed roots that exist now. */
  roots(): readonly string[];
  choose(asked: readonly string[] | undefined): ChosenRoots;
  research(asked: Asked, artifact?: ArtifactRequest): Promise<ResearchReport>;
  locate(asked: Asked): Promise<LocateReport>;
  analyze(asked: Asked): Promise<ComponentReport>;
  patterns(asked: Asked): Promise<PatternsReport>;
  createHandoff(asked: Asked, artifact: ArtifactRequest): Promise<HandoffReport>;
  resumeHandoff(path: string, signal: AbortSignal): Promise<ResumeReport>;
  /** Waits for what is still being saved. */
  close(): Promise<void>;
}

/**
 * A researcher that shares its index on disk with other processes; it scans nothing until it is asked. Throws
 * `invalid_config` where the model's server is not on this machine and `provider.allowRemote` is off.
 */
export function createResearcher(options: ResearcherOptions): Researcher {
  const { env } = options;
  const stateDir = resolveStateDir(env);
  const settings = { ...options.settings, deny: [...options.settings.deny, ...ownFiles(env)] };
  const warn = options.onWarning ?? (() => {});
  const artifactDir = settings.artifacts.dir ?? join(stateDir, "artifacts");
  const keeper = createCorpusKeeper({
    ...settings.limits,
    indexDir: settings.index.enabled ? (settings.index.dir ?? join(stateDir, "research-index")) : undefined,
    deny: settings.deny,
    onSaveFailed: (error) => warn("the index was not saved", error),
  });
  let grammars: ReturnType<ResearchDeps["loadGrammars"]> | undefined;
  const shared: Omit<ResearchDeps, "keeper"> = {
    settings,
    pool: createPool({ ...settings.runtime, onError: (error) => warn("a task failed", error) }),
    redact: createRedact(),
    loadGrammars: () => {
      grammars ??= import("@jeeves/prune/grammars").then(({ createTreeSitterGrammars }) => createTreeSitterGrammars());
      return grammars;
    },
    model: settings.provider === undefined ? undefined : createModelWriter(createChatClient(usable(settings.provider))),
  };
  /** Whatever a question opens stays open until it is answered. */
  const withLease = async <T>(run: (deps: ResearchDeps) => Promise<T>): Promise<T> => {
    const lease = keeper.lease();
    try {
      return await run({ ...shared, keeper: lease });
    } finally {
      lease.end();
    }
  };
  const roots = (): string[] =>
    settings.roots.flatMap((root) => {
      const path = resolveRoot(root);
      return path === undefined ? [] : [path];
    });
  const gate = createRedactionGate();
  const readerOf = () => createReader({ ...settings.limits, deny: settings.deny, redact: shared.redact });
  /** of every reference of a report, as the files are now. */
  const fingerprintsOf = async (report: ResearchReport, { roots: searched, signal }: Asked) => {
    const reader = readerOf();
    const found = new Map<string, Fingerprint>();
    for (const reference of referencesOf(report)) {
      const at = parseReference(reference, searched);
      const source = at === undefined ? undefined : await reader.read(at.root, at.path, signal);
      const fingerprint = source === undefined ? undefined : fingerprintOf(source.text, at?.line);
      if (fingerprint !== undefined) found.set(reference, fingerprint);
    }
    return found;
  };
  const withArtifact = async (
    asked: Asked,
    artifact: ArtifactRequest,
  ): Promise<ResearchReport & { artifact: { path: string } }> => {
    const report = await gate(await withLease((deps) => research(asked, deps)));
    const path = await writeArtifact(report, {
      dir: artifactDir,
      now: options.now?.() ?? new Date(),
      roots: asked.roots.map((root) => root.path),
      fingerprints: await fingerprintsOf(report, asked),
      redact: shared.redact,
      ...(artifact.path === undefined ? {} : { path: artifact.path }),
    });
    return { ...report, artifact: { path } };
  };

  return {
    roots: () => [...new Set(roots())],
    choose: (asked) => chooseRoots([...new Set(roots())], asked),
    research: (asked, artifact) =>
      artifact === undefined ? withLease((deps) => research(asked, deps)).then(gate) : withArtifact(asked, artifact),
    locate: (asked) => withLease((deps) => locateInCodebase(asked, deps)).then(gate),
    analyze: (asked) => withLease((deps) => analyzeComponent(asked, deps)).then(gate),
    patterns: (asked) => withLease((deps) => findPatternsInCodebase(asked, deps)).then(gate),
    async createHandoff(asked, artifact) {
      const report = await withArtifact(asked, artifact);
      return { artifact: report.artifact, summary: report.synthesis.summary, references: referencesOf(report).length };
    },
    resumeHandoff(path, signal) {
      const isAllowed = (root: string) => chooseRoots([...new Set(roots())], [root]).refused.length === 0;
      return resumeHandoff({ dir: artifactDir, path, reader: readerOf(), signal, isAllowed }).then(gate);
    },
    close: () => keeper.settle(),
  };
}

/** stored texts belong to other projects, too; as globs for the deny list. */
function ownFiles(env: NodeJS.ProcessEnv): string[] {
  const named = [resolveStateDir(env), fallbackStateDir(env)];
  const dirs = new Set(named.flatMap((dir) => [dir, resolveRoot(dir) ?? dir]));
  return [...dirs].flatMap(privateNamesIn).map((path) => path.replace(/[\\*?[\]{}!]/g, "\\$&"));
}

function usable(provider: NonNullable<Settings["provider"]>): NonNullable<Settings["provider"]> {
  if (!provider.allowRemote && !isLoopback(provider.url))
    throw new ResearchError("invalid_config", `the model at ${provider.url} is not on this machine`, {
      hint: "set provider.allowRemote to send evidence there",
    });
  return provider;
}
