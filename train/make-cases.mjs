#!/usr/bin/env node
// Training cases from the history and the comments of public repositories:
//   node train/make-cases.mjs --repos DIR --repo OWNER/NAME… [--commits 80] [--docs 40] --out FILE
// commit → the lines that it changed, asked with its subject; doc comment → the function below it, asked with the
// comment's first sentence, the comment taken out of the text. Same clones, same cases: nothing is drawn by chance.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadEngine } from "../bench/prune/load-engine.mjs";
import { openClones } from "./clones.mjs";

const { values: opt } = parseArgs({
  options: {
    repos: { type: "string" },
    repo: { type: "string", multiple: true },
    commits: { type: "string", default: "80" },
    docs: { type: "string", default: "40" },
    out: { type: "string" },
  },
});
if (!opt.repos || !opt.repo || !opt.out) {
  console.error("node train/make-cases.mjs --repos DIR --repo OWNER/NAME… [--commits N] [--docs N] --out FILE");
  process.exit(2);
}
const CODE = /\.(?:py|[cm]?[jt]sx?|go|rs|java|rb|php|cs|c|h|cc|cpp|hpp|sh|kt|swift|scala|lua|exs?)$/;
const NOT_TESTED =
  /(?:^|\/)(?:test|tests|__tests__|spec|vendor|third_party|node_modules|dist|docs?|examples?|deno\w*)\/|[._]test\.|\.test\.|\.d\.ts$|_pb\./;
const SUBJECT =
  /^(?:fix|feat|refactor|perf|bugfix|add|support|allow|make|handle|avoid|use|improve|remove|don't|do not|ensure|prevent)\b/i;
const LINES = { least: 60, most: 3000 };
const { createTreeSitterGrammars, extra } = await loadEngine("train/extractor-entry.mjs");
const grammars = createTreeSitterGrammars();
const clones = openClones(opt.repos);

/** Every k-th of a list, so that a long history is represented from end to end. */
const spread = (list, count) =>
  list.length <= count ? list : Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]);
const lineCount = (text) => text.split("\n").length;

