#!/usr/bin/env node
// Runs real tools on projects with planted failures and keeps what they print:
//   node bench/logs/make-outputs.mjs --out FILE.jsonl.gz [--set seen|aside] [--tools DIR] [--only NAME]
// One JSON line per output: {name, tool, place, must, text}. A tool that is not installed is left out, and named.
// --tools: a directory whose node_modules hold jest, mocha and eslint (npm install --prefix DIR jest@29 mocha@10 eslint@9).
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { PROJECTS } from "./projects.mjs";
import { ASIDE_PROJECTS } from "./projects-aside.mjs";
import { MORE_PROJECTS } from "./projects-more.mjs";

const USAGE = "node bench/logs/make-outputs.mjs --out FILE.jsonl.gz [--set seen|aside] [--tools DIR] [--only NAME]\n";
const { values: opt } = parseArgs({
  options: {
    out: { type: "string" },
    set: { type: "string", default: "seen" },
    tools: { type: "string" },
    only: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const SETS = { seen: { ...PROJECTS, ...MORE_PROJECTS }, aside: ASIDE_PROJECTS };
if (opt.help || !opt.out || !Object.hasOwn(SETS, opt.set)) {
  (opt.help ? process.stdout : process.stderr).write(USAGE);
  process.exit(opt.help ? 0 : 2);
}
const PLACES = ["head", "middle", "tail"];
const root = fileURLToPath(new URL("../../", import.meta.url));
const OWN = {
  tsc: [join(root, "node_modules/.bin/tsc"), "--noEmit", "--listFiles", "--ignoreConfig", "main.ts"],
  tscPretty: [join(root, "node_modules/.bin/tsc"), "--pretty", "--listFiles", "-p", "."],
  vitest: [join(root, "node_modules/.bin/vitest"), "run", "--reporter=verbose", "--root", "."],
  vitestDefault: [join(root, "node_modules/.bin/vitest"), "run", "--root", "."],
};
const lines = [];
for (const [name, describe] of Object.entries(SETS[opt.set])) {
  if (opt.only !== undefined && name !== opt.only) continue;
  for (const [place, where] of PLACES.entries()) {
    const project = describe(place);
    const made = makeOutput(project);
    if (typeof made === "object") process.stderr.write(`${name} ${where}: left out: ${made.why}\n`);
    else
      lines.push(
        JSON.stringify({ name: `${name}-${where}`, tool: name, place: where, must: project.must, text: made }),
      );
  }
}
writeFileSync(opt.out, gzipSync(`${lines.join("\n")}\n`, { level: 9 }));
process.stdout.write(`${lines.length} outputs in ${opt.out}\n`);

function makeOutput(project) {
  // vitest resolves itself from where the test stands, so its projects live beside the packages.
  const parent = project.tool === undefined ? tmpdir() : join(root, ".cache");
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, "logs-"));
  try {
    for (const [path, text] of Object.entries(project.files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    for (const [path, from] of Object.entries(project.copies ?? {})) copyFileSync(from, join(dir, path));
    let [command, ...args] = project.command ?? OWN[project.tool];
    if (project.from === "tools") {
      if (opt.tools === undefined) return { why: "needs --tools" };
      symlinkSync(join(resolve(opt.tools), "node_modules"), join(dir, "node_modules"));
      command = join(resolve(opt.tools), "node_modules/.bin", command);
    }
    const { NO_COLOR, FORCE_COLOR, ...env } = process.env;
    Object.assign(env, {
      PYTHONDONTWRITEBYTECODE: "1",
      CARGO_TERM_COLOR: "never",
      npm_config_update_notifier: "false",
    });
    if (!args.some((arg) => arg.startsWith("--color"))) env.NO_COLOR = "1";
    const run = spawnSync("sh", ["-c", '"$@" 2>&1', "sh", command, ...args], {
      cwd: dir,
      env: { ...env, ...project.env },
      encoding: "utf8",
      timeout: 180_000,
      maxBuffer: 1 << 26,
    });
    const text = anonymous(`${run.stdout}\n[exit code: ${run.status}]\n`, dir);
    const missing = project.must.find((line) => !text.includes(line));
    return missing === undefined
      ? text
      : { why: `no ${JSON.stringify(missing)} in ${JSON.stringify(text.slice(0, 200))}` };
  } catch (error) {
    return { why: error.message };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Without the paths of the machine that it ran on. */
function anonymous(text, dir) {
  return text
    .replaceAll(dir, "/project")
    .replaceAll(resolve(opt.tools ?? "/nowhere"), "/tools")
    .replaceAll(root, "/jeeves/")
    .replaceAll(homedir(), "/home/user");
}
