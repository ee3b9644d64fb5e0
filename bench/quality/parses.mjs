#!/usr/bin/env node
// Does pruned code still parse? Of the files that tree-sitter reads without error, the share that it still does with the
// dropped lines gone and no marker in their place, by language.
//   node bench/quality/parses.mjs --repos DIR [--cases FILE…] [--per-language 60] [--failures] [--json]
// Without --cases the files are those of the clones under DIR, spread over all of them, each asked about one of its own
// definitions. --failures prints what does not parse.
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { parseArgs } from "node:util";
import { Language, Parser } from "web-tree-sitter";
import { openClones, readCases } from "../../train/clones.mjs";
import { loadEngine } from "../prune/load-engine.mjs";

const USAGE =
  "node bench/quality/parses.mjs --repos DIR [--cases FILE…] [--per-language N] [--language NAME] [--failures] [--json]";
const { values: opt } = parseArgs({
  options: {
    cases: { type: "string", multiple: true },
    repos: { type: "string" },
    "per-language": { type: "string", default: "60" },
    language: { type: "string" },
    failures: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (opt.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!opt.repos) {
  console.error(USAGE);
  process.exit(2);
}
const WASM = {
  ".py": "python",
  ".ts": "typescript",
  ".tsx": "tsx",
  ".js": "javascript",
  ".go": "go",
  ".rs": "rust",
  ".java": "java",
};
Object.assign(WASM, { ".rb": "ruby", ".sh": "bash", ".css": "css", ".php": "php", ".cs": "c-sharp" });
for (const extension of [".c", ".h", ".cc", ".cpp", ".hpp"]) WASM[extension] = "cpp";
const require = createRequire(new URL("../../packages/prune/package.json", import.meta.url));
await Parser.init({ locateFile: () => require.resolve("web-tree-sitter/web-tree-sitter.wasm") });
const parsers = new Map();
/** The first line (0-based) with an error, or -1. */
async function errorLine(text, language) {
  if (!parsers.has(language)) {
    const parser = new Parser();
    const wasm = await readFile(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`));
    parser.setLanguage(await Language.load(wasm));
    parsers.set(language, parser);
  }
  const tree = parsers.get(language).parse(text);
  let line = -1;
  if (tree.rootNode.hasError) {
    const find = (node) => {
      if (node.isError || node.isMissing) return node;
      for (const child of node.children) {
        const inner = child.hasError || child.isMissing ? find(child) : undefined;
        if (inner !== undefined) return inner;
      }
      return undefined;
    };
    line = (find(tree.rootNode) ?? tree.rootNode).startPosition.row;
  }
  tree.delete();
  return line;
}
const MODES = [
  ["20 %", { mode: "share", keep: 0.2 }],
  ["45 %", { mode: "share", keep: 0.45 }],
  ["adaptive", { mode: "auto" }],
];
const LEAST_LINES = 80;
const DEFINITION = /\b(?:def|class|fn|func|function|struct|interface|enum|impl|void|int|bool|String|const)\s+(\w{4,})/g;

/** Each file once, the repositories in turn, asked about one of its own definitions. */
function casesOfClones(clones) {
  const perRepo = readdirSync(opt.repos)
    .filter((dir) => dir.includes("+") && clones.has(dir.replace("+", "/")))
    .map((dir) => {
      const repo = dir.replace("+", "/");
      const paths = clones.git(repo, "ls-tree", "-r", "--name-only", "HEAD").split("\n");
      return paths.filter((path) => WASM[extname(path)]).map((path) => ({ repo, commit: "HEAD", path }));
    });
  const out = [];
  const longest = Math.max(...perRepo.map((list) => list.length));
  // Prime steps: neighbours in a folder look alike.
  for (let k = 0; k < longest; k++)
    for (const list of perRepo) if (k < list.length) out.push(list[(k * 7919) % list.length]);
  return [...new Map(out.map((one) => [`${one.repo} ${one.path}`, one])).values()];
}
function questionAbout(text) {
  const names = [...text.matchAll(DEFINITION)].map((match) => match[1]);
  const name = names[(names.length * 2) >> 2] ?? text.slice(text.length >> 1, (text.length >> 1) + 60);
  return `how does ${name.replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2")} work?`;
}

const { prune, createTreeSitterGrammars } = await loadEngine();
const grammars = createTreeSitterGrammars();
const clones = openClones(opt.repos);
const most = Number(opt["per-language"]);
const byLanguage = new Map();
for (const one of opt.cases?.flatMap(readCases) ?? casesOfClones(clones)) {
  const language = WASM[extname(one.path)];
  if (language === undefined || !clones.has(one.repo) || (opt.language ?? language) !== language) continue;
  byLanguage.set(language, [...(byLanguage.get(language) ?? []), one]);
}
const report = [];
for (const [language, cases] of byLanguage) {
  const step = opt.cases ? Math.max(1, cases.length / most) : 1;
  const row = { language, files: 0 };
  for (const [name] of MODES) row[name] = 0;
  for (let k = 0; k * step < cases.length && row.files < most; k++) {
    const one = cases[Math.floor(k * step)];
    const text = clones.textOf(one);
    const lines = text.split("\n");
    if (lines.length < LEAST_LINES || (await errorLine(text, language)) >= 0) continue;
    row.files++;
    for (const [name, amount] of MODES) {
      const focus = one.question ?? questionAbout(text);
      const pruned = await prune(text, { focus, path: one.path, kind: "code", amount, grammars });
      const kept = lines.map((line, i) => `${i + 1}│${line}`).filter((_, i) => pruned.kept[i] !== 0);
      const bare = kept.map((line) => line.slice(line.indexOf("│") + 1));
      const wrong = await errorLine(bare.join("\n"), language);
      if (wrong < 0) row[name]++;
      else if (opt.failures)
        console.error(
          `\n## ${name} ${one.repo} ${one.path}\n${kept.slice(Math.max(0, wrong - 6), wrong + 8).join("\n")}`,
        );
    }
  }
  for (const [name] of MODES) row[name] = Math.round((row[name] / Math.max(1, row.files)) * 1000) / 1000;
  report.push(row);
}
if (opt.json) console.log(JSON.stringify(report));
else console.table(report);
