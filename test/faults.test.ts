// once a tool has run, its output leaves. Every system call that a server makes on its state directory, its
// fallback and its event log fails once and hangs once, under a real call over the real transport. The calls are counted
// in a run without faults first, so that a new one is covered by itself. `npm run soak` does both to each at every door.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { DOORS, type Door, emptyDir, makeShards } from "./faults/doors.ts";
import { BINS, type Fault, type FaultyProcess, INJECT, makePlaces, startFaulty } from "./faults/faulty-process.ts";
import { hasTimeLeft, isSoak } from "./soak-time.mjs";

const EXEC = fileURLToPath(new URL("../packages/cli/bin/jeeves-exec", import.meta.url));
const TIMEOUT_MS = isSoak ? 300_000 : 120_000;
/** In a soak the programs come last: so much of its time is for the servers. */
const SERVERS_SHARE = 0.7;
type How = Fault["how"] | "in turn";
/** The one door where each call both fails and hangs; elsewhere it is one or the other, in turn. */
const THOROUGH = "read, in a new state directory";
const CASES = Object.entries(DOORS).flatMap(([name, door]): [string, How, Door][] =>
  isSoak || name === THOROUGH
    ? [
        [name, "fail", door],
        [name, "hang", door],
      ]
    : [[name, "in turn", door]],
);

/** The calls of one round, once two rounds in a row make as many: on a busy machine one may run into a deadline. */
async function countCalls(door: Door, server: FaultyProcess): Promise<Record<string, string[]>> {
  let before = "";
  for (let round = 1; ; round++) {
    if (door.isCold === true) emptyDir(server.state);
    await server.arm();
    const afterwards = await door.call(server, round);
    const { seen } = await server.arm();
    const counts = JSON.stringify([seen.mode?.length, seen.meter?.length, seen.store?.length, seen.tmp?.length]);
    // The first rounds make what is made once.
    if (round > 2 && (counts === before || round === 10)) return seen;
    before = counts;
    if (round === 2 && door.isCold !== true) makeShards(server.state);
    await inTheEnd(afterwards);
  }
}

/** What hung has just come back, and a busy machine misses the deadlines of these tests: the next calls may find it overdue. */
async function inTheEnd(afterwards: () => Promise<void>): Promise<void> {
  await vi.waitFor(afterwards, { timeout: 20_000 });
}

function planOf(seen: Readonly<Record<string, readonly string[]>>, how: How): Fault[] {
  const points = Object.entries(seen).flatMap(([part, names]) => names.map((_, index) => ({ part, at: index + 1 })));
  return points.map((point, index) => ({
    ...point,
    how: how !== "in turn" ? how : index % 2 === 0 ? "fail" : "hang",
  }));
}

/** False where the call that is to fail was not made. Throws where the output did not leave. */
async function isSurvived(
  fault: Fault,
  { door, server, round }: { readonly door: Door; readonly server: FaultyProcess; readonly round: number },
): Promise<boolean> {
  if (door.isCold === true) emptyDir(server.state);
  await server.arm(fault);
  let afterwards: () => Promise<void>;
  try {
    afterwards = await door.call(server, round);
  } catch (error) {
    const { seen } = await server.arm();
    throw new Error(`${seen[fault.part]?.[fault.at - 1]} ${JSON.stringify(fault)}`, { cause: error });
  }
  const { fired } = await server.arm();
  await inTheEnd(afterwards);
  return fired !== undefined;
}

async function survive(door: Door, how: How, server: FaultyProcess): Promise<void> {
  await door.prepare?.(server);
  const plan = planOf(await countCalls(door, server), how);
  expect(plan.length).toBeGreaterThan(10);
  let round = 10;
  const tryAll = async (faults: readonly Fault[]) => {
    const missed: Fault[] = [];
    for (const fault of faults) {
      if (!hasTimeLeft(SERVERS_SHARE)) break;
      if (!(await isSurvived(fault, { door, server, round: ++round }))) missed.push(fault);
    }
    return missed;
  };
  // Which calls a round makes varies a little with what earlier ones left behind: those are tried again.
  const missed = await tryAll(await tryAll(plan));
  expect(missed.length, JSON.stringify(missed)).toBeLessThan(plan.length / 4);
  expect(server.events.filter(({ event }) => event === "tool.internal_error")).toEqual([]);
  if (hasTimeLeft(SERVERS_SHARE))
    expect(server.events.filter(({ event }) => event === "state.fault").length).toBeGreaterThan(0);
  expect(await server.stop()).toBe(0);
}

describe.concurrent("X-60 whatever call on the state directory fails or hangs, the output leaves", () => {
  it.for(CASES)("%s: each call, %s", { timeout: TIMEOUT_MS }, async ([_name, how, door], { skip }) => {
    skip(!hasTimeLeft(SERVERS_SHARE), "the time of the soak is over");
    const places = makePlaces(door.env);
    const server = await startFaulty(door.bin, { places, ...(door.client === undefined ? {} : door) });
    try {
      await survive(door, how, server);
    } finally {
      server.kill();
    }
  });
});

/** A process for each fault: too many for every day. `at` goes past the last call, so that none is left out. */
const LAST_CALL: Readonly<Record<string, number>> = { mode: 5, meter: 20, store: 70, tmp: 20 };
const ALL_FAULTS = Object.entries(LAST_CALL).flatMap(([part, last]) =>
  Array.from({ length: last }, (_, index) => index + 1).flatMap((at): Fault[] => [
    { part, at, how: "fail" },
    { part, at, how: "hang" },
  ]),
);

if (isSoak) describePrograms();

function describePrograms(): void {
  describe.each([
    ["jeeves-exec", (file: string) => [EXEC, "--client=codex", `cat ${file}; exit 3`], 3],
    [
      "jeeves prune",
      (file: string) => [process.execPath, "--import", INJECT, BINS.cli, "prune", file, "--focus", "lost"],
      0,
    ],
  ] as const)("X-60 %s prints what was printed, whole or cut", (_name, commandOf, status) => {
    const lines = Array.from({ length: 400 }, (_, i) => `worker ${i * 7} took job ${i} from the queue`);
    const text = [...lines.slice(0, 200), "ERROR worker 910 lost its job", ...lines.slice(200), ""].join("\n");

    it.for(ALL_FAULTS)("$part $at $how", ({ part, at, how }, { skip }) => {
      skip(!hasTimeLeft(), "the time of the soak is over");
      const places = makePlaces({ JEEVES_FAULTS_ARM: JSON.stringify({ part, at, how }) });
      const node = join(places.root, "node");
      writeFileSync(node, `#!/bin/sh\nexec '${process.execPath}' --import '${INJECT}' "$@"\n`, { mode: 0o755 });
      writeFileSync(join(places.root, "run.log"), text);
      const [program, ...args] = commandOf(join(places.root, "run.log"));
      const env = { ...places.env, JEEVES_NODE: node };
      const done = spawnSync(program ?? "", args, { cwd: places.root, env, encoding: "utf8", timeout: 60_000 });
      places.remove();
      expect(done.error).toBeUndefined();
      // SIGKILL: the only way out past a disk that hangs.
      if (done.signal !== "SIGKILL") expect(done.status).toBe(status);
      expect(done.stdout === text || done.stdout.includes("lost its job")).toBe(true);
      if (done.stdout !== text) expect(done.stdout).toMatch(/\u27e6\u2026 .*\u27e7/);
    });
  });
}
