// Fifty client processes on 200 tasks, over the socket and with the command line at once, while the server is killed
// with SIGKILL every second and started again: nothing acknowledged is lost, nothing is held twice, nothing is left.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { stopServer } from "../../src/mcp/server/haven-server.ts";
import { binPath, makeProject, type TestHaven } from "../haven-under-test.ts";
import { startServer, type TestServer } from "./server-under-test.ts";
import { ackedIn, holdsOf, type Note, overlapsOf, toNote } from "./storm-record.ts";

const TASKS = 200;
const CLIENTS = 50;
/** So many of them use the command line: each of its commands is a process of its own. */
const BY_CLI = 4;
const TTL_MS = 3_000;
const TICK_MS = 1_000;
/** On a slow machine a kill waits until some of what was asked has been answered; but nothing goes on for ever. */
const BYTES_BETWEEN_KILLS = 8_000;
const LONGEST_BETWEEN_KILLS_MS = 12_000;
const ENOUGH_KILLS = 10;
const ENOUGH_OF_EACH = 3;
const ENOUGH_HOLDS = 5;
const LONGEST_MS = 180_000;
const CLIENT = fileURLToPath(new URL("storm-client.mjs", import.meta.url));

interface AuditLease {
  readonly holder: { readonly name: string };
  readonly startedAtMs: number;
  readonly expiresMonotonicMs: number;
}

interface AuditLine {
  readonly taskId: string;
  readonly event: string;
  readonly monotonic_ms: number;
  readonly from?: AuditLease;
  readonly to?: AuditLease;
}

let test: TestHaven;
let notes: Note[];
let kills = 0;
let ends: (number | null)[];
let server: TestServer;

beforeAll(async () => {
  test = await makeProject(TASKS);
  await start();
  const clients = startClients();
  try {
    // Fifty programs that start are a storm of another kind.
    await vi.waitUntil(() => records().length === CLIENTS, { timeout: 90_000, interval: 200 });
    await storm();
  } finally {
    for (const client of clients) client.kill("SIGTERM");
    ends = await Promise.all(clients.map((client) => ended(client)));
  }
  notes = readNotes().map((line) => JSON.parse(line));
}, 300_000);

afterAll(async () => {
  await server?.stop("SIGKILL");
  test?.remove();
});

function startClients(): ChildProcess[] {
  return Array.from({ length: CLIENTS }, (_, n) => {
    const [way, target] = n < BY_CLI ? ["cli", binPath()] : ["socket", join(test.haven, "mcp.sock")];
    const argv = [CLIENT, way, target, join(test.dir, `record-${n}`), `agent-${n}`, String(n + 1), String(TASKS)];
    const env = test.env({ RUDDER_AGENT: `agent-${n}`, RUDDER_LEASE_TTL_S: String(TTL_MS / 1000) });
    const child = spawn(process.execPath, argv, { cwd: test.project, env, stdio: "ignore" });
    return child;
  });
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

async function storm(): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  for (;;) {
    if (Date.now() > deadline || (kills >= ENOUGH_KILLS && isEnough())) return;
    const before = recordedBytes();
    const latest = Date.now() + LONGEST_BETWEEN_KILLS_MS;
    do await delay(TICK_MS);
    while (recordedBytes() < before + BYTES_BETWEEN_KILLS && Date.now() < latest);
    await server.stop("SIGKILL");
    kills += 1;
    await start();
  }
}

async function start(): Promise<void> {
  const env = { RUDDER_LEASE_TTL_S: String(TTL_MS / 1000) };
  server = startServer(test, ["--socket", join(test.haven, "mcp.sock")], { env });
  await server.said("  Project root: ");
}

function isEnough(): boolean {
  const isByCli = readNotes().some((line) => /"agent":"agent-[0-3]".*"op":"log".*"ok":true/.test(line));
  const seen = readNotes().flatMap(toNote);
  const isOften = (op: string) => ackedIn(seen, op).length > ENOUGH_OF_EACH;
  if (!isByCli || !["claim", "renew", "release", "log"].every(isOften)) return false;
  const isCutOff = seen.some((note) => note.step === "lost") && holdsOf(seen, TTL_MS).length > ENOUGH_HOLDS;
  return isCutOff && test.read("runs/audit.jsonl").includes("taken-over");
}

const records = (): string[] => readdirSync(test.dir).filter((name) => name.startsWith("record-"));

function recordedBytes(): number {
  return records().reduce((sum, name) => sum + statSync(join(test.dir, name)).size, 0);
}

function readNotes(): string[] {
  return records()
    .flatMap((name) => readFileSync(join(test.dir, name), "utf8").split("\n"))
    .filter((line) => line !== "");
}

