// once a tool has run, its output leaves. Every system call that a server makes on its state directory, its
// fallback and its event log fails once and hangs once, under a real call over the real transport. The calls are counted
// in a run without faults first, so that a new one is covered by itself. `npm run soak` does both to each at every door.
import { describe, expect, it, vi } from "vitest";
import { DOORS, type Door, emptyDir, makeShards } from "./faults/doors.ts";
import { type Fault, type FaultyProcess, makePlaces, startFaulty } from "./faults/faulty-process.ts";

const isSoak = process.env.JEEVES_SOAK === "1";
const TIMEOUT_MS = isSoak ? 1_800_000 : 120_000;
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
    await afterwards();
  }
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
  // What hung has just come back: the next calls may still find it overdue.
  await vi.waitFor(afterwards, { timeout: 20_000 });
  return fired !== undefined;
}

describe.concurrent("X-60 whatever call on the state directory fails or hangs, the output leaves", () => {
  it.each(CASES)(
    "%s: each call, %s",
    async (_name, how, door) => {
      const places = makePlaces(door.env);
      const server = await startFaulty(door.bin, { places, ...(door.client === undefined ? {} : door) });
      await door.prepare?.(server);
      const seen = await countCalls(door, server);
      const plan = planOf(seen, how);
      expect(plan.length).toBeGreaterThan(10);
      let round = 10;
      const tryAll = async (faults: readonly Fault[]) => {
        const missed: Fault[] = [];
        for (const fault of faults) {
          if (!(await isSurvived(fault, { door, server, round: ++round }))) missed.push(fault);
        }
        return missed;
      };
      // Which calls a round makes varies a little with what earlier ones left behind: those are tried again.
      const missed = await tryAll(await tryAll(plan));
      expect(missed.length, JSON.stringify(missed)).toBeLessThan(plan.length / 4);
      const internal = server.events.filter(({ event }) => event === "tool.internal_error");
      expect(internal).toEqual([]);
      expect(server.events.filter(({ event }) => event === "state.fault").length).toBeGreaterThan(0);
      expect(await server.stop()).toBe(0);
    },
    TIMEOUT_MS,
  );
});
