// How far the heap of a server may grow before its garbage is collected. Left alone, V8 lets a heap grow to a multiple of
// what lives in it: of a haven of 20,000 tasks that was 250 MB after some thousand calls. A small one may: collecting it
// more often costs the calls that come in meanwhile more than it saves.
import { constants, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { isRecord } from "@jeeves/base";

const LARGE_BYTES = 40 * 1024 * 1024;
const LARGE_GROWTH_PERCENT = 60;

/** In percent of what lives; 0: as V8 finds best. */
export function growthFor(liveBytes: number): number {
  return liveBytes > LARGE_BYTES ? LARGE_GROWTH_PERCENT : 0;
}

/** Bounds the heap of this process by what each full collection leaves. */
export function boundHeap(): void {
  // The server is idle most of the time: a small space for new objects saves 30 MB.
  setFlagsFromString("--semi-space-growth-factor=1");
  new PerformanceObserver((list) => {
    const isFull = list.getEntries().some((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR);
    if (isFull) setFlagsFromString(`--heap-growing-percent=${growthFor(getHeapStatistics().used_heap_size)}`);
  }).observe({ entryTypes: ["gc"] });
}

function kindOf(entry: object): unknown {
  return "detail" in entry && isRecord(entry.detail) ? entry.detail.kind : undefined;
}
