// The arguments of the tools as zod schemas (J-25 … J-42, X-02, X-05): what can be refused from the words alone, before
// anything runs. Unknown names are ignored; a lexical escape from the root is `custom`.
import { isInsideLexically, MAX_PATH_CHARS, type Root } from "@jeeves/workspace";
import * as z from "zod";

const hasNoNul = (text: string) => !text.includes("\0");
const text = (limits: { readonly max?: number } = {}) =>
  z
    .string()
    .min(1)
    .max(limits.max ?? Number.MAX_SAFE_INTEGER)
    .refine(hasNoNul);

const focusQuestion = z.string().max(1_000).trim().min(1).optional();
const maxOutputBytes = z.int().min(1_024).max(10_485_760).default(10_485_760);
const timeoutMs = z.int().min(100).max(300_000).default(30_000);
const lineNumber = z.int().min(1);
// How many of something is checked before each of them: a million wrong ones would be a million issues.
const MAX_RANGES = 10_000;
// Of an id only its form matters, and an unknown one is repeated in the answer.
const MAX_ID_CHARS = 1_000;
const MAX_VARIABLES = 200;

const confinedPath = (root: Root) => text({ max: MAX_PATH_CHARS }).refine((path) => isInsideLexically(root, path));

/** `read`: paths below the root, lines from 1, at most 10 MiB, and `start_line` not behind `end_line`. */
export const readArguments = (root: Root) =>
  z
    .object({
      file_path: confinedPath(root),
      encoding: z.literal("utf-8").default("utf-8"),
      start_line: lineNumber.optional(),
      end_line: lineNumber.optional(),
      max_output_bytes: maxOutputBytes,
      context_focus_question: focusQuestion,
    })
    .refine(
      (args) => args.start_line === undefined || args.end_line === undefined || args.start_line <= args.end_line,
      {
        path: ["end_line"],
      },
    );
/** `read` after parsing, with its defaults. */
export type ReadArguments = z.output<ReturnType<typeof readArguments>>;

/** `bash`: at most 50,000 characters of command, 200 variables in capitals, and 300,000 ms. */
export const bashArguments = (root: Root) =>
  z.object({
    command: text({ max: 50_000 }),
    cwd: confinedPath(root).optional(),
    // zod counts the elements of an array first, but not those of a record.
    env: z
      .record(z.string(), z.custom<string>())
      .refine((env) => Object.keys(env).length <= MAX_VARIABLES)
      .pipe(z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string().max(4_000).refine(hasNoNul)))
      .optional(),
    timeout_ms: timeoutMs,
    max_output_bytes: maxOutputBytes,
    context_focus_question: focusQuestion,
  });
/** `bash` after parsing, with its defaults. */
export type BashArguments = z.output<ReturnType<typeof bashArguments>>;

/** `grep`: `path` or `paths` but not both, at most 5,000 matches with 20 lines of context each. */
export const grepArguments = (root: Root) =>
  z
    .object({
      pattern: text({ max: 10_000 }),
      path: confinedPath(root).optional(),
      paths: z.array(confinedPath(root)).min(1).max(100).optional(),
      cwd: confinedPath(root).optional(),
      fixed_string: z.boolean().default(false),
      case_sensitive: z.boolean().default(true),
      context_lines: z.int().min(0).max(20).default(0),
      timeout_ms: timeoutMs,
      max_matches: z.int().min(1).max(5_000).default(500),
      max_output_bytes: maxOutputBytes,
      context_focus_question: focusQuestion,
    })
    .refine((args) => args.path === undefined || args.paths === undefined, { path: ["paths"] });
/** `grep` after parsing, with its defaults. */
export type GrepArguments = z.output<ReturnType<typeof grepArguments>>;

/** Ranges below 1, reversed or past the end are the tool's own `invalid_range`, not a `-32602`. */
export const recoverArguments = z.object({
  prune_id: z.string().min(1).max(MAX_ID_CHARS),
  ranges: z
    .array(z.object({ start_line: z.int(), end_line: z.int() }))
    .max(MAX_RANGES)
    .optional(),
  /** As the markers inside of lines have them: `1025-42224`, several with commas. */
  chars: z
    .string()
    .max(MAX_RANGES)
    .regex(/^\s*\d{1,15}-\d{1,15}(?:\s*,\s*\d{1,15}-\d{1,15})*\s*$/)
    .optional(),
  include_line_numbers: z.boolean().default(false),
});
/** `recover_text` after parsing; its ranges may still be out of range. */
export type RecoverArguments = z.output<typeof recoverArguments>;
