// Thirty processes on 200 tasks, some of them killed with SIGKILL all the time: nothing lost, nothing held twice.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alias } from "../../../../scripts/bundle/alias.mjs";
import { binPath, makeProject, type TestHaven, taskId } from "../haven-under-test.ts";
import { createRandom } from "../random.ts";
import { ackedIn, auditOf, holdsOf, type Note, overlapsOf, toNote } from "./storm-record.ts";

const TASKS = 200;
const AGENTS = 26;
/** Beside the agents, up to so many of the built bin at once, each with one command. */
const BINS = 4;
/** Longer than a command takes among thirty processes on a busy machine: else no claim would be a hold. */
const TTL_MS = 4_000;
const LOOK_MS = 250;
/** So many further notes (one of each call's sending, one of its answer) there are between two kills. */
const NOTES_BETWEEN_KILLS = 48;
/** It goes on until enough was done and enough were killed; rounds count work, so that a slow machine makes the same ones. */
const MOST_ROUNDS = 600;
/** Where nothing was written down for so long, the round ends all the same. */
const STALLED_MS = 60_000;
const ENOUGH_NOTES = 1_200;
const ENOUGH_KILLS = 25;
const ENOUGH_OF_EACH = 10;
const ENOUGH_HOLDS = 20;

let test: TestHaven;
let notes: Note[];
let kills = 0;
let failures: string[];

beforeAll(async () => {
  test = await makeProject(TASKS);
  const worker = join(test.dir, "worker.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("storm-worker.ts", import.meta.url))],
    outdir: test.dir,
    entryNames: "worker",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true, // as the bins are built: what loads lazily stays a chunk of its own
    minify: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import { createRequire as __make } from "node:module"; const require = __make(import.meta.url);' },
    alias,
    external: ["@vscode/ripgrep", "@vscode/tree-sitter-wasm", "web-tree-sitter"],
    logLevel: "error",
  });
  await storm(worker);
  notes = readNotes().map((line) => JSON.parse(line));
}, 1_200_000);

afterAll(() => test?.remove());

