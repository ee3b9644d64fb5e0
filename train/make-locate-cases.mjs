#!/usr/bin/env node
// Cases for the order of files from the history of public repositories: a commit's message → the sources that it changed.
//   node train/make-locate-cases.mjs --repos DIR --repo OWNER/NAME… [--commits 36] --out FILE
// All cases of a repository are asked at one commit, the parent of the oldest: one check-out, and nothing of the
// answer is in it. Same clones, same cases.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openClones } from "./clones.mjs";

const USAGE = "usage: node train/make-locate-cases.mjs --repos DIR --repo OWNER/NAME… [--commits 36] --out FILE\n";
const { values } = parseArgs({
  options: {
    repos: { type: "string" },
    repo: { type: "string", multiple: true },
    commits: { type: "string", default: "36" },
    out: { type: "string" },
  },
});
if (values.repos === undefined || values.repo === undefined || values.out === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const CODE = /\.(?:py|[cm]?[jt]sx?|go|rs|java|rb|php|cs|c|h|cc|cpp|hpp|vue|svelte)$/;
const NOT_SOURCE =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|vendor|third_party|node_modules|dist|docs?|examples?|playground|integration|bench\w*)\/|[._]test\.|\.spec\.|\.test\.|(?:^|\/)test_|Test\.java$|\.d\.ts$/;
const SKIPPED =
  /typo|bump|lint|format|release|version|changelog|readme|docs?\b|\btests?\b|revert|\bci\b|chore|merge|translation|copyright|deprecat/i;
const TRAILER =
  /^\s*(?:(?:signed-off|co-authored|reviewed|tested|acked)[\w-]*:|(?:closes|fixes|refs?|resolves|see)\b.*#\d+|https?:\/\/|-{3,})/i;
const LOOKED_AT = 14;
const MOST = { files: 5, ofOneFile: 3, bodyChars: 1_200 };
const clones = openClones(values.repos);

/** What a commit was for, without prefixes, numbers and trailers. */
function messageOf(subject, body) {
  const title = subject
    .replace(/^\w+(?:\([^)]*\))?!?:\s*/, "")
    .replace(/\s*\(?(?:closes |fixes |resolves |refs? )?(?:GH-)?#\d+\)?\.?/gi, "")
    .replace(/^Fixed?\s*--\s*/, "Fix ")
    .trim();
  const rest = body
    .split("\n")
    .filter((line) => !TRAILER.test(line))
    .join("\n")
    .trim()
    .replace(/#\d+/g, "")
    .slice(0, MOST.bodyChars);
  return title.split(/\s+/).length < 4 ? undefined : rest.length > 20 ? `${title}\n\n${rest}` : title;
}

function casesOf(repo) {
  const wanted = Number(values.commits);
  const log = clones.git(
    repo,
    "log",
    "--no-merges",
    "-n",
    String(wanted * LOOKED_AT),
    "--format=%x01%H%x02%s%x02%b%x03",
    "--name-status",
    "--diff-filter=AM",
    "--no-renames",
  );
  const found = [];
  for (const part of log.split("\x01").slice(1)) {
    const [head = "", names = ""] = part.split("\x03");
    const [hash = "", subject = "", body = ""] = head.split("\x02");
    const changed = names.split("\n").flatMap((line) => (line.includes("\t") ? [line.split("\t")] : []));
    const sources = changed.filter(([, path]) => CODE.test(path) && !NOT_SOURCE.test(path));
    const question = SKIPPED.test(subject) ? undefined : messageOf(subject, body);
    if (question === undefined || sources.length === 0 || sources.length > MOST.files) continue;
    if (sources.some(([status]) => status !== "M")) continue;
    found.push({ hash, question, files: sources.map(([, path]) => path) });
    if (found.length >= wanted) break;
  }
  const oldest = found.at(-1);
  if (oldest === undefined) return [];
  const commit = clones.git(repo, "rev-parse", `${oldest.hash}~1`).trim();
  const there = new Set(clones.git(repo, "ls-tree", "-r", "--name-only", commit).split("\n"));
  const times = new Map();
  return found.flatMap(({ hash, question, files }) => {
    if (files.some((path) => !there.has(path) || (times.get(path) ?? 0) >= MOST.ofOneFile)) return [];
    for (const path of files) times.set(path, (times.get(path) ?? 0) + 1);
    return [{ id: hash.slice(0, 10), repo, commit, question, files }];
  });
}

const all = values.repo.flatMap((repo) => {
  const cases = casesOf(repo);
  process.stderr.write(`${repo}: ${cases.length} commits\n`);
  return cases;
});
writeFileSync(values.out, all.map((one) => `${JSON.stringify(one)}\n`).join(""));
