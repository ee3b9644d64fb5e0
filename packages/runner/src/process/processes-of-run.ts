// Every process of one run, however deep and in whatever group: found by a variable in its environment, and by descent
// from the processes that the provider started. Reads /proc; where there is none, only the agent's process group is
// ended (agent-process.ts).
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { PROC, readProcess } from "@jeeves/base";

const POLL_MS = 50;

interface RunMarks {
  /** `NAME=value` entries; a process with one of them in its environment belongs to the run. */
  readonly environment: readonly string[];
  /** Such an entry for processes that outlive the run: neither they nor what they start belong to it. */
  readonly outliving?: string;
}

interface RunProcess {
  readonly pid: number;
  /** Pid and start time together identify a process: pids are used again. */
  readonly startTicks: number;
  readonly argv: readonly string[];
}

interface RunProcesses {
  /** False where there is no /proc, or before the first `addRoot`. */
  readonly isVisible: boolean;
  addRoot(pid: number): void;
  /** Reads the process table again. What was found earlier is kept: without its parent, a child cannot be found by descent. */
  look(): readonly RunProcess[];
  /** Waits `graceMs`, then sends SIGTERM, then SIGKILL. Resolves with the number of processes that got a signal. */
  end(options: { readonly graceMs: number }): Promise<number>;
}

interface ProcStat extends RunProcess {
  readonly ppid: number;
}

/** Finds the processes that a run started, and ends them. */
export function createRunProcesses(marks: RunMarks): RunProcesses {
  const roots = new Map<number, number>(); // pid → start, so that a number used again is not taken for it
  const known = new Map<string, RunProcess>();
  const outliving = new Set<string>();
  /** Processes without a mark. Their environment is not read again, because there may be many. */
  const strangers = new Set<string>();
  let isVisible = false;

  function look(): readonly RunProcess[] {
    const all = listProcesses();
    const parents = new Map(all.map((each) => [each.pid, each.ppid]));
    const startOf = new Map(all.map((each) => [each.pid, each.startTicks]));
    for (const [pid, startTicks] of roots) if (startOf.get(pid) !== startTicks) roots.delete(pid);
    const isDescendant = (pid: number): boolean => {
      // Bounded by the table: a chain cannot be longer than it.
      for (let at: number | undefined = pid, left = parents.size; at !== undefined && left > 0; left--) {
        if (outliving.has(`${at} ${startOf.get(at)}`)) return false;
        if (roots.has(at)) return true;
        at = parents.get(at);
      }
      return false;
    };
    const live = new Map(all.map((each) => [keyOf(each), each]));
    for (const key of known.keys()) if (!live.has(key)) known.delete(key);
    for (const key of strangers) if (!live.has(key)) strangers.delete(key);
    for (const key of outliving) if (!live.has(key)) outliving.delete(key);
    // Before the others, because their children do not belong to the run. Known processes are checked again: they may have
    // been seen between fork and exec, before they had their environment.
    for (const [key, { pid }] of live) {
      if (marks.outliving === undefined || outliving.has(key) || !(known.has(key) || isDescendant(pid))) continue;
      if (!isMarked(pid, [marks.outliving])) continue;
      outliving.add(key);
      known.delete(key);
    }
    for (const [key, each] of live) {
      if (each.pid === process.pid || known.has(key)) continue;
      if (isDescendant(each.pid) || (!strangers.has(key) && isMarked(each.pid, marks.environment))) {
        known.set(key, { ...each, argv: readArgv(each.pid) });
      } else strangers.add(key);
    }
    return [...known.values()];
  }

  async function isGoneWithin(waitMs: number): Promise<boolean> {
    const deadline = performance.now() + waitMs;
    while (look().length > 0) {
      if (performance.now() > deadline) return false;
      await delay(POLL_MS);
    }
    return true;
  }

  return {
    get isVisible() {
      return isVisible;
    },
    addRoot(pid) {
      const stat = readStat(pid);
      if (stat === undefined) return;
      isVisible = true;
      roots.set(pid, stat.startTicks);
    },
    look,
    async end({ graceMs }) {
      strangers.clear(); // read all again: an exec may have given a process its mark
      if (await isGoneWithin(graceMs)) return 0;
      const asked = look();
      for (const { pid } of asked) signalProcess(pid, "SIGTERM");
      // Twice: something may have been started between the look and the signal.
      for (let round = 0; round < 2 && !(await isGoneWithin(1_000)); round++) {
        for (const { pid } of look()) signalProcess(pid, "SIGKILL");
      }
      return asked.length;
    },
  };
}

/** Whether this very process still runs: a later one with the same pid does not count, nor does a zombie. */
export function isAlive({ pid, startTicks }: RunProcess): boolean {
  return readStat(pid)?.startTicks === startTicks;
}

function listProcesses(): readonly ProcStat[] {
  let names: string[];
  try {
    names = readdirSync(PROC);
  } catch {
    return [];
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
}

/** Undefined for a zombie, too. */
function readStat(pid: number): ProcStat | undefined {
  const row = readProcess(pid);
  if (row === undefined || row.hasEnded) return undefined;
  return { pid, ppid: row.parent, startTicks: row.startTicks, argv: [] };
}

function isMarked(pid: number, environment: readonly string[]): boolean {
  try {
    const entries = new Set(readFileSync(`${PROC}/${pid}/environ`, "utf8").split("\0"));
    return environment.some((entry) => entries.has(entry));
  } catch {
    return false; // another user's, or gone
  }
}

function readArgv(pid: number): readonly string[] {
  try {
    return readFileSync(`${PROC}/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Sends a signal to a process that may be gone by now. */
export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile.
  }
}

function keyOf({ pid, startTicks }: RunProcess): string {
  return `${pid} ${startTicks}`;
}