function cleanSubject(subject) {
  return subject
    .replace(/^\w+(?:\([^)]*\))?!?:\s*/, "")
    .replace(/\s*\(?(?:closes |fixes |resolves )?#\d+\)?\.?/gi, "")
    .trim();
}

function commitCases(repo) {
  const log = clones.git(repo, "log", "--no-merges", "--format=%H%x09%s", "-n", "6000");
  const commits = log
    .split("\n")
    .map((line) => line.split("\t"))
    .filter(
      ([, subject]) =>
        subject &&
        (SUBJECT.test(subject) || /\bfix/i.test(subject)) &&
        !/typo|bump|lint|format|version|changelog|readme|docs?\b|tests?\b/i.test(subject),
    );
  const cases = [];
  const perFile = new Map();
  for (const [hash, subject] of spread(commits, Number(opt.commits) * 4)) {
    if (cases.length >= Number(opt.commits)) break;
    const question = cleanSubject(subject);
    if (question.split(/\s+/).length < 4) continue;
    let diff;
    try {
      diff = clones.git(repo, "diff", "-U0", "--no-renames", "--diff-filter=M", `${hash}~1`, hash);
    } catch {
      continue;
    }
    const files = diff.split(/^diff --git /m).slice(1);
    const code = files.filter((part) => CODE.test(pathIn(part)) && !NOT_TESTED.test(pathIn(part)));
    if (code.length === 0 || code.length > 2) continue;
    for (const part of code) {
      const path = pathIn(part);
      const gold = [...part.matchAll(/^@@ -(\d+)(?:,(\d+))? \+/gm)].map(([, at, size = "1"]) => {
        const [from, count] = [Number(at), Number(size)];
        return count === 0 ? [Math.max(1, from), Math.max(1, from)] : [from, from + count - 1];
      });
      const changed = gold.reduce((sum, [a, b]) => sum + b - a + 1, 0);
      if (changed === 0 || changed > 30 || (perFile.get(path) ?? 0) >= 8) continue;
      const one = {
        id: `${repo}-${hash.slice(0, 10)}-${path}`,
        set: "commit",
        repo,
        commit: `${hash}~1`,
        path,
        question,
        gold,
      };
      const size = lineCount(clones.textOf(one));
      if (size < LINES.least || size > LINES.most) continue;
      perFile.set(path, (perFile.get(path) ?? 0) + 1);
      cases.push(one);
    }
  }
  return cases;
}
function pathIn(part) {
  return /^--- a\/(.+)$/m.exec(part)?.[1] ?? "";
}

const BARE = /^[\s/*#"'!;-]+|["'*/\s]+$/g;
async function docCases(repo) {
  const paths = clones
    .git(repo, "ls-tree", "-r", "--name-only", "HEAD")
    .split("\n")
    .filter((path) => CODE.test(path) && !NOT_TESTED.test(path));
  const cases = [];
  for (const path of spread(paths, 60)) {
    const text = clones.git(repo, "show", `HEAD:${path}`);
    const size = lineCount(text);
    if (size < 120 || size > LINES.most) continue;
    const lines = text.split("\n");
    const outline = await extra.segment(extra.splitLines(text), {
      kind: "code",
      path,
      grammars,
      shouldStop: () => false,
    });
    const found = [];
    for (const s of outline.scopes) {
      if (s.kind !== "function" || s.end - s.start < 5 || s.end - s.start > 60) continue;
      const doc = docRange(lines, s);
      if (doc === undefined) continue;
      const said = lines
        .slice(doc[0], doc[1] + 1)
        .map((line) => line.replace(BARE, ""))
        .filter((line) => !/^[@:<\\]|^-{3}|^(?:ref|TODO|NOTE)/.test(line))
        .join(" ")
        .trim();
      const sentence = (/^.*?[.!?](?=\s|$)/.exec(said)?.[0] ?? said).slice(0, 300);
      const words = sentence.split(/\s+/).length;
      if (words < 7 || words > 45 || /copyright|licen[cs]e|deprecated/i.test(sentence)) continue;
      found.push({ s, doc, sentence });
    }
    for (const { s, doc, sentence } of spread(found, 3)) {
      const [from, to] = doc;
      const kept = lines.filter((_, i) => i < from || i > to);
      const shift = (i) => (i > to ? i - (to - from + 1) : i) + 1;
      cases.push({
        id: `${repo}-${path}-${s.start}`,
        set: "doc",
        repo,
        path,
        question: sentence,
        text: kept.join("\n"),
        gold: [[shift(s.start), shift(s.end)]],
      });
    }
  }
  return spread(cases, Number(opt.docs));
}
function docRange(lines, s) {
  const first = s.headerEnd + 1;
  const quote = /^\s*[rRuU]?("""|''')/.exec(lines[first] ?? "")?.[1];
  if (quote !== undefined) {
    if (lines[first].indexOf(quote) !== lines[first].lastIndexOf(quote)) return [first, first];
    for (let i = first + 1; i <= s.end; i++) if (lines[i].includes(quote)) return [first, i];
    return undefined;
  }
  let from = s.start;
  while (from > 0 && /^\s*(?:\/\/|\/\*|\*|#(?!\[|!\[|include|define|if|end)|--)/.test(lines[from - 1] ?? "")) from--;
  return from < s.start ? [from, s.start - 1] : undefined;
}

const all = [];
for (const repo of opt.repo) {
  const commits = commitCases(repo);
  const docs = await docCases(repo);
  console.error(`${repo}: ${commits.length} commits, ${docs.length} docs`);
  all.push(...commits, ...docs);
}
writeFileSync(opt.out, all.map((one) => `${JSON.stringify(one)}\n`).join(""));
