#!/usr/bin/env node
// Recorded runs of mini-SWE-agent (*.traj.json) in the form that replay.mjs reads, one line per step on stdout:
//   node bench/replay/convert.mjs FILE.traj.json…
//   node bench/replay/convert.mjs --git DIR [--under PATH]     from a git directory, read in place
// Messages are {role, content}; an answer holds one ```bash block; what a command printed stands in <output>.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

const USAGE = "node bench/replay/convert.mjs FILE.traj.json… | --git DIR [--under PATH]\n";
const { values: opt, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    git: { type: "string" },
    under: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
if (opt.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (opt.git === undefined && positionals.length === 0) {
  process.stderr.write(USAGE);
  process.exit(2);
}

for await (const { name, text } of opt.git === undefined ? readFiles(positionals) : readGit(opt.git, opt.under)) {
  const lines = convert(name, JSON.parse(text));
  if (!process.stdout.write(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`)) {
    await once(process.stdout, "drain");
  }
}

function* readFiles(files) {
  for (const file of files) yield { name: nameOf(file), text: readFileSync(file, "utf8") };
}

/** Blobs by one `git cat-file --batch`: a checkout of a gigabyte is not needed to read a part of it once. */
async function* readGit(gitDir, under) {
  const listed = spawnSync("git", [`--git-dir=${gitDir}`, "ls-tree", "-r", "HEAD", ...(under === "" ? [] : [under])], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (listed.status !== 0) throw new Error(`git ls-tree in ${gitDir}: ${listed.stderr.trim()}`);
  const blobs = listed.stdout
    .split("\n")
    .map((line) => /^\d+ blob (\w+)\t(.+\.traj\.json)$/.exec(line))
    .filter((found) => found !== null);
  const git = spawn("git", [`--git-dir=${gitDir}`, "cat-file", "--batch"], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    git.stdin.end(blobs.map(([, hash]) => `${hash}\n`).join(""));
    let held = Buffer.alloc(0);
    const chunks = git.stdout[Symbol.asyncIterator]();
    const fill = async (enough) => {
      const parts = [held];
      let size = held.length;
      while (!enough(parts.at(-1), size)) {
        const { value, done } = await chunks.next();
        if (done) throw new Error("git cat-file ended early");
        parts.push(value);
        size += value.length;
      }
      held = Buffer.concat(parts);
    };
    for (const [, , path] of blobs) {
      await fill((last) => last.includes(10));
      const end = held.indexOf(10);
      const [, kind, size] = held.subarray(0, end).toString("utf8").split(" ");
      held = held.subarray(end + 1);
      if (kind !== "blob") {
        process.stderr.write(`${path}: not in this clone, left out\n`);
        continue;
      }
      await fill((_, all) => all > Number(size));
      yield { name: nameOf(path), text: held.subarray(0, Number(size)).toString("utf8") };
      held = held.subarray(Number(size) + 1);
    }
  } finally {
    git.kill();
  }
}

function nameOf(path) {
  return basename(path, ".traj.json");
}

function convert(name, { messages }) {
  const [system, task, ...rest] = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const lines = [{ run: name, prompt: `${system?.text ?? ""}\n${task?.text ?? ""}`.trim() }];
  for (const [k, { role, text }] of rest.entries()) {
    if (role !== "assistant") continue;
    const block = /```bash\n([\s\S]*?)\n?```/.exec(text);
    const answer = rest[k + 1]?.role === "user" ? rest[k + 1].text : "";
    const { output, exitCode } = outputOf(answer);
    lines.push({
      thought: text
        .replace(block?.[0] ?? "", "")
        .replace(/<(EXPLORE|PATCH)_CONTEXT>[\s\S]*?<\/\1_CONTEXT>/g, "")
        .replace(/^THOUGHT:\s*/, "")
        .trim(),
      command: block?.[1] ?? "",
      output,
      exit_code: exitCode,
      ranges: [...text.matchAll(/<(EXPLORE|PATCH)_CONTEXT>([\s\S]*?)<\/\1_CONTEXT>/g)].flatMap(([, , declared]) =>
        rangesOf(declared),
      ),
    });
  }
  return lines;
}

function outputOf(answer) {
  const exitCode = Number(/<returncode>(-?\d+)<\/returncode>/.exec(answer)?.[1] ?? 0);
  const whole = /<output>\n?([\s\S]*?)\n?<\/output>\s*(?:Please try another[^\n]*)?$/.exec(answer);
  if (whole !== null) return { output: whole[1], exitCode };
  const from = answer.indexOf("</returncode>");
  return { output: from < 0 ? answer : answer.slice(from + "</returncode>".length).replace(/^\n/, ""), exitCode };
}

function rangesOf(declared) {
  return [...declared.matchAll(/File:\s*(\S+)\s*\n\s*Lines:\s*(\d+)\s*-\s*(\d+)/g)].map(([, path, first, last]) => ({
    path,
    first: Number(first),
    last: Number(last),
  }));
}

function textOf(content) {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => part?.text ?? "").join("\n") : "";
}
