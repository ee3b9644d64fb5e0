// The words of a tool's result, as every agent's stream carries them: text parts among others.
import { z } from "zod";

const textPart = z.object({ type: z.literal("text"), text: z.string() });

export function textOf(parts: readonly unknown[]): string {
  return parts.flatMap((part) => textPart.safeParse(part).data?.text ?? []).join("\n");
}
