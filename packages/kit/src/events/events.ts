// Events: one JSON line each, to stderr and, where a file is named, appended to it (J-68, X-17). A sink that fails or
// stalls never throws and never blocks a caller; it only loses events, and stderr reports that once.

import type { Journal } from "@jeeves/state";
import type { EventRecord, Level } from "./event-record.ts";
import { toEventText } from "./event-text.ts";

/** Where a part of a program reports what happened. */
export interface Events {
  emit(level: Level, event: string, data?: object, requestId?: string): void;
  /** The same sinks, with the request's id on every event (J-77). */
  child(requestId: string): Events;
}

/** Events with a way to wait until they are written. */
export interface EventSinks extends Events {
  /** Resolves when all sinks have what was emitted so far, or after a second. To be awaited before an exit. */
  flush(): Promise<void>;
}

/** Where events go, and in which form. */
export interface EventOptions {
  readonly stderr: NodeJS.WritableStream;
  /** JEEVES_EVENT_LOG. */
  readonly file?: string;
  readonly format?: "json" | "text";
  readonly now?: () => Date;
  readonly minLevel?: Level;
}

const LEVELS: readonly Level[] = ["debug", "info", "warn", "error"];
// Bounded, because a parent process may not read stderr.
const MAX_STDERR_BACKLOG_BYTES = 1024 * 1024;
const MAX_FILE_BACKLOG_EVENTS = 10_000;
// A file can stall as well: a network disk.
const MAX_FLUSH_MS = 1_000;
const FILE_STALLED_MS = 5_000;
const STALLED = "it does not answer";

/** Opens the sinks of events: stderr, and a file where one is named. */
export function createEvents(options: EventOptions): EventSinks {
  const { stderr, format = "json", now = () => new Date(), minLevel = "debug" } = options;
  const floor = LEVELS.indexOf(minLevel);
  let isStderrBroken = false;
  stderr.on("error", () => {
    isStderrBroken = true;
  });

  // Written once per turn of the event loop: a write wakes its reader, which would delay the request.
  let unwritten = "";
  let writing: NodeJS.Immediate | undefined;
  const writeAll = () => {
    clearImmediate(writing);
    writing = undefined;
    const lines = unwritten;
    unwritten = "";
    if (lines === "" || isStderrBroken) return;
    try {
      stderr.write(lines);
    } catch {
      isStderrBroken = true;
    }
  };
  const toStderr = (record: EventRecord) => {
    const backlog = "writableLength" in stderr ? Number(stderr.writableLength) : 0;
    if (isStderrBroken || backlog + unwritten.length > MAX_STDERR_BACKLOG_BYTES) return;
    unwritten += `${format === "json" ? toJsonLine(record) : toEventText(record)}\n`;
    writing ??= setImmediate(writeAll);
  };

  const file =
    options.file === undefined || options.file === ""
      ? undefined
      : createFileSink(options.file, (message) => {
          const data = { file: options.file, message };
          toStderr({ ts: now().toISOString(), level: "warn", event: "events.file_failed", data });
        });

  const emit = (level: Level, event: string, data?: object, requestId?: string) => {
    if (LEVELS.indexOf(level) < floor) return;
    const record: EventRecord = {
      ts: now().toISOString(),
      level,
      event,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...(data === undefined ? {} : { data }),
    };
    toStderr(record);
    file?.append(record);
  };
  const child = (requestId: string): Events => ({
    emit: (level, event, data, otherId) => emit(level, event, data, otherId ?? requestId),
    child,
  });
  return {
    emit,
    child,
    async flush() {
      writeAll();
      await file?.flush();
      writeAll(); // that the file failed
    },
  };
}

interface FileSink {
  append(record: EventRecord): void;
  flush(): Promise<void>;
}

/** The journal is loaded with the first event, and only where a file is named. `onFailure` is called at most once. */
function createFileSink(file: string, onFailure: (message: string) => void): FileSink {
  let journal: Promise<Journal> | undefined;
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let hasFailed = false;
  const fail = (error: unknown) => {
    if (hasFailed) return;
    hasFailed = true;
    onFailure(error instanceof Error ? error.message : String(error));
  };
  return {
    append(record) {
      if (waiting >= MAX_FILE_BACKLOG_EVENTS) return;
      // Taken now: the data may have changed by the time the file is open.
      const taken: object = JSON.parse(toJsonLine(record));
      journal ??= import("@jeeves/state").then(({ createJournal }) => createJournal(file));
      const opened = journal;
      waiting++;
      last = last
        .then(async () => {
          // A call that hangs cannot be ended: what comes behind it waits, and is dropped where it is too much.
          const stalled = setTimeout(() => fail(STALLED), FILE_STALLED_MS).unref();
          await (await opened).append(taken).finally(() => clearTimeout(stalled));
        })
        .catch(fail)
        .finally(() => waiting--);
    },
    async flush() {
      if (journal === undefined) return;
      const { guarded } = await import("@jeeves/state");
      // Guarded, so that `endProcess` knows of a call that hangs: an exit would wait for it.
      await guarded(`${file} (events)`, MAX_FLUSH_MS, () => last).catch(() => fail(STALLED));
    },
  };
}

/** A record as one line of JSON. Data that JSON cannot hold (a cycle, a bigint) are left out; the event is kept. */
export function toJsonLine(record: EventRecord): string {
  try {
    return JSON.stringify(record);
  } catch {
    return JSON.stringify({ ...record, data: { unserializable: true } });
  }
}
