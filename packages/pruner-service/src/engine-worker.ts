// The engine in a thread of its own: a text comes in, a cut goes out. The main thread imports this file for its
// address, which a bundler leaves true because the file is a chunk of its own, and to read what comes back.
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type Cut, type CutHow, cutText } from "./engine.ts";

export const ENGINE_THREAD = "jeeves-engine";
export const workerUrl = import.meta.url;

export interface ThreadData {
  readonly name: typeof ENGINE_THREAD;
  /** Shared: the job that nobody waits for any more. No event reaches this thread while the engine works. */
  readonly unwanted: Int32Array;
}

export interface Job {
  readonly id: number;
  readonly text: string;
  readonly how: CutHow;
}

export interface JobDone {
  readonly id: number;
  /** As JSON: a message of many small objects costs twice as much, and somebody is waiting for it. */
  readonly cut: string;
  /** Of a cut, beside it. */
  readonly kept?: Uint8Array;
}

if (!isMainThread && workerData?.name === ENGINE_THREAD && parentPort !== null) serve(parentPort, workerData);

function serve(port: MessagePort, { unwanted }: ThreadData): void {
  port.on("message", async (job: Job) => {
    const cut = await cutText(job.text, job.how, () => Atomics.load(unwanted, 0) === job.id);
    port.postMessage(toJobDone(job.id, cut));
  });
}

export function toJobDone(id: number, cut: Cut): JobDone {
  if (cut.kind === "whole") return { id, cut: JSON.stringify(cut) };
  const { kept, ...rest } = cut.pruned;
  return { id, cut: JSON.stringify({ kind: "cut", pruned: rest }), kept };
}

export function toCut({ cut, kept }: JobDone): Cut {
  const parsed: Cut = JSON.parse(cut);
  return parsed.kind === "cut" && kept !== undefined ? { kind: "cut", pruned: { ...parsed.pruned, kept } } : parsed;
}
