// The engine in a thread of its own: a text comes in, a cut goes out. The main thread imports this file for its address
// alone, which a bundler leaves true because the file is a chunk of its own.
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type Cut, type CutRequest, createEngine } from "./engine.ts";

export const ENGINE_THREAD = "jeeves-engine";
export const workerUrl = import.meta.url;

export interface Job {
  readonly id: number;
  readonly text: string;
  readonly request: Omit<CutRequest, "signal">;
  /** Shared: not 0 once nobody waits any more. */
  readonly stop: Int32Array;
}

export interface JobDone {
  readonly id: number;
  readonly cut: Cut;
}

if (!isMainThread && workerData === ENGINE_THREAD && parentPort !== null) serve(parentPort);

function serve(port: MessagePort): void {
  const engine = createEngine();
  port.on("message", async ({ id, text, request, stop }: Job) => {
    // No event reaches this thread while the engine works, so the signal is looked up where the main thread wrote it.
    const signal = Object.defineProperty(new AbortController().signal, "aborted", {
      get: () => Atomics.load(stop, 0) !== 0,
    });
    const cut = await engine.cut(text, { ...request, signal });
    port.postMessage({ id, cut } satisfies JobDone);
  });
}
