// The arguments of the tools: what can be refused from the words alone. What an id means, and whether there is such a
// task, is checked by the command, whose refusal has a hint. The caller is never an argument.
import * as z from "zod";
import { LEVELS } from "../../memory/log-line.ts";

const MAX_TEXT_CHARS = 1_000_000;

const text = z
  .string()
  .max(MAX_TEXT_CHARS)
  .refine((value) => !value.includes("\0"));
const word = text.max(500);

export const nothing = z.object({});
export const ofTask = z.object({ task_id: word });
export const logArguments = z.object({
  task_id: word,
  message: text,
  level: z.enum(LEVELS).default("info"),
  file: text.optional(),
  command: text.optional(),
});
export const contextArguments = z.object({ operation: word, role: z.enum(["agent", "skill"]).default("agent") });
export const cliArguments = z.object({ command: text });
