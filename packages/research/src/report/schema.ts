// The shape of every answer, strict: a field too many is as wrong as a field too few (C-15).
import { z } from "zod";

/** `path`, `path:line` or `path:line:column`; the path has no colon, and lines count from 1. */
export const REFERENCE = /^[^\s:][^\n:]*(?::[1-9]\d*(?::[1-9]\d*)?)?$/;

/** What a role answers, and the synthesis of all roles. */
export const roleResult = z.strictObject({
  summary: z.string().min(1).max(2_000),
  references: z.array(z.string().regex(REFERENCE)).max(60).readonly(),
  key_findings: z.array(z.string().max(600)).max(20).readonly(),
  confidence: z.enum(["low", "med", "high"]),
  notes: z.string().max(600).nullable(),
});

const timing = z.strictObject({ startedAt: z.number(), elapsedMs: z.number().int().min(0) });

/** A role's result or its failure; `startedAt` in milliseconds since 1970. */
export const outcome = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("ok"), value: roleResult, timing }),
  ...(["timeout", "canceled", "error"] as const).map((status) =>
    z.strictObject({
      status: z.literal(status),
      error: z.strictObject({ name: z.string().min(1), message: z.string() }),
      timing,
    }),
  ),
]);

/** The limits that held for an answer. */
export const constraints = z.strictObject({
  maxFilesRead: z.int(),
  maxBytesRead: z.int(),
  deadlineMs: z.int(),
  maxTokens: z.int(),
  maxConcurrentTasks: z.int(),
});

/** Which roles ran, for how long, how many ran out of time, and up to twelve words to ask on with. */
export const progress = z.strictObject({
  roles: z.array(z.enum(["locator", "analyzer", "patterns", "thoughts", "model"])),
  elapsedMs: z.int().min(0),
  timeouts: z.int().min(0),
  keywords: z.array(z.string()).max(12),
});

const artifact = z.strictObject({ path: z.string().min(1) });
const roots = z.array(z.string().min(1));

const evidence = z
  .array(z.strictObject({ reference: z.string().regex(REFERENCE), text: z.string().min(1) }))
  .readonly();

/** The answer of `research_codebase`. */
export const researchReport = z.strictObject({
  question: z.string(),
  rootsSearched: roots,
  synthesis: roleResult,
  /** The code that answers, best first: bodies with their line numbers. */
  evidence,
  locator: outcome,
  analyzer: outcome.optional(),
  patterns: outcome.optional(),
  constraints,
  progress,
  artifact: artifact.optional(),
});

/** The categories of `locate_in_codebase`. */
export const PARTS = ["implementation", "tests", "config", "docs", "types", "entry_points"] as const;

/** The answer of `locate_in_codebase`; a category without files is left out. */
export const locateReport = z.strictObject({
  question: z.string(),
  rootsSearched: roots,
  locator: outcome,
  categories: z.strictObject(
    Object.fromEntries(PARTS.map((part) => [part, z.array(z.string().regex(REFERENCE)).optional()])),
  ),
  constraints,
  progress,
});

/** The answer of `find_patterns`. */
export const patternsReport = z.strictObject({
  question: z.string(),
  rootsSearched: roots,
  patterns: outcome,
  constraints,
  progress,
});
/** The answer of `analyze_component`. */
export const componentReport = z.strictObject({
  question: z.string(),
  rootsSearched: roots,
  analyzer: outcome,
  constraints,
  progress,
});
/** The answer of `list_roots`: absolute paths. */
export const rootsReport = z.strictObject({ roots });
/** The answer of `create_handoff`; `references` is their number. */
export const handoffReport = z.strictObject({ artifact, summary: z.string(), references: z.int().min(0) });

/** The answer of `resume_handoff`; `now` is the new place of a reference that moved. */
export const resumeReport = z.strictObject({
  artifact,
  question: z.string(),
  summary: z.string(),
  references: z.array(
    z.strictObject({
      reference: z.string(),
      status: z.enum(["ok", "moved", "changed", "gone"]),
      now: z.string().optional(),
    }),
  ),
  notes: z.string().nullable(),
});

/**
 * An answer: the synthesis first, then the code (`evidence`) and what each role found. `artifact` is there where a memo
 * was written.
 */
export type ResearchReport = z.infer<typeof researchReport>;
export type LocateReport = z.infer<typeof locateReport>;
export type PatternsReport = z.infer<typeof patternsReport>;
export type ComponentReport = z.infer<typeof componentReport>;
export type ResumeReport = z.infer<typeof resumeReport>;
export type HandoffReport = z.infer<typeof handoffReport>;
