// Work on a directory that may stop answering (a dead network mount, a stuck FUSE daemon), with a deadline. Node cannot
// cancel a system call: one that hangs keeps a thread of the pool, of which there are four for the whole process. So
// few operations run on a directory at a time, and while one of them is overdue no other is started.
import { parseCount } from "@jeeves/base";
import { StateError } from "./state-error.ts";

/** Operations on one directory at a time; one, while another directory hangs. */
const MAX_RUNNING = 2;
/** Threads of the pool that may hang, of all directories together: the tools need one, too. */
const MAX_HANGING = 3;
const TICKS = 10;

interface Lane {
  running: number;
  overdue: number;
  readonly waiting: Set<() => void>;
}

const lanes = new Map<string, Lane>();
const total = { running: 0, overdue: 0 };

/** The longest that an answer waits for the store. */
export const STORE_WAIT_MS = 5_000;
/** The longest that an answer waits for bookkeeping: mode, meter, housekeeping. */
export const BOOKKEEPING_WAIT_MS = 1_000;

/** `longestMs`, or JEEVES_STATE_WAIT_MS where that is shorter. */
export function waitMsOf(env: NodeJS.ProcessEnv, longestMs: number): number {
  const named = parseCount(env.JEEVES_STATE_WAIT_MS?.trim() ?? "");
  return named === undefined ? longestMs : Math.min(named, longestMs);
}

/**
 * The result of `run`, or a StateError `stalled`: after `waitMs`, or at once while an earlier operation on `dir` is
 * overdue. `run` itself goes on in the background; a late failure is ignored.
 */
export async function guarded<T>(dir: string, waitMs: number, run: () => Promise<T>): Promise<T> {
  const lane = lanes.get(dir) ?? { running: 0, overdue: 0, waiting: new Set() };
  lanes.set(dir, lane);
  const patience = startPatience(waitMs);
  try {
    while (isFull(lane) && lane.overdue === 0 && !patience.isOver()) await turnOf(lane, patience.over);
    const isCrowded = total.overdue > 0 && total.running >= MAX_HANGING;
    if (lane.overdue > 0 || isCrowded || patience.isOver()) throw stalled(dir);
    lane.running++;
    total.running++;
    let state: "running" | "overdue" | "settled" = "running";
    const settle = () => {
      if (state === "overdue") {
        lane.overdue--;
        total.overdue--;
      }
      state = "settled";
      lane.running--;
      total.running--;
      for (const wake of [...lane.waiting]) wake();
      if (lane.running === 0 && lane.waiting.size === 0) lanes.delete(dir);
    };
    const work = Promise.resolve().then(run);
    work.then(settle, settle);
    const late = patience.over.then(() => {
      if (state === "running") {
        state = "overdue";
        lane.overdue++;
        total.overdue++;
        for (const wake of [...lane.waiting]) wake();
      }
      throw stalled(dir);
    });
    return await Promise.race([work, late]);
  } finally {
    patience.stop();
  }
}

/** True while a guarded operation is overdue: an ordinary exit of the process would wait for it. */
export function hasOverdueWork(): boolean {
  return total.overdue > 0;
}

function isFull(lane: Lane): boolean {
  return lane.running >= (total.overdue > 0 ? 1 : MAX_RUNNING);
}

async function turnOf(lane: Lane, over: Promise<void>): Promise<void> {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  lane.waiting.add(wake);
  await Promise.race([woken, over]);
  lane.waiting.delete(wake);
}

/**
 * A timer that counts only while the event loop turns: after a computation that held it up, the results that are ready
 * are taken before anything is called late.
 */
function startPatience(ms: number) {
  let left = TICKS;
  let isOver = false;
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    setImmediate(() => {
      isOver = true;
      end();
    });
  }, ms / TICKS);
  return { over, isOver: () => isOver, stop: () => clearInterval(timer) };
}

function stalled(dir: string): StateError {
  return new StateError("stalled", `${dir} does not answer`, {
    hint: "check the disk or mount that it is on, or set JEEVES_STATE_DIR to another directory",
  });
}
