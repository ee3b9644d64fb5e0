// The engine behind a few threads, so that a long text holds up neither the other requests nor its own time limit: the
// answer to `timeout_ms` is given when it is due (K-27), and a thread that does not stop by itself is ended.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { LONGEST_TIMER_MS } from "@jeeves/kit/mcp";
import type { Cut, CutRequest, Engine } from "./engine.ts";
import type { Job, JobDone, ThreadData } from "./engine-worker.ts";

interface Waiting {
  readonly job: Job;
  /** The first call counts. */
  finish(cut: Cut): void;
}

interface Thread {
  readonly worker: Worker;
  readonly unwanted: ThreadData["unwanted"];
  running: Waiting | undefined;
}

const MAX_THREADS = Math.min(4, Math.max(2, availableParallelism() - 1));
// How long a thread may go on with what nobody waits for; between two looks at the clock it cannot be told to stop.
// Shorter, and on a busy machine no thread would ever have all that it loads.
const OVERTIME_MS = 5_000;

export function createEnginePool({ overtimeMs = OVERTIME_MS }: { readonly overtimeMs?: number } = {}): Engine {
  const threads = new Set<Thread>();
  const queue = new Set<Waiting>();
  let lastId = 0;

  const start = async (): Promise<void> => {
    const { ENGINE_THREAD, toCut, workerUrl } = await import("./engine-worker.ts");
    const unwanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData: ThreadData = { name: ENGINE_THREAD, unwanted };
    const worker = new Worker(new URL(workerUrl), { workerData });
    const thread: Thread = { worker, unwanted, running: undefined };
    const gone = () => {
      threads.delete(thread);
      thread.running?.finish({ kind: "whole", why: "internal_error" });
      thread.running = undefined;
      void next();
    };
    worker.on("message", (done: JobDone) => {
      if (thread.running?.job.id !== done.id) return;
      thread.running.finish(toCut(done));
      thread.running = undefined;
      void next();
    });
    worker.once("error", gone).once("exit", gone);
    // The HTTP server keeps the process alive, not its tools. After the listeners: each of them takes hold again.
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
      // At once: it may still say that it is done, and whoever it was given then would go down with it.
      threads.delete(late);
      void late.worker.terminate();
      next().catch(() => {});
    }, overtimeMs);
    timer.unref();
  };

  return {
    cut: (text, { signal, timeoutMs, ...how }: CutRequest) =>
      new Promise((resolve) => {
        const giveUp = () => {
          waiting.finish({ kind: "whole", why: "timeout" });
          endOvertime(waiting);
        };
        const timer = setTimeout(giveUp, Math.min(timeoutMs, LONGEST_TIMER_MS));
        const waiting: Waiting = {
          job: { id: ++lastId, text, how },
          finish(cut) {
            clearTimeout(timer);
            signal.removeEventListener("abort", giveUp);
            queue.delete(waiting);
            resolve(cut);
          },
        };
        signal.addEventListener("abort", giveUp, { once: true });
        if (signal.aborted) return giveUp();
        queue.add(waiting);
        next().catch(() => waiting.finish({ kind: "whole", why: "internal_error" }));
      }),
  };
}
