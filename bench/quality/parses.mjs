#!/usr/bin/env node
// Does pruned code still parse? Of the files that tree-sitter reads without error, the share that it still does with the
// dropped lines gone and no marker in their place, by language.
//   node bench/quality/parses.mjs --cases FILE… --repos DIR [--per-language 30] [--json]
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { parseArgs } from "node:util";
import { Language, Parser } from "web-tree-sitter";
import { openClones, readCases } from "../../train/clones.mjs";
import { loadEngine } from "../prune/load-engine.mjs";

const { values: opt } = parseArgs({
  options: {
    cases: { type: "string", multiple: true },
    repos: { type: "string" },
    "per-language": { type: "string", default: "30" },
    json: { type: "boolean", default: false },
  },
});
if (!opt.cases || !opt.repos) {
  console.error("node bench/quality/parses.mjs --cases FILE… --repos DIR [--per-language N] [--json]");
  process.exit(2);
}
const WASM = { ".py": "python", ".ts": "typescript", ".js": "javascript", ".go": "go", ".rs": "rust", ".java": "java" };
for (const extension of [".c", ".h", ".cc", ".cpp", ".hpp"]) WASM[extension] = "cpp";
const require = createRequire(new URL("../../packages/prune/package.json", import.meta.url));
await Parser.init({ locateFile: () => require.resolve("web-tree-sitter/web-tree-sitter.wasm") });
const parsers = new Map();
async function isValid(text, language) {
  if (!parsers.has(language)) {
    const parser = new Parser();
    const wasm = await readFile(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`));
    parser.setLanguage(await Language.load(wasm));
    parsers.set(language, parser);
  }
  const tree = parsers.get(language).parse(text);
  const valid = !tree.rootNode.hasError;
  tree.delete();
  return valid;
}
const MODES = [
  ["20 %", { mode: "share", keep: 0.2 }],
  ["45 %", { mode: "share", keep: 0.45 }],
  ["adaptive", { mode: "auto" }],
];
const { prune, createTreeSitterGrammars } = await loadEngine();
const grammars = createTreeSitterGrammars();
const clones = openClones(opt.repos);
const byLanguage = new Map();
for (const one of opt.cases.flatMap(readCases)) {
  const language = WASM[extname(one.path)];
  if (language === undefined || !clones.has(one.repo)) continue;
  byLanguage.set(language, [...(byLanguage.get(language) ?? []), one]);
}
const report = [];
for (const [language, cases] of byLanguage) {
  const most = Number(opt["per-language"]);
  const step = Math.max(1, cases.length / most);
  const row = { language, files: 0 };
  for (const [name] of MODES) row[name] = 0;
  for (let k = 0; k < Math.min(most, cases.length); k++) {
    const one = cases[Math.floor(k * step)];
    const text = clones.textOf(one);
    if (!(await isValid(text, language))) continue;
    row.files++;
    for (const [name, amount] of MODES) {
      const pruned = await prune(text, { focus: one.question, path: one.path, kind: "code", amount, grammars });
      const kept = text.split("\n").filter((_, i) => pruned.kept[i] !== 0);
      if (await isValid(kept.join("\n"), language)) row[name]++;
    }
  }
  for (const [name] of MODES) row[name] = Math.round((row[name] / Math.max(1, row.files)) * 1000) / 1000;
  report.push(row);
}
if (opt.json) console.log(JSON.stringify(report));
else console.table(report);