async function storm(worker: string): Promise<void> {
  const random = createRandom(7);
  const env = (agent: string) => test.env({ RUDDER_AGENT: agent, RUDDER_LEASE_TTL_S: String(TTL_MS / 1000) });
  const live = new Map<string, ChildProcess>();
  const ends: Promise<unknown>[] = [];
  failures = [];
  let isOver = false;
  let born = 0;

  const start = (slot: number): void => {
    born += 1;
    const agent = `agent-${slot}`;
    const isBin = slot >= AGENTS;
    const id = taskId(1 + random(TASKS));
    const command = random(2) === 0 ? ["task", "log", id, `bin ${born}`] : ["assign", "claim", id, "--quiet"];
    const argv = isBin
      ? [binPath(), ...command]
      : [worker, test.project, join(test.dir, `record-${slot}-${born}`), agent, String(born), String(TASKS)];
    const child = spawn(process.execPath, argv, {
      env: env(agent),
      cwd: test.project,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    live.set(agent, child);
    ends.push(
      once(child, "close").then(([code, signal]) => {
        // Told to stop before it could listen (SIGTERM), or while it worked (130): neither is a failure.
        const isStopped = isOver && (signal === "SIGTERM" || code === 130);
        const isRefused = isBin && code === 1;
        if (signal !== "SIGKILL" && code !== 0 && !isStopped && !isRefused) failures.push(`${agent} ${code}: ${err}`);
        live.delete(agent);
        if (!isOver && !isBin) start(slot);
      }),
    );
  };
  for (let slot = 0; slot < AGENTS; slot++) start(slot);
  try {
    // Starting a process costs as much as dozens of commands: one bin and, every other time, one kill per round.
    for (let round = 0; round < MOST_ROUNDS && (kills < ENOUGH_KILLS || !isEnough()); round++) {
      await moreNotes(NOTES_BETWEEN_KILLS / 2);
      const slot = AGENTS + (round % BINS);
      if (!live.has(`agent-${slot}`)) start(slot);
      const all = [...live.values()];
      if (round % 2 === 1 && all[random(all.length)]?.kill("SIGKILL") === true) kills += 1;
    }
  } finally {
    isOver = true;
    for (const child of live.values()) child.kill("SIGTERM");
    await Promise.all(ends);
  }
}

/** Waits until so many further notes were written, or none for long. */
async function moreNotes(wanted: number): Promise<void> {
  const before = readNotes().length;
  const latest = performance.now() + STALLED_MS;
  do await delay(LOOK_MS);
  while (readNotes().length < before + wanted && performance.now() < latest);
}

/** Whether what the tests look at has happened: how long that takes depends on what else the machine does. */
function isEnough(): boolean {
  const lines = readNotes();
  if (lines.length < ENOUGH_NOTES) return false;
  const seen = lines.flatMap(toNote);
  const isOften = (op: string) => ackedIn(seen, op).length > ENOUGH_OF_EACH;
  const audit = join(test.haven, "runs/audit.jsonl");
  const isTakenOver = existsSync(audit) && readFileSync(audit, "utf8").includes('"event":"taken-over"');
  return isTakenOver && ["claim", "release", "log"].every(isOften) && holdsOf(seen, TTL_MS).length > ENOUGH_HOLDS;
}

function readNotes(): string[] {
  return readdirSync(test.dir)
    .filter((name) => name.startsWith("record-"))
    .flatMap((name) => readFileSync(join(test.dir, name), "utf8").split("\n"))
    .filter((line) => line !== "");
}

/** Every line of every log of the haven, with the task that it belongs to. */
function allLogLines(): string[] {
  const memory = join(test.haven, "memory");
  return readdirSync(memory)
    .filter((name) => name.endsWith(".log"))
    .flatMap((name) => readFileSync(join(memory, name), "utf8").split("\n"));
}

describe("the storm", () => {
  it("X-30 really was one: agents worked, many were killed, leases were taken over", () => {
    expect(failures).toEqual([]);
    expect(kills).toBeGreaterThan(20);
    for (const op of ["claim", "release", "log"]) expect(ackedIn(notes, op).length, op).toBeGreaterThan(ENOUGH_OF_EACH);
    expect(readFileSync(join(test.haven, "runs/audit.jsonl"), "utf8")).toContain('"event":"taken-over"');
  });

  it("X-30 no task had two holders at any instant, by what the agents themselves were told", () => {
    const holds = holdsOf(notes, TTL_MS);
    expect(holds.length).toBeGreaterThan(ENOUGH_HOLDS);
    expect(overlapsOf(holds)).toEqual([]);
  });

  it("X-30 no task had two holders at any instant, by the haven's audit", () => {
    const { lines, gaps, wrong } = auditOf(readFileSync(join(test.haven, "runs/audit.jsonl"), "utf8"));
    expect(lines).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
    expect(gaps).toEqual([]);
  });

  it("X-54 every acknowledged log line is there exactly once, and no other one twice", () => {
    const found = new Map<string, number>();
    for (const line of allLogLines()) {
      const id = /\[TIP\] line (\d+-\d+)/.exec(line)?.[1];
      if (id !== undefined) found.set(id, (found.get(id) ?? 0) + 1);
    }
    const acked = notes.filter((note) => note.op === "log" && note.step === "ack" && note.ok === true);
    expect(acked.filter((note) => found.get(note.id) !== 1).map((note) => note.id)).toEqual([]);
    expect([...found].filter(([, count]) => count > 1)).toEqual([]);
  });

  it("RU-05 every artefact parses and nothing is wrong with any of them", async () => {
    const { findings } = await test.json(["deps", "validate"]);
    expect(findings).toEqual([]);
    expect((await test.json(["task", "list"])).length).toBe(TASKS);
  });

  it("X-30 no lock is left: the next change is made at once, after any death", async () => {
    const done = await test.run(["task", "log", "T001", "after the storm"]);
    expect(done.exitCode).toBe(0);
    const lock = join(test.haven, ".lock");
    const isFree = (): boolean => {
      const top = Math.max(...readdirSync(lock).map((name) => Number.parseInt(name, 10)));
      return existsSync(join(lock, `${top}.free`));
    };
    // The change is acknowledged when it is made; the lock goes right after.
    await expect.poll(isFree, { timeout: 10_000 }).toBe(true);
  });
});
