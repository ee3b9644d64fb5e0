// A log of any size, read by windows while it is being written. The file is opened for each question and closed after
// it, so that a run that is deleted meanwhile is simply gone at the next one.
import { type FileHandle, open } from "node:fs/promises";
import type { RecordView, Step, TimelineView } from "../wire.ts";
import { createLogIndex, type LogIndex } from "./log-index.ts";
import { type ReadLine, readLines } from "./read-lines.ts";
import { createLineScanner, type LineScanner } from "./scan-lines.ts";
import { toStep } from "./to-step.ts";

const SCAN_BYTES = 1024 * 1024;
/** What one question may scan before it answers with what is known: a gigabyte is a few questions. */
const SCAN_PER_REFRESH_BYTES = 256 * 1024 * 1024;
/** Most lines are shorter. */
const ONE_LINE_BYTES = 16 * 1024;
const MAX_RECORD_CHARS = 200_000;

export interface LogWindow {
  readonly view: TimelineView;
  readonly from: number;
  readonly count: number;
}

export interface LogState {
  readonly total: number;
  readonly steps: readonly Step[];
  /** 0 to 1. */
  readonly indexedShare: number;
  readonly isCapped: boolean;
}

export interface EventLog {
  /** What is known about it; brought up to date by `window`. */
  readonly index: LogIndex;
  /** undefined: the file is not there, or not for us. `count` 0 only brings the index up to date. */
  window(wanted: LogWindow, asked: { readonly signal: AbortSignal }): Promise<LogState | undefined>;
  /** 1-based. */
  record(line: number): Promise<RecordView | undefined>;
  bars(max: number): { readonly raw: number; readonly kept: number }[];
}

export interface EventLogOptions {
  readonly scanPerRefreshBytes?: number;
}

