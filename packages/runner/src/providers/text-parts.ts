// The text of a tool's result. Every agent reports it as a list of content parts.
import { z } from "zod";

const textPart = z.object({ type: z.literal("text"), text: z.string() });

/** The text parts of a result, joined by newlines; images and other parts are left out. */
export function textOf(parts: readonly unknown[]): string {
  return parts.flatMap((part) => textPart.safeParse(part).data?.text ?? []).join("\n");
}
