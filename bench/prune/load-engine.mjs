// The engine and its grammars from source, bundled as they ship.
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/setup.mjs";
import { importBundled } from "../bundle.mjs";

const INTO = "bench-prune";

/** @param {string} [entry] a further source file to bundle and import, beside the engine's own two entries */
export async function loadEngine(entry) {
  const { index, grammars, extra } = await importBundled(INTO, {
    index: "packages/prune/src/index.ts",
    grammars: "packages/prune/src/outline/grammars.ts",
    ...(entry === undefined ? {} : { extra: entry }),
  });
  return { ...index, ...grammars, extra };
}

/** Where one of the engine's own entries lies once it was loaded, for another process to import. */
export function bundledUrl(name) {
  return pathToFileURL(`${root}/.cache/${INTO}/${name}.mjs`).href;
}
