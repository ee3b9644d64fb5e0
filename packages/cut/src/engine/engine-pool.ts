// The engine in a few threads, so that a long text delays neither other requests nor its own time limit: a request is
// answered when `timeout_ms` is over (K-27), and a thread that does not stop by itself is ended.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { LONGEST_TIMER_MS } from "@jeeves/base";
import type { Pruned } from "@jeeves/prune";
import type { Engine, EngineFailure } from "./engine.ts";
import type { Job, JobDone, ThreadData } from "./engine-worker.ts";

interface Waiting {
  readonly job: Job;
  /** Only the first call counts. */
  finish(outcome: Pruned | EngineFailure): void;
}

interface Thread {
  readonly worker: Worker;
  readonly unwanted: ThreadData["unwanted"];
  running: Waiting | undefined;
}

const MAX_THREADS = Math.min(4, Math.max(2, availableParallelism() - 1));
// How long a thread may go on with an unwanted text before it is ended: between two of its polls it cannot be stopped. A
// shorter time would end threads on a busy machine before they have loaded what they need.
const OVERTIME_MS = 5_000;

/**
 * An engine in up to four threads, which start as needed and never keep the process alive. A thread that goes on with an
 * unwanted text for longer than `overtimeMs` is ended.
 */
export function createEnginePool({ overtimeMs = OVERTIME_MS }: { readonly overtimeMs?: number } = {}): Engine {
  const threads = new Set<Thread>();
  const queue = new Set<Waiting>();
  let lastId = 0;

  const start = async (): Promise<void> => {
    const { ENGINE_THREAD, toOutcome, workerUrl } = await import("./engine-worker.ts");
    const unwanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData: ThreadData = { name: ENGINE_THREAD, unwanted };
    const worker = new Worker(new URL(workerUrl), { workerData });
    const thread: Thread = { worker, unwanted, running: undefined };
    const gone = () => {
      threads.delete(thread);
      thread.running?.finish({ failed: "engine_error", cause: "its thread ended" });
      thread.running = undefined;
      void next();
    };
    worker.on("message", (done: JobDone) => {
      if (thread.running?.job.id !== done.id) return;
      thread.running.finish(toOutcome(done));
      thread.running = undefined;
      void next();
    });
    worker.once("error", gone).once("exit", gone);
    // Threads must not keep the process alive. After the listeners, because each of them refs the worker again.
    worker.unref();
    threads.add(thread);
  };

  let starting: Promise<void> | undefined;
  /** Gives the oldest waiting job to a free thread, and starts one more where there may be more. */
  const next = async (): Promise<void> => {
    while (queue.size > 0) {
      const free = [...threads].find((thread) => thread.running === undefined);
      const [waiting] = queue;
      if (free !== undefined && waiting !== undefined) {
        queue.delete(waiting);
        free.running = waiting;
        free.worker.postMessage(waiting.job);
        continue;
      }
      if (threads.size >= MAX_THREADS) return;
      starting ??= start().finally(() => {
        starting = undefined;
      });
      await starting;
    }
  };

  const endOvertime = (waiting: Waiting): void => {
    const late = [...threads].find((thread) => thread.running === waiting);
    if (late === undefined) return;
    Atomics.store(late.unwanted, 0, waiting.job.id);
    const timer = setTimeout(() => {
      if (late.running !== waiting) return;
      // At once: it might still report that it is done, and would then be given a text that ends with it.
      threads.delete(late);
      void late.worker.terminate();
      next().catch(() => {});
    }, overtimeMs);
    timer.unref();
  };

  return {
    prune: ({ text }, { signal, timeoutMs, ...how }) =>
      new Promise((resolve) => {
        const giveUp = () => {
          waiting.finish({ failed: "timeout" });
          endOvertime(waiting);
        };
        const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, Math.min(timeoutMs, LONGEST_TIMER_MS));
        const waiting: Waiting = {
          job: { id: ++lastId, text, how },
          finish(outcome) {
            clearTimeout(timer);
            signal.removeEventListener("abort", giveUp);
            queue.delete(waiting);
            resolve(outcome);
          },
        };
        signal.addEventListener("abort", giveUp, { once: true });
        if (signal.aborted) return giveUp();
        queue.add(waiting);
        next().catch((cause: unknown) => waiting.finish({ failed: "engine_error", cause }));
      }),
  };
}
