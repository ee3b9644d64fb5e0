// Bundles the engine and its grammars from source into .cache/ and imports the bundle: benchmarks measure what ships,
// not a transpiler.
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** @param {string} [entry] a further source file to bundle and import, beside the engine's own two entries */
export async function loadEngine(entry) {
  const out = `${root}.cache/bench-prune`;
  mkdirSync(out, { recursive: true });
  const entryPoints = {
    index: `${root}packages/prune/src/index.ts`,
    grammars: `${root}packages/prune/src/grammars.ts`,
  };
  if (entry !== undefined) entryPoints.extra = `${root}${entry}`;
  await build({
    entryPoints,
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["web-tree-sitter"],
    logLevel: "error",
  });
  const load = (name) => import(pathToFileURL(`${out}/${name}.mjs`).href);
  const { prune, renderPruned, shortMarker, estimateTokens } = await load("index");
  const { createTreeSitterGrammars } = await load("grammars");
  return {
    prune,
    renderPruned,
    shortMarker,
    estimateTokens,
    createTreeSitterGrammars,
    ...(entry === undefined ? {} : { extra: await load("extra") }),
  };
}