export function openEventLog(file: string, options: EventLogOptions = {}): EventLog {
  const { scanPerRefreshBytes = SCAN_PER_REFRESH_BYTES } = options;
  let index = createLogIndex();
  let scanner: LineScanner = createLineScanner();
  let scannedBytes = 0;
  let identity = "";
  // Two questions at once scan once, one after the other.
  let last: Promise<unknown> = Promise.resolve();

  async function refresh(handle: FileHandle, signal: AbortSignal): Promise<number> {
    const { ino, dev, size } = await handle.stat();
    if (identity !== `${dev} ${ino}` || size < scannedBytes) {
      identity = `${dev} ${ino}`;
      index = createLogIndex();
      scanner = createLineScanner();
      scannedBytes = 0;
    }
    const until = Math.min(size, scannedBytes + scanPerRefreshBytes);
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(SCAN_BYTES, until - scannedBytes)));
    while (scannedBytes < until && !signal.aborted) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, until - scannedBytes), scannedBytes);
      if (bytesRead === 0) break;
      scanner.push(buffer.subarray(0, bytesRead), index.add);
      scannedBytes += bytesRead;
    }
    return size;
  }

  async function window(wanted: LogWindow, { signal }: { readonly signal: AbortSignal }) {
    return withFile(file, async (handle) => {
      const turn = last.catch(() => {}).then(() => refresh(handle, signal));
      last = turn;
      const size = await turn;
      const isWhole = scannedBytes >= size;
      const torn = isWhole && scanner.openOffset < size ? 1 : 0;
      const listed = wanted.view === "steps" ? index.stepCount : index.lineCount;
      const read = wanted.view === "steps" ? readSteps : readEvents;
      const steps = await read(handle, { ...wanted, hasTorn: torn === 1 });
      return {
        total: listed + torn,
        steps,
        indexedShare: size === 0 ? 1 : Math.min(1, scannedBytes / size),
        isCapped: wanted.view === "steps" && index.isCapped,
      };
    });
  }

  async function readEvents(handle: FileHandle, wanted: Wanted): Promise<Step[]> {
    const count = Math.min(wanted.count, index.lineCount + (wanted.hasTorn ? 1 : 0) - wanted.from);
    if (count <= 0) return [];
    const mark = index.markBefore(Math.min(wanted.from, Math.max(0, index.lineCount - 1)));
    const at = { offset: mark.offset, skip: wanted.from - mark.line, count, withTorn: wanted.hasTorn };
    const lines = await readLines(handle, at);
    return lines.map((line, i) => {
      const n = wanted.from + i;
      // The whole call shows once, at its own line; its result has a line of its own here.
      return toStep(line, { n, line: n + 1 });
    });
  }

  async function readSteps(handle: FileHandle, wanted: Wanted): Promise<Step[]> {
    const steps: Step[] = [];
    let bytes = 0;
    const end = Math.min(wanted.from + wanted.count, index.stepCount);
    for (let n = wanted.from; n < end && bytes < SCAN_BYTES * 16; n++) {
      const { line, offset, result, meter, pruneId } = index.step(n);
      const own = await lineAt(handle, offset);
      const answer = result === -1 ? undefined : await lineAt(handle, result);
      const cut = meter === -1 ? undefined : await lineAt(handle, meter);
      if (own === undefined) break;
      bytes += own.text.length + (answer?.text.length ?? 0);
      const rest = {
        ...(answer === undefined ? {} : { result: answer }),
        ...(cut === undefined ? {} : { meter: cut }),
        ...(pruneId === undefined ? {} : { pruneId }),
      };
      steps.push(toStep(own, { n, line: line + 1 }, rest));
    }
    if (wanted.hasTorn && end === index.stepCount && wanted.from + wanted.count > end) {
      const [torn] = await readLines(handle, { offset: scanner.openOffset, skip: 0, count: 1, withTorn: true });
      if (torn?.isTorn === true) steps.push(toStep(torn, { n: end, line: index.lineCount + 1 }));
    }
    return steps;
  }

  return {
    get index() {
      return index;
    },
    window,
    async record(line) {
      return withFile(file, async (handle) => {
        const mark = index.markBefore(line - 1);
        const skip = line - 1 - mark.line;
        const [own] = await readLines(handle, { offset: mark.offset, skip, count: 1, withTorn: true });
        if (own === undefined) return undefined;
        const n = index.stepOfLine(line - 1);
        const step = n === undefined ? undefined : index.step(n);
        const result = step === undefined || step.result === -1 ? undefined : await lineAt(handle, step.result);
        return {
          line,
          json: own.text.slice(0, MAX_RECORD_CHARS),
          ...(result === undefined ? {} : { resultJson: result.text.slice(0, MAX_RECORD_CHARS) }),
          ...(step?.pruneId === undefined ? {} : { pruneId: step.pruneId }),
        };
      });
    },
    bars(max) {
      const sized: { raw: number; kept: number }[] = [];
      for (let n = 0; n < index.stepCount; n++) {
        const { raw, kept } = index.step(n);
        if (raw > 0) sized.push({ raw, kept });
      }
      const per = Math.max(1, Math.ceil(sized.length / max));
      const bars: { raw: number; kept: number }[] = [];
      sized.forEach((one, i) => {
        const bar = bars[Math.floor(i / per)];
        if (bar === undefined) bars.push({ ...one });
        else {
          bar.raw += one.raw;
          bar.kept += one.kept;
        }
      });
      return bars;
    },
  };
}

interface Wanted extends LogWindow {
  readonly hasTorn: boolean;
}

async function lineAt(handle: FileHandle, offset: number): Promise<ReadLine | undefined> {
  return (await readLines(handle, { offset, skip: 0, count: 1, chunkBytes: ONE_LINE_BYTES }))[0];
}

/** undefined where there is no such file, or it is not ours to read. */
async function withFile<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  const handle = await open(file, "r").catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    return (await handle.stat()).isFile() ? await use(handle) : undefined;
  } finally {
    await handle.close();
  }
}
