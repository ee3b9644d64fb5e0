// The engine and its grammars from source, bundled as they ship.
import { importBundled } from "../bundle.mjs";

/** @param {string} [entry] a further source file to bundle and import, beside the engine's own two entries */
export async function loadEngine(entry) {
  const { index, grammars, extra } = await importBundled("bench-prune", {
    index: "packages/prune/src/index.ts",
    grammars: "packages/prune/src/grammars.ts",
    ...(entry === undefined ? {} : { extra: entry }),
  });
  return { ...index, ...grammars, extra };
}
