// The wasm files that the engine loads: the parser, and the grammar of each language that it knows.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../setup.mjs";

const TABLE = "packages/prune/src/outline/languages.ts";

/** Copies them into `dir`. */
export function copyGrammars(dir) {
  const { resolve } = createRequire(join(root, "packages", "prune", "package.json"));
  const names = new Set(
    [...readFileSync(join(root, TABLE), "utf8").matchAll(/^\s.*\bwasm: "([a-z-]+)"/gm)].map(([, name]) => name),
  );
  if (names.size === 0) throw new Error(`${TABLE} names no grammar`);
  mkdirSync(dir, { recursive: true });
  for (const name of names) {
    const file = `tree-sitter-${name}.wasm`;
    copyFileSync(resolve(`@vscode/tree-sitter-wasm/wasm/${file}`), join(dir, file));
  }
  copyFileSync(resolve("web-tree-sitter/web-tree-sitter.wasm"), join(dir, "web-tree-sitter.wasm"));
  copyFileSync(resolve("web-tree-sitter"), join(dir, "web-tree-sitter.cjs"));
}
