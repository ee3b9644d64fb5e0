// Runs every program that was just built once, the way its clients start it, so that the next start finds its bytecode
// (entry.mjs). Only speed depends on it: a run that fails is reported, and its program compiles at each start.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { say } from "../setup.mjs";
import { FIRST, runsOf } from "./runs.mjs";

const RECORD = fileURLToPath(new URL("record.cjs", import.meta.url));
const MAX_RUN_MS = 30_000;

/** `entries`: the built files. */
export async function compileAhead(entries) {
  for (const dir of new Set(entries.map((entry) => join(dirname(entry), "chunks")))) {
    for (const name of readdirSync(dir)) if (/\.bytecode(?:\.new)?$/.test(name)) rmSync(join(dir, name));
  }
  const rank = (entry) => (FIRST.includes(basename(entry)) ? FIRST.indexOf(basename(entry)) : FIRST.length);
  const dir = mkdtempSync(join(tmpdir(), "jeeves-build-"));
  const project = join(dir, "project");
  mkdirSync(project);
  try {
    for (const entry of entries.toSorted((a, b) => rank(a) - rank(b))) {
      for (const each of runsOf(basename(entry), project)) {
        const failure = await run(entry, each, { dir, project });
        if (failure !== undefined) say(`${basename(entry)} was not compiled ahead: ${failure}`);
      }
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs a program once. Resolves with what went wrong, or with nothing. */
async function run(entry, { program, isAside, args = [], env = {}, input = "", until }, { dir, project }) {
  const file = program === undefined ? entry : join(dirname(entry), program);
  const child = spawn(process.execPath, [...(isAside ? [] : [RECORD]), file, ...args], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: dir, TMPDIR: dir, JEEVES_STATE_DIR: join(dir, "state"), ...env },
    stdio: ["pipe", "ignore", "pipe"],
    timeout: MAX_RUN_MS,
    killSignal: "SIGKILL",
  });
  let stderr = "";
  let isStopped = false;
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
    if (isStopped || until?.test(stderr) !== true) return;
    isStopped = true;
    child.kill("SIGTERM");
  });
  child.stdin.on("error", () => {}).end(input);
  const [code, signal] = await once(child, "close");
  return code === 0 ? undefined : `it ended with ${code ?? signal}\n${stderr.slice(-2_000)}`;
}
