// What a client may send besides what a fake reads: let through as nothing. A type that the fake does read never
// passes here, so that a changed shape is an error and not a silent gap in what the model is said to have seen.
import { z } from "zod";

export function anythingBut(known: readonly string[]) {
  return z
    .object({ type: z.string() })
    .refine(({ type }) => !known.includes(type), { error: "a known type in an unknown shape" })
    .transform(() => undefined);
}
