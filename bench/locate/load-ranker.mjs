// Bundles the ranker of packages/research from source into .cache/ and imports it: one extractor for training and for
// serving.
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

export async function loadRanker() {
  const out = `${root}.cache/bench-locate`;
  mkdirSync(out, { recursive: true });
  await build({
    entryPoints: { ranker: `${root}bench/locate/ranker-entry.mjs` },
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@vscode/ripgrep", "web-tree-sitter", "@vscode/tree-sitter-wasm"],
    logLevel: "error",
  });
  return import(pathToFileURL(`${out}/ranker.mjs`).href);
}
