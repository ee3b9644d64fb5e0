// A log of any size, read in windows while it is being written. The file is opened for each request and closed after it, so
// that a run that was deleted is gone at the next request.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { RecordView, Step, TimelineView } from "../wire.ts";
import { createLogIndex, type LogIndex } from "./log-index.ts";
import { createLineLookup, readLineAt, readLines } from "./read-lines.ts";
import { createLineScanner, type LineScanner } from "./scan-lines.ts";
import type { Bar } from "./step-table.ts";
import { toStep } from "./to-step.ts";

const SCAN_BYTES = 1024 * 1024;
/** The most bytes that one request indexes; a log of a gigabyte takes a few requests. */
const SCAN_PER_REFRESH_BYTES = 256 * 1024 * 1024;
const MAX_WINDOW_CHARS = 16 * 1024 * 1024;
const MAX_RECORD_CHARS = 200_000;

/** Which rows of a log are wanted. */
export interface LogWindow {
  readonly view: TimelineView;
  readonly from: number;
  readonly count: number;
}

/** The rows of a window, and how far the log is indexed. */
export interface LogState {
  readonly total: number;
  readonly steps: readonly Step[];
  /** 0 to 1. */
  readonly indexedShare: number;
  readonly isCapped: boolean;
}

/** A log of any size, read window by window. */
export interface EventLog {
  /** The index so far; `window` brings it up to date. */
  readonly index: LogIndex;
  /** Undefined where the file is missing or not readable. `count` 0 only brings the index up to date. */
  window(wanted: LogWindow, asked: { readonly signal: AbortSignal }): Promise<LogState | undefined>;
  /** 1-based. */
  record(line: number): Promise<RecordView | undefined>;
  bars(max: number): readonly Bar[];
}

interface EventLogOptions {
  readonly scanPerRefreshBytes?: number;
}

/** A log by its path; the file itself is opened for each request. */
export function openEventLog(file: string, options: EventLogOptions = {}): EventLog {
  const { scanPerRefreshBytes = SCAN_PER_REFRESH_BYTES } = options;
  let index = createLogIndex();
  let scanner: LineScanner = createLineScanner();
  let scannedBytes = 0;
  let identity = "";
  let drawn: { readonly key: string; readonly bars: readonly Bar[] } = { key: "", bars: [] };
  // Requests run one after the other, so that no part of the log is scanned twice.
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
    const entries = Array.from({ length: Math.max(0, end - wanted.from) }, (_, i) => index.step(wanted.from + i));
    const lineAt = await createLineLookup(
      handle,
      entries.flatMap(({ offset, result, meter }) => [offset, result, meter].filter((at) => at >= 0)),
    );
    for (const [i, { line, offset, result, meter, pruneId }] of entries.entries()) {
      const own = await lineAt(offset);
      const answer = result === -1 ? undefined : await lineAt(result);
      const cut = meter === -1 ? undefined : await lineAt(meter);
      if (own === undefined || bytes > MAX_WINDOW_CHARS) break;
      bytes += own.text.length + (answer?.text.length ?? 0);
      const rest = {
        ...(answer === undefined ? {} : { result: answer }),
        ...(cut === undefined ? {} : { meter: cut }),
        ...(pruneId === undefined ? {} : { pruneId }),
      };
      steps.push(toStep(own, { n: wanted.from + i, line: line + 1 }, rest));
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
        const result = step === undefined || step.result === -1 ? undefined : await readLineAt(handle, step.result);
        return {
          line,
          json: own.text.slice(0, MAX_RECORD_CHARS),
          ...(result === undefined ? {} : { resultJson: result.text.slice(0, MAX_RECORD_CHARS) }),
          ...(step?.pruneId === undefined ? {} : { pruneId: step.pruneId }),
        };
      });
    },
    bars(max) {
      // Needed for every window; computed again only when the log has grown.
      const key = `${max} ${index.lineCount}`;
      if (drawn.key !== key) drawn = { key, bars: index.bars(max) };
      return drawn.bars;
    },
  };
}

interface Wanted extends LogWindow {
  readonly hasTorn: boolean;
}

/** Undefined where the file is missing or not readable. */
async function withFile<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  // Non-blocking: opening a pipe in its place would wait for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    return (await handle.stat()).isFile() ? await use(handle) : undefined;
  } finally {
    await handle.close();
  }
}
