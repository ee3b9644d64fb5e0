// The arguments of the tools: what can be refused before anything is read. Unknown names are refused, because a misspelled
// limit would otherwise be ignored.
import { z } from "zod";
import { constraintsSchema } from "../settings.ts";

const text = z
  .string()
  .max(200_000)
  .refine((value) => value.trim() !== "" && !value.includes("\0"));

const path = z
  .string()
  .min(1)
  .max(4_096)
  .refine((value) => !value.includes("\0"));

/** For tools without arguments. */
export const nothing = z.strictObject({});

/** A question of at most 200,000 characters, at most 50 roots, and limits of its own. */
export const askArguments = z.strictObject({
  question: text,
  roots: z.array(path).min(1).max(50).optional(),
  constraints: constraintsSchema.default({}),
});
/** A question after parsing; constraints have their camelCase names. */
export type AskArguments = z.output<typeof askArguments>;

const artifact = z.union([z.boolean(), z.strictObject({ path: path.optional() })]);

/** `artifact`: true, or the path of a memo inside the artefact directory. */
export const researchArguments = askArguments.extend({ artifact: artifact.default(false) });

/** `path`: where in the artefact directory the memo goes; without it the name is made from the question. */
export const createHandoffArguments = askArguments.extend({ path: path.optional() });

/** `path`: a memo inside the artefact directory. */
export const resumeHandoffArguments = z.strictObject({ path });
