// What `npm run soak` ends, it ends with everything that it started: else a storm that is too slow goes on beside the next.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROC } from "@jeeves/base";
import { expect, it, onTestFinished, vi } from "vitest";
import { runBounded } from "../scripts/run-bounded.mjs";

const FOREVER = "setInterval(() => {}, 1000)";
/** Starts one child in its group and one that leaves it and hears no SIGTERM, names all three, and goes on. */
const PROGRAM = `
  const { spawn } = require("node:child_process");
  const { writeFileSync } = require("node:fs");
  const deaf = "process.on('SIGTERM', () => {}); ${FOREVER}";
  const near = spawn(process.execPath, ["-e", "${FOREVER}"], { stdio: "ignore" });
  const far = spawn(process.execPath, ["-e", deaf], { stdio: "ignore", detached: true });
  writeFileSync(process.argv[1], [process.pid, near.pid, far.pid].join(" "));
  ${FOREVER}`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(existsSync(PROC) ? readFileSync(`${PROC}/${pid}/stat`, "latin1") : "");
  } catch {
    return false;
  }
}

it("soak: a storm that was ended left its workers and servers running, also those of another process group", async () => {
  const dir = mkdtempSync(join(tmpdir(), "jeeves-bounded-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, "pids");
  const limit = new AbortController();
  const run = runBounded(process.execPath, ["-e", PROGRAM, path], { cwd: dir, env: process.env, until: limit.signal });
  const pidsIn = (): number[] => (existsSync(path) ? readFileSync(path, "utf8").split(" ").map(Number) : []);
  await vi.waitUntil(() => pidsIn().length === 3, { timeout: 60_000 });
  const started = pidsIn();
  expect(started.map(isAlive)).toEqual([true, true, true]);
  limit.abort();
  expect(await run).toMatchObject({ wasEnded: true });
  // Outside /proc only the group is known.
  const known = existsSync(PROC) ? started : started.slice(0, 2);
  await vi.waitUntil(() => known.every((pid) => !isAlive(pid)), { timeout: 30_000 });
});

it("soak: what ends by itself says how", async () => {
  const until = new AbortController().signal;
  const of = (code: number) =>
    runBounded(process.execPath, ["-e", `process.exit(${code})`], { env: process.env, until });
  expect(await of(0)).toEqual({ status: 0, wasEnded: false });
  expect(await of(3)).toEqual({ status: 3, wasEnded: false });
});
