// The arguments of the tools, parsed: exactly what the schemas of surface.ts allow. Lines below 1 pass here,
// because they are answered with -32005 and not with -32602.
import * as z from "zod";

// Not in the published schema: no real call has so many, and each invalid one would be an issue of its own.
const MAX_RANGES = 10_000;

// JSON Schema's integer has no upper end, unlike zod's; it is refused in the same words.
const integer = z.number().check(({ value, issues }) => {
  if (!Number.isInteger(value)) issues.push({ code: "invalid_type", expected: "int", input: value });
});

/** The arguments of `prune_text`: all of them are required, and unknown names are refused. */
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

/** The arguments of `recover_text`: at most 10,000 ranges; which lines exist is checked by the tool. */
export const recoverArguments = z.strictObject({
  prune_id: z.string(),
  ranges: z.array(z.strictObject({ start_line: integer, end_line: integer })).max(MAX_RANGES),
  include_line_numbers: z.boolean(),
});

/** `health` takes no arguments; any name is refused. */
export const healthArguments = z.strictObject({});

/** `prune_text` after parsing; `timeout_ms` in milliseconds, `max_prune_ratio` from 0 to 1. */
export type PruneArguments = z.infer<typeof pruneArguments>;
/** `recover_text` after parsing; lines count from 1, and may still be out of range. */
export type RecoverArguments = z.infer<typeof recoverArguments>;
