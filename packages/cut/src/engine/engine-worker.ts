// The engine in a thread of its own: a text comes in, a cut goes out. The main thread imports this file to read what comes
// back, and for its URL, which stays right in a bundle because the file is a chunk of its own.
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { Pruned } from "@jeeves/prune";
import type { EngineFailure, EngineOptions } from "./engine.ts";
import { pruneHere } from "./in-process.ts";

export const ENGINE_THREAD = "jeeves-engine";
/** The URL to start a thread from. */
export const workerUrl = import.meta.url;

/** What a thread is started with. */
export interface ThreadData {
  readonly name: typeof ENGINE_THREAD;
  /** Shared: the job that is no longer wanted. No event reaches this thread while the engine works. */
  readonly unwanted: Int32Array;
}

/** One text for a thread. */
export interface Job {
  readonly id: number;
  readonly text: string;
  readonly how: EngineOptions;
}

/** What a thread answers. */
export interface JobDone {
  readonly id: number;
  /** As JSON: a message of many small objects costs twice as much. */
  readonly outcome: string;
  /** Of a pruned text, beside it. */
  readonly kept?: Uint8Array;
  readonly outlineKept?: Uint8Array;
}

if (!isMainThread && workerData?.name === ENGINE_THREAD && parentPort !== null) serve(parentPort, workerData);

function serve(port: MessagePort, { unwanted }: ThreadData): void {
  port.on("message", async (job: Job) => {
    const outcome = await pruneHere(job.text, job.how, () => Atomics.load(unwanted, 0) === job.id);
    port.postMessage(toJobDone(job.id, outcome));
  });
}

/** An outcome as it is sent between threads. */
export function toJobDone(id: number, outcome: Pruned | EngineFailure): JobDone {
  if ("failed" in outcome) return { id, outcome: JSON.stringify({ failed: outcome.failed }) };
  const { kept, asOutline, ...rest } = outcome;
  if (asOutline === undefined) return { id, outcome: JSON.stringify(rest), kept };
  const { kept: outlineKept, ...outline } = asOutline;
  return { id, outcome: JSON.stringify({ ...rest, asOutline: outline }), kept, outlineKept };
}

/** The outcome that a thread has sent. */
export function toOutcome({ outcome, kept, outlineKept }: JobDone): Pruned | EngineFailure {
  const parsed: Pruned | EngineFailure = JSON.parse(outcome);
  if ("failed" in parsed || kept === undefined) return parsed;
  const { asOutline } = parsed;
  if (asOutline === undefined || outlineKept === undefined) return { ...parsed, kept };
  return { ...parsed, kept, asOutline: { ...asOutline, kept: outlineKept } };
}
