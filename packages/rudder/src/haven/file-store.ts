// The haven as files. One lock for the whole haven (a crashed holder's is taken over by the next one), one transaction
// per change (files/transaction.ts), and an index of what the files say.
import { systemCodeOf } from "@jeeves/base";
import { createArtefactReader } from "../artefact/artefact-reader.ts";
import { DEFAULT_DIGITS, type Digits } from "../ids.ts";
import { toRudderError } from "../rudder-error.ts";
import { changeTaskInStep } from "./change-in-step.ts";
import { createChangeQueue } from "./change-queue.ts";
import {
  createFileReader,
  type FileReading,
  isRunName,
  type LiveParts,
  readRun,
  readRunFile,
  requireHaven,
} from "./file-reader.ts";
import { createFileStep } from "./file-step.ts";
import { createFeed } from "./files/feed.ts";
import { createOperations } from "./files/operations.ts";
import { readBytesIfThere } from "./files/read-if-there.ts";
import { toRunFile } from "./files/run-file.ts";
import { type CrashPoint, createTransaction, recover, StaleRead } from "./files/transaction.ts";
import { createArtefactIndex } from "./index/artefact-index.ts";
import { createLiveFiles } from "./index/live-files.ts";
import { createLiveIndex } from "./index/live-index.ts";
import { type Clock, systemClock } from "./instant.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { createKnownLines, isSharedLogName, isTaskLogName, readLogFile } from "./logs.ts";
import { readSharedNote, refuseShared } from "./place/shared-haven.ts";
import type { ChangeOptions, HavenStep, HavenStore } from "./store.ts";

/** How often a change is made anew because a person has saved one of its files meanwhile. */
const MAX_TRIES = 20;

/** The directory of a haven, and how its store is used. */
export interface FileStoreOptions {
  readonly haven: string;
  /** How ids are padded; default: DEFAULT_DIGITS. */
  readonly digits?: Digits;
  readonly clock?: Clock | undefined;
  /**
   * For a server: the lock is kept so long for a next change, unless other processes wait for it; default: not at all.
   */
  readonly lingerMs?: number;
  /** For a server: the files are watched, and a query costs what it asks for. */
  readonly isLive?: boolean | undefined;
  /** For one command on a terminal: the artefacts are looked at once. */
  readonly isOneLook?: boolean | undefined;
  /** For tests: called at each point where a kill would leave something half done. */
  readonly crash?: (at: CrashPoint) => void;
}

/**
 * Opens a haven in files. Nothing is read before the first call; a directory that is no haven is refused then with
 * `no_haven`.
 */
export function openFileStore(options: FileStoreOptions): HavenStore {
  const layout = layoutOf(options.haven);
  const digits = options.digits ?? DEFAULT_DIGITS;
  const clock = options.clock ?? systemClock;
  const index =
    options.isLive === true
      ? createLiveIndex(layout, { digits })
      : createArtefactIndex(layout, { digits, isOneLook: options.isOneLook });
  const live = options.isLive === true ? createLiveParts(layout) : undefined;
  const left = new Set<string>();
  const readArtefact = createArtefactReader(digits);
  const reading: FileReading = { layout, digits, index, now: clock, read: readBytesIfThere, readArtefact, left, live };
  const queue = createChangeQueue(layout.lock, { lingerMs: options.lingerMs ?? 0 });
  const feed = createFeed(layout.audit, layout.oldAudit);
  const operations = createOperations(layout.operations, layout.oldOperations);

  /** A rule that a person's edit has overtaken is asked again. */
  async function transact<T>(run: (step: HavenStep) => Promise<T>, { operation, signal }: ChangeOptions): Promise<T> {
    refuseShared(layout.haven); // moved while we waited for our turn
    recover(layout.haven, layout.journal);
    // Others may have changed something before it was our turn.
    index.noteWritten([]);
    for (let attempt = 1; ; attempt++) {
      if (operation !== undefined) {
        const recorded = operations.find(operation, clock());
        // What was recorded is what this very change returned, by way of JSON.
        if (recorded !== undefined) return recorded.value as T;
      }
      const made = new Map<string, string>();
      const transaction = createTransaction(layout.haven, layout.journal);
      const { step, finish } = createFileStep({
        reading: { ...reading, read: (path) => transaction.read(path), made },
        transaction,
        feed,
        made,
      });
      const value = await run(step);
      signal?.throwIfAborted();
      let seq: number | undefined;
      if (!transaction.isEmpty()) {
        if (operation !== undefined) {
          const { file, line } = operations.toLine(operation, value, clock());
          transaction.append(file, line);
        }
        seq = finish();
      }
      try {
        transaction.commit({ crash: options.crash, isRecorded: operation !== undefined });
        if (seq !== undefined) feed.written(seq);
        const written = transaction.changed();
        index.noteWritten(written);
        for (const part of live === undefined ? [] : Object.values(live)) part.noteWritten(written);
        return value;
      } catch (error) {
        if (!(error instanceof StaleRead) || attempt === MAX_TRIES) throw error;
      }
    }
  }

  const store: HavenStore = {
    haven: options.haven,
    ...createFileReader(reading),
    async change(run, changeOptions = {}) {
      requireHaven(layout);
      const { signal } = changeOptions;
      signal?.throwIfAborted();
      try {
        return await queue.add(() => transact(run, changeOptions), signal);
      } catch (error) {
        // Gone while we worked: that is what to say, not which of its files was missed first.
        if (systemCodeOf(error) === "ENOENT") requireHaven(layout);
        throw toRudderError(error, options.haven);
      }
    },
    changeTask: (taskId, rule, changeOptions) =>
      store.change((step) => changeTaskInStep(step, taskId, rule), changeOptions),
    async changesSince(seq) {
      requireHaven(layout);
      return feed.since(seq);
    },
    async leave(caller) {
      if (caller.kind !== "connection") return;
      left.add(caller.name);
      const { leases } = await store.leases();
      const own = leases.filter(({ holder }) => holder.kind === "connection" && holder.name === caller.name);
      if (own.length === 0) return;
      await queue.add(async () => {
        recover(layout.haven, layout.journal);
        const transaction = createTransaction(layout.haven, layout.journal);
        for (const { taskId, token } of own) {
          const run = readRun(reading, taskId);
          if (run?.token === token && run.holder.name === caller.name) {
            transaction.put(layout.run(taskId), toRunFile({ ...run, isLeft: true }));
          }
        }
        transaction.commit();
      });
    },
    async close() {
      await index.close();
      for (const part of live === undefined ? [] : Object.values(live)) part.close();
    },
  };
  return store;
}

function createLiveParts(layout: Layout): LiveParts {
  return {
    runs: createLiveFiles(layout.runs, {
      fits: isRunName,
      read: (path) => readRunFile(path, readBytesIfThere),
    }),
    sharedLogs: createLiveFiles(layout.memory, { fits: isSharedLogName, read: readLogFile }),
    taskLogs: createLiveFiles(layout.memory, { fits: isTaskLogName, read: () => true }),
    logLines: createKnownLines(),
  };
}

/** Refuses a directory that is no haven's; where the data are in a database, this machine's part of it will do. */
export function requireHavenDir(layout: Layout): void {
  if (readSharedNote(layout.haven) === undefined) requireHaven(layout);
}

export { requireHaven };
