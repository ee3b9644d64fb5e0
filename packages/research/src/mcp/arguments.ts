// The arguments of the tools: what can be refused from the words alone. An unknown name is refused by name: a limit that
// is misspelled must not be a limit that does not hold.
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

export const nothing = z.strictObject({});

export const askArguments = z.strictObject({
  question: text,
  roots: z.array(path).min(1).max(50).optional(),
  constraints: constraintsSchema.default({}),
});
export type AskArguments = z.output<typeof askArguments>;

const artifact = z.union([z.boolean(), z.strictObject({ path: path.optional() })]);

export const researchArguments = askArguments.extend({ artifact: artifact.default(false) });

export const createHandoffArguments = askArguments.extend({ path: path.optional() });

export const resumeHandoffArguments = z.strictObject({ path });
