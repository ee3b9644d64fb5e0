// The arguments of the tools, parsed: exactly what the schemas of surface.ts allow. Lines below 1 pass here,
// because they are answered with -32005 and not with -32602.
import * as z from "zod";

// Not in the published schema: no caller asks for so many, and each wrong one would be an issue of its own.
const MAX_RANGES = 10_000;

// JSON Schema's integer has no upper end, unlike zod's; it is refused in the same words.
const integer = z.number().check(({ value, issues }) => {
  if (!Number.isInteger(value)) issues.push({ code: "invalid_type", expected: "int", input: value });
});

export const pruneArguments = z.strictObject({
  text: z.string(),
  goal_hint: z.string(),
  source_type: z.enum(["code", "logs", "docs"]),
  options: z.strictObject({
    max_prune_ratio: z.number().min(0).max(1),
    min_keep_lines: integer.min(0),
    timeout_ms: integer.min(1),
    annotate_lines: z.boolean(),
    include_markers: z.boolean(),
  }),
});

export const recoverArguments = z.strictObject({
  prune_id: z.string(),
  ranges: z.array(z.strictObject({ start_line: integer, end_line: integer })).max(MAX_RANGES),
  include_line_numbers: z.boolean(),
});

export const healthArguments = z.strictObject({});

export type PruneArguments = z.infer<typeof pruneArguments>;
export type RecoverArguments = z.infer<typeof recoverArguments>;
