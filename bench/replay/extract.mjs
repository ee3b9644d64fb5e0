#!/usr/bin/env node
// Transcripts that the tool Entire keeps on branches entire/… of public repositories, as files that replay.mjs reads:
//   node bench/replay/extract.mjs --git DIR [--git DIR…] --out FOLDER
// Of every session the longest whole checkpoint is written. A resumed session begins with a copy of another one's
// messages: of those that share a message, only the longer one is written.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const USAGE = "node bench/replay/extract.mjs --git DIR [--git DIR…] --out FOLDER\n";
const { values: opt } = parseArgs({
  options: {
    git: { type: "string", multiple: true, default: [] },
    out: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (opt.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (opt.git.length === 0 || opt.out === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const TRANSCRIPT = /\/full\.jsonl(?:\.(\d+))?$/;
/** What no two sessions share, unless one is a copy of the other: Claude Code's messages, Codex' calls. */
const MESSAGE_ID = /"id":"(msg_\w+)"|"call_id":"([\w-]{12,})"/g;

const sessions = opt.git.flatMap((dir) => checkpointsIn(dir).map((one) => ({ ...one, dir })));
for (const one of sessions) one.messages = messagesIn(textOf(one));
sessions.sort((a, b) => b.messages.size - a.messages.size || (a.id < b.id ? -1 : 1));
const taken = new Set();
let written = 0;
mkdirSync(opt.out, { recursive: true });
for (const one of sessions) {
  const isCopy = [...one.messages].some((id) => taken.has(id));
  if (one.messages.size === 0 || isCopy) continue;
  for (const id of one.messages) taken.add(id);
  writeFileSync(join(opt.out, `${one.id}.jsonl`), textOf(one));
  written++;
}
process.stdout.write(`${written} of ${sessions.length} sessions in ${opt.out}\n`);

function git(dir, args, input) {
  const done = spawnSync("git", [`--git-dir=${dir}`, ...args], { input, maxBuffer: 2 ** 31 - 1 });
  if (done.status !== 0) throw new Error(`git ${args[0]} in ${dir}: ${String(done.stderr).trim()}`);
  return done.stdout;
}

function listed(dir) {
  const refs = git(dir, ["for-each-ref", "--format=%(refname)", "refs/heads/entire", "refs/entire"]).toString();
  return refs
    .split("\n")
    .filter((ref) => ref !== "")
    .flatMap((ref) =>
      git(dir, ["ls-tree", "-r", "-l", ref])
        .toString()
        .split("\n")
        .flatMap((row) => {
          const [, sha, size, path] = /^\S+ blob (\S+)\s+(\S+)\t(.*)$/.exec(row) ?? [];
          return path === undefined
            ? []
            : [{ sha, size: Number(size), path, folder: `${ref}:${path.replace(/\/[^/]+$/, "")}` }];
        }),
    );
}

/** The longest checkpoint of every session of which no part is missing: { id, parts }. */
function checkpointsIn(dir) {
  const folders = new Map();
  const about = new Map();
  for (const file of listed(dir)) {
    const part = TRANSCRIPT.exec(file.path);
    if (part !== null)
      folders.set(file.folder, [...(folders.get(file.folder) ?? []), { ...file, nth: Number(part[1] ?? 0) }]);
    else if (file.path.endsWith("/metadata.json") && file.size > 0) about.set(file.folder, file);
  }
  const longest = new Map();
  for (const [folder, parts] of folders) {
    parts.sort((a, b) => a.nth - b.nth);
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    // A clone without all blobs does not tell the size of those that it lacks.
    if (parts.some(({ nth }, index) => nth !== index) || !(size > 0)) continue;
    const id = sessionIn(dir, about.get(folder)) ?? folder.split("/").at(-1);
    if ((longest.get(id)?.size ?? 0) < size) longest.set(id, { id, parts, size });
  }
  return [...longest.values()];
}

function sessionIn(dir, file) {
  if (file === undefined) return undefined;
  const { session_id: id } = JSON.parse(git(dir, ["cat-file", "blob", file.sha]).toString());
  return typeof id === "string" && /^[\w-]+$/.test(id) ? id.replace(/^\d{4}-\d\d-\d\d-/, "") : undefined;
}

function textOf({ dir, parts }) {
  return parts.map(({ sha }) => git(dir, ["cat-file", "blob", sha]).toString("utf8")).join("\n");
}

function messagesIn(text) {
  return new Set(Array.from(text.matchAll(MESSAGE_ID), ([, message, call]) => message ?? call));
}
