// A fixed number of tasks at once, a bounded queue behind them (C-16). A task that is past its deadline or cancelled is
// answered for at once; its signal tells it to stop.
import { createGate } from "@jeeves/base";
import { ResearchError } from "../research-error.ts";
import { type Outcome, toFailure } from "./outcome.ts";

/** `onError` gets errors other than a ResearchError: those that were not foreseen. */
interface PoolOptions {
  readonly maxConcurrentTasks: number;
  readonly maxQueuedTasks: number;
  readonly now?: () => number;
  readonly onError?: (error: unknown) => void;
}

/** The deadline counts from the call, time in the queue included. */
interface TaskOptions {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** Runs tasks. `run` never rejects; where the queue is full the outcome is the error `saturated`. */
export interface Pool {
  run<T>(task: (signal: AbortSignal) => Promise<T>, options: TaskOptions): Promise<Outcome<T>>;
  readonly running: number;
  readonly queued: number;
}

/** A pool in which a task keeps its place until it has really ended, even where its outcome was given before. */
export function createPool(options: PoolOptions): Pool {
  const now = options.now ?? Date.now;
  const gate = createGate(options.maxConcurrentTasks);
  const refuseIfSaturated = (): void => {
    if (gate.inside < options.maxConcurrentTasks || gate.waiting < options.maxQueuedTasks) return;
    throw new ResearchError("saturated", `${gate.inside} tasks run and ${gate.waiting} wait`, {
      hint: "ask again later",
    });
  };

  return {
    get running() {
      return gate.inside;
    },
    get queued() {
      return gate.waiting;
    },
    async run(task, { signal: outer, deadlineMs }) {
      const startedAt = now();
      const since = performance.now();
      const elapsed = () => ({ startedAt, elapsedMs: Math.round(performance.now() - since) });
      const inner = new AbortController();
      const onAbort = () => inner.abort(toCanceled(outer.reason));
      if (outer.aborted) onAbort();
      outer.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(
        () => inner.abort(new ResearchError("deadline_exceeded", `not finished within ${deadlineMs} ms`)),
        deadlineMs,
      );
      try {
        inner.signal.throwIfAborted();
        refuseIfSaturated();
        const leave = await gate.enter(inner.signal);
        if (leave === undefined) throw inner.signal.reason;
        if (inner.signal.aborted) {
          leave();
          throw inner.signal.reason;
        }
        // The place is kept until the task has really ended: a task that ignores its signal must not be replaced by another.
        const work = task(inner.signal).finally(leave);
        const value = await untilAborted(work, inner.signal);
        return { status: "ok", value, timing: elapsed() };
      } catch (error) {
        const reason = inner.signal.aborted ? inner.signal.reason : error;
        if (!(reason instanceof ResearchError)) options.onError?.(reason);
        return { ...toFailure(reason), timing: elapsed() };
      } finally {
        clearTimeout(timer);
        outer.removeEventListener("abort", onAbort);
      }
    },
  };
}

function toCanceled(reason: unknown): ResearchError {
  if (reason instanceof ResearchError) return reason;
  return new ResearchError("canceled", "the call was cancelled");
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => {};
  const aborted = new Promise<never>((_, fail) => {
    onAbort = () => fail(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    work.catch(() => {}); // an abandoned task may still fail; its error is dropped
  }
}