const acked = (op: string, by: (agent: number) => boolean = () => true): Note[] =>
  ackedIn(notes, op).filter(({ agent }) => by(Number(agent.slice("agent-".length))));

describe("the storm", () => {
  it("X-30 really was one: both ways in worked, calls were cut off, leases were taken over", () => {
    expect(kills).toBeGreaterThanOrEqual(5);
    for (const op of ["claim", "renew", "release", "log"]) expect(acked(op).length, op).toBeGreaterThan(ENOUGH_OF_EACH);
    expect(acked("log", (agent) => agent < BY_CLI).length, "by the command line").toBeGreaterThan(0);
    expect(acked("log", (agent) => agent >= BY_CLI).length, "over the socket").toBeGreaterThan(20);
    expect(notes.filter((note) => note.step === "lost").length).toBeGreaterThan(0);
    expect(test.read("runs/audit.jsonl")).toContain('"event":"taken-over"');
    expect(ends).toEqual(ends.map(() => 0));
  });

  it("X-30 what was refused was refused by the rules, and by nothing else", () => {
    const rules = /is held by|has no lease of yours|is Done/;
    const odd = notes.filter((note) => note.step === "ack" && note.ok === false && !rules.test(note.error ?? ""));
    expect(odd.slice(0, 3)).toEqual([]);
  });

  it("X-30 R-10 no task had two holders at any instant, by what the clients themselves were told", () => {
    const holds = holdsOf(notes, TTL_MS);
    expect(holds.length).toBeGreaterThan(ENOUGH_HOLDS);
    expect(overlapsOf(holds)).toEqual([]);
  });

  it("X-30 R-10 no task had two holders at any instant, by the haven's audit", () => {
    const lines: AuditLine[] = test
      .read("runs/audit.jsonl")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    const wrong: string[] = [];
    let gaps = 0;
    const last = new Map<string, AuditLease | undefined>();
    for (const line of lines) {
      const { from, to } = line;
      const before = last.get(line.taskId);
      const isSame = before?.holder.name === from?.holder.name && before?.startedAtMs === from?.startedAtMs;
      // A server that was killed between a change and its audit line leaves one gap.
      if (last.has(line.taskId) && !isSame) gaps += 1;
      const changesHands = from !== undefined && to !== undefined && from.holder.name !== to.holder.name;
      if (changesHands && line.monotonic_ms < (from?.expiresMonotonicMs ?? 0)) wrong.push(JSON.stringify(line));
      if (line.event === "claimed" && from !== undefined) wrong.push(JSON.stringify(line));
      last.set(line.taskId, to);
    }
    expect(lines.length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
    expect(gaps).toBeLessThanOrEqual(kills);
  });

  it("X-54 every acknowledged log line is there exactly once, and no other one twice", () => {
    const found = new Map<string, number>();
    const memory = join(test.haven, "memory");
    for (const name of readdirSync(memory)) {
      for (const [, id = ""] of readFileSync(join(memory, name), "utf8").matchAll(/\[TIP\] line (\d+-\d+)/g)) {
        found.set(id, (found.get(id) ?? 0) + 1);
      }
    }
    expect(acked("log").filter((note) => found.get(note.id) !== 1)).toEqual([]);
    expect([...found].filter(([, count]) => count > 1)).toEqual([]);
  });

  it("RU-05 every artefact parses and nothing is wrong with any of them", async () => {
    expect((await test.json(["deps", "validate"])).findings).toEqual([]);
    expect((await test.json(["task", "list"])).length).toBe(TASKS);
  });

  it("R-04 no socket, pid, lock or process is left", async () => {
    expect(await stopServer(test.haven)).toBe(server.pid);
    expect(await server.ended).toBe(0);
    for (const name of ["mcp.sock", "mcp.pid", "mcp.port"])
      expect(existsSync(join(test.haven, name)), name).toBe(false);
    expect((await test.run(["task", "log", "T001", "after the storm"])).exitCode).toBe(0);
    for (const lock of [".lock", ".server"]) {
      const isFree = (): boolean => {
        const names = readdirSync(join(test.haven, lock));
        const top = Math.max(...names.filter((name) => /^\d/.test(name)).map((name) => Number.parseInt(name, 10)));
        return names.includes(`${top}.free`) && !names.some((name) => name.startsWith("wait."));
      };
      await expect.poll(isFree, { timeout: 30_000 }).toBe(true);
    }
    expect(processesWith(test.haven)).toEqual([]);
  });
});

/** Command lines of living processes that name this path. */
function processesWith(path: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return words.includes(path) ? [words] : [];
      } catch {
        return [];
      }
    });
}
