// Bundles source files into .cache/ and imports them: benchmarks measure what ships, not a transpiler.
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { alias } from "../scripts/bundle/alias.mjs";
import { root } from "../scripts/setup.mjs";

/**
 * @template {string} Name
 * @param {string} into folder under .cache
 * @param {Record<Name, string>} entries source files by name, from the project's root; what they share is loaded once
 * @returns {Promise<Record<Name, any>>} their modules
 */
export async function importBundled(into, entries) {
  const out = `${root}/.cache/${into}`;
  mkdirSync(out, { recursive: true });
  await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `${root}/${file}`])),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    alias,
    external: ["@vscode/ripgrep", "@photostructure/sqlite", "@vscode/tree-sitter-wasm", "web-tree-sitter"],
    // Bundled CommonJS asks for `require`; an ES module has none of its own.
    banner: { js: 'import { createRequire as __make } from "node:module"; const require = __make(import.meta.url);' },
    logLevel: "error",
  });
  const modules = Object.keys(entries).map(async (name) => [
    name,
    await import(pathToFileURL(`${out}/${name}.mjs`).href),
  ]);
  return Object.fromEntries(await Promise.all(modules));
}
