// Everything that rudder reads from its environment, described once.
import * as z from "zod";

/** A name is shown in tables, logs and refusals: one line of printable characters. */
const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u;

/** The variables of rudder, each with its check and its default. Others are ignored. */
export const configSchema = z.object({
  RUDDER_HAVEN: z.string().optional().describe("the haven; default: ~/.sailing/havens/<the id in .sailing/haven>"),
  RUDDER_AGENT: z
    .string()
    .regex(NAME, "one line of 1 to 200 characters")
    .optional()
    .describe("who you are: leases are held under this name"),
  // In decimal digits only: `Number("")` is 0 and `Number("0x10")` is 16.
  RUDDER_LEASE_TTL_S: z
    .string()
    .trim()
    .regex(/^\d+(?:\.\d+)?$/)
    .pipe(z.coerce.number<string>().min(0.1).max(604_800))
    .default(1_800)
    .describe("how long a lease lasts"),
  SAILING_PROJECT: z.string().optional().describe("the project's directory, like --root"),
  JEEVES_DATABASE_URL: z.string().optional().describe("a PostgreSQL where machines share havens; else files here"),
  HOME: z.string().optional().describe("where ~/.sailing/havens is"),
});

/** The environment after its checks: numbers are numbers, and defaults are filled in. */
export type Config = z.infer<typeof configSchema>;
