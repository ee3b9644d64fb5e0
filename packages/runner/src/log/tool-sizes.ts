// The sizes in a result of one of our servers. Agents keep the structured object in their event streams,
// as `structuredContent` or under `_meta["jeeves/result"]`. Any other result has no sizes, which is not an error.
import { z } from "zod";
import type { Sizes } from "../provider.ts";

const ours = z.union([
  z.object({
    pruning: z.object({
      applied: z.boolean().optional(),
      raw_bytes: z.int().nonnegative(),
      pruned_bytes: z.int().nonnegative().optional(),
    }),
  }),
  z.object({ tool: z.literal("recover_text"), content: z.string() }),
]);

const carrier = z.object({
  structuredContent: z.unknown(),
  structured_content: z.unknown(),
  _meta: z.object({ "jeeves/result": z.unknown() }).nullish().catch(undefined),
});

/**
 * The sizes that a result of `bash`, `read_file` or another of our tools reports, or undefined for any other result. Text
 * from `recover_text` counts as recovered only.
 */
export function sizesOf(result: unknown): Sizes | undefined {
  const carried = carrier.partial().safeParse(result);
  if (!carried.success) return undefined;
  const { structuredContent, structured_content, _meta } = carried.data;
  for (const value of [structuredContent, structured_content, _meta?.["jeeves/result"]]) {
    const found = ours.safeParse(value);
    if (!found.success) continue;
    if ("content" in found.data) {
      return { rawBytes: 0, keptBytes: 0, recoveredBytes: Buffer.byteLength(found.data.content, "utf8") };
    }
    const { raw_bytes: rawBytes, pruned_bytes } = found.data.pruning;
    return { rawBytes, keptBytes: pruned_bytes ?? rawBytes, recoveredBytes: 0 };
  }
  return undefined;
}
