#!/usr/bin/env node
// Runs real tools on projects with planted failures and keeps what they print:
//   node bench/logs/make-outputs.mjs --out DIR [--only TOOL]
// DIR/<tool>-<place>.log and .json (what a reader must find). A tool that is not installed is left out, and named.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PROJECTS } from "./projects.mjs";

const { values: opt } = parseArgs({ options: { out: { type: "string" }, only: { type: "string" } } });
if (!opt.out) {
  console.error("node bench/logs/make-outputs.mjs --out DIR [--only TOOL]");
  process.exit(2);
}
const root = fileURLToPath(new URL("../../", import.meta.url));
const OWN = {
  tsc: [join(root, "node_modules/.bin/tsc"), "--noEmit", "--listFiles", "--ignoreConfig", "main.ts"],
  vitest: [join(root, "node_modules/.bin/vitest"), "run", "--reporter=verbose", "--root", "."],
};
mkdirSync(opt.out, { recursive: true });
for (const [tool, describe] of Object.entries(PROJECTS)) {
  if (opt.only !== undefined && tool !== opt.only) continue;
  for (const place of [0, 1, 2]) {
    const project = describe(place);
    // vitest resolves itself from where the test stands, so projects live beside the packages.
    const parent = project.tool === undefined ? tmpdir() : join(root, ".cache");
    mkdirSync(parent, { recursive: true });
    const dir = mkdtempSync(join(parent, "logs-"));
    try {
      for (const [path, text] of Object.entries(project.files)) {
        mkdirSync(dirname(join(dir, path)), { recursive: true });
        writeFileSync(join(dir, path), text);
      }
      const [command, ...args] = project.command ?? OWN[project.tool];
      const env = { ...process.env, NO_COLOR: "1", PYTHONDONTWRITEBYTECODE: "1", CARGO_TERM_COLOR: "never" };
      const run = spawnSync("sh", ["-c", '"$@" 2>&1', "sh", command, ...args], {
        cwd: dir,
        env,
        encoding: "utf8",
        timeout: 180_000,
        maxBuffer: 1 << 26,
      });
      const text = `${run.stdout}\n[exit code: ${run.status}]\n`;
      const missing = project.must.filter((line) => !text.includes(line));
      if (missing.length > 0) {
        console.error(
          `${tool} ${place}: left out, its output lacks ${JSON.stringify(missing[0])}: ${text.slice(0, 120)}`,
        );
        continue;
      }
      const name = join(opt.out, `${tool}-${["head", "middle", "tail"][place]}`);
      writeFileSync(`${name}.log`, text);
      writeFileSync(`${name}.json`, JSON.stringify({ tool, place, must: project.must }));
    } finally {
      if (existsSync(dir)) rmSync(dir, { recursive: true, force: true });
    }
  }
}
