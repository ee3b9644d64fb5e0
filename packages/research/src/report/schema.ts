// The shape of every answer, strict: a field too many is as wrong as a field too few (C-15).
import { z } from "zod";

export const REFERENCE = /^[^\s:][^\n:]*(?::[1-9]\d*(?::[1-9]\d*)?)?$/;

export const roleResult = z.strictObject({
  summary: z.string().min(1).max(2_000),
  references: z.array(z.string().regex(REFERENCE)).max(60).readonly(),
  key_findings: z.array(z.string().max(600)).max(20).readonly(),
  confidence: z.enum(["low", "med", "high"]),
  notes: z.string().max(600).nullable(),
});

const timing = z.strictObject({ startedAt: z.number(), elapsedMs: z.number().int().min(0) });

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

export const constraints = z.strictObject({
  maxFilesRead: z.int(),
  maxBytesRead: z.int(),
  deadlineMs: z.int(),
  maxTokens: z.int(),
  maxConcurrentTasks: z.int(),
});

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

export const PARTS = ["implementation", "tests", "config", "docs", "types", "entry_points"] as const;

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

export const patternsReport = z.strictObject({
  question: z.string(),
  rootsSearched: roots,
  patterns: outcome,
  constraints,
  progress,
});
export const componentReport = z.strictObject({
  question: z.string(),
  rootsSearched: roots,
  analyzer: outcome,
  constraints,
  progress,
});
export const rootsReport = z.strictObject({ roots });
export const handoffReport = z.strictObject({ artifact, summary: z.string(), references: z.int().min(0) });

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

/** The answer to a question about a code base. */
export type ResearchReport = z.infer<typeof researchReport>;
export type LocateReport = z.infer<typeof locateReport>;
export type PatternsReport = z.infer<typeof patternsReport>;
export type ComponentReport = z.infer<typeof componentReport>;
export type ResumeReport = z.infer<typeof resumeReport>;
export type HandoffReport = z.infer<typeof handoffReport>;
