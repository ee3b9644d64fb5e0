// The ranker of packages/research from source: one extractor for training and for serving.
import { importBundled } from "../bundle.mjs";

export async function loadRanker() {
  const { ranker } = await importBundled("bench-locate", { ranker: "bench/locate/ranker-entry.mjs" });
  return ranker;
}
