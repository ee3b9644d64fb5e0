// JEEVES_TOKEN as a setting. One that no Authorization header can carry is refused at the start, where it can be put
// right, and not with each request.
import * as z from "zod";

const EXPECTED = "visible ASCII characters and no blanks, because it is sent in an Authorization header";

/** The schema of a token that a header can carry; empty is as if it were not set. */
export const bearerToken = z
  .string()
  .min(1)
  .refine((token) => /^[\x21-\x7e]+$/.test(token), EXPECTED)
  .optional()
  .describe("the bearer token that every request must carry")
  .meta({ secret: true });
