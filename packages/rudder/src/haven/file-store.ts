// The haven as files. One lock for the whole haven (a crashed holder's is taken over by the next one), so that a change
// is one step and the rules see the state that they decide about.
import { lstatSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { writeFileAtomic } from "@jeeves/state";
import { type Artefact, readArtefact } from "../artefact/artefact.ts";
import { requireUtf8 } from "../artefact/require-utf8.ts";
import { DEFAULT_DIGITS, type Digits, type Kind, kindOf, normaliseId } from "../ids.ts";
import { type Clock, systemClock, toIso } from "../lease/instant.ts";
import type { Lease } from "../lease/lease.ts";
import { parseRunFile, toRunFile } from "../lease/run-file.ts";
import { formatLogLine, type LogLine } from "../memory/log-line.ts";
import { RudderError, toRudderError } from "../rudder-error.ts";
import { createArtefactIndex } from "./artefact-index.ts";
import { parseAssignmentFile, toAssignmentFile } from "./assignment-file.ts";
import { createChangeQueue } from "./change-queue.ts";
import { takeId } from "./counters.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { appendLine, pendingTasks, readEpicLog, readTaskLog, readUnsynced, syncTaskLog } from "./logs.ts";
import { makeDirs } from "./make-haven.ts";
import { namesIn, readBytesIfThere, readIfThere } from "./read-if-there.ts";
import { scanArtefacts } from "./scan.ts";
import type { AuditEntry, HavenReader, HavenStep, HavenStore, StoredArtefact } from "./store.ts";
import { sweepTemporaries } from "./sweep.ts";

const AUDIT_MAX_BYTES = 16 * 1024 * 1024;

export interface FileStoreOptions {
  readonly haven: string;
  readonly digits?: Digits;
  readonly clock?: Clock;
  /** For a server: how long it waits for its clients' next change before it lets go of the lock; others come first. */
  readonly lingerMs?: number;
}

export function openFileStore(options: FileStoreOptions): HavenStore {
  const layout = layoutOf(options.haven);
  const digits = options.digits ?? DEFAULT_DIGITS;
  const reader = createReader(layout, digits);
  const step = createStep(layout, { reader, digits, clock: options.clock ?? systemClock });
  const queue = createChangeQueue(layout.lock, { lingerMs: options.lingerMs ?? 0 });

  return {
    haven: options.haven,
    ...reader,
    async change(run, changeOptions = {}) {
      requireHaven(layout);
      const { signal } = changeOptions;
      signal?.throwIfAborted();
      try {
        return await queue.add(() => run(step), signal);
      } catch (error) {
        // Gone while we worked: that is what to say, not which of its files was missed first.
        if (systemCodeOf(error) === "ENOENT") requireHaven(layout);
        throw toRudderError(error, options.haven);
      }
    },
  };
}

export function requireHaven(layout: Layout): void {
  try {
    if (statSync(layout.prds).isDirectory()) return;
  } catch {
    // Said below.
  }
  throw new RudderError("no_haven", `there is no haven at ${layout.haven}`, {
    hint: "run: rudder init (or set RUDDER_HAVEN, or --root to the project whose haven you mean)",
    details: { haven: layout.haven },
  });
}

function createReader(layout: Layout, digits: Digits): HavenReader {
  const index = createArtefactIndex(layout, { digits });
  /** Where an id was found last: looking there first spares the search. */
  const paths = new Map<string, string>();

  const toId = (text: string): string | undefined => normaliseId(text, digits);
  const leaseOf = (taskId: string): Lease | undefined => {
    const path = layout.run(taskId);
    const text = readIfThere(path);
    return text === undefined ? undefined : parseRunFile(text, { taskId, path });
  };

  return {
    digits,
    async snapshot() {
      requireHaven(layout);
      return index.snapshot();
    },
    async artefact(id) {
      requireHaven(layout);
      const kind = kindOf(id);
      if (kind === undefined)
        throw new RudderError("invalid_argument", `${id} is no id`, { hint: "like T042 or E001" });
      const known = paths.get(id);
      const stored = known === undefined ? undefined : readStored(layout, { id, kind, path: known, digits });
      if (stored !== undefined) return stored;
      const path = findPath(layout, { id, kind, digits }, paths);
      const found = readStored(layout, { id, kind, path, digits });
      if (found === undefined) throw notFound(id, kind);
      return found;
    },
    async lease(taskId) {
      return leaseOf(taskId);
    },
    async leases() {
      const leases: Lease[] = [];
      const broken: string[] = [];
      for (const name of namesIn(layout.runs)) {
        const taskId = toId(/^(T\d+)\.run$/.exec(name)?.[1] ?? "");
        if (taskId === undefined || layout.run(taskId) !== join(layout.runs, name)) continue;
        try {
          const lease = leaseOf(taskId);
          if (lease !== undefined) leases.push(lease);
        } catch (error) {
          if (!(error instanceof RudderError)) throw error;
          broken.push(`runs/${name}`);
        }
      }
      return { leases, broken };
    },
    async assignment(taskId) {
      const text = readIfThere(layout.assignment(taskId));
      return text === undefined ? undefined : parseAssignmentFile(text, taskId);
    },
    async log(id) {
      if (kindOf(id) === "task") return readTaskLog(layout, id);
      return readEpicLog(layout, id).map((line) => {
        const taskId = toId(line.taskId ?? "");
        return taskId === undefined ? line : { ...line, taskId };
      });
    },
    async unsyncedLog(taskIds) {
      return readUnsynced(layout, taskIds);
    },
    async memory(id) {
      return readIfThere(id === "project" ? layout.projectMemory : layout.memoryOf(id));
    },
  };
}

function createStep(
  layout: Layout,
  options: { readonly reader: HavenReader; readonly digits: Digits; readonly clock: Clock },
): HavenStep {
  const write = async (path: string, text: string, mode = 0o600): Promise<void> => {
    makeDirs(dirname(path));
    await writeFileAtomic(path, text, { mode });
  };
  const append = (path: string, line: string): void => {
    try {
      appendLine(path, line);
    } catch (error) {
      if (systemCodeOf(error) !== "ENOENT") throw error;
      makeDirs(dirname(path));
      appendLine(path, line);
    }
  };
  return {
    ...options.reader,
    nextId: (kind) => takeId(layout, kind, options.digits),
    createArtefact: (made) => write(join(layout.haven, made.path), made.text),
    async writeArtefact(stored, text) {
      requireUtf8(stored.bytes, stored.path);
      const path = join(layout.haven, stored.path);
      await write(path, text, lstatSync(path).mode & 0o777);
    },
    putLease: (lease) => write(layout.run(lease.taskId), toRunFile(lease)),
    async removeLease(taskId) {
      rmSync(layout.run(taskId), { force: true });
    },
    putAssignment: (assignment) => write(layout.assignment(assignment.taskId), toAssignmentFile(assignment)),
    async appendLog(taskId: string, line: LogLine) {
      append(layout.log(taskId), formatLogLine(line));
    },
    syncLog: (taskId, epicId) => syncTaskLog(layout, taskId, epicId),
    async pendingLogs() {
      return pendingTasks(layout).map((fileId) => normaliseId(fileId, options.digits) ?? fileId);
    },
    async writeMemory(id, text) {
      const path = id === "project" ? layout.projectMemory : layout.memoryOf(id);
      requireUtf8(readBytesIfThere(path) ?? Buffer.alloc(0), relative(layout.haven, path));
      await write(path, text);
    },
    async sweep() {
      return sweepTemporaries(layout);
    },
    async audit(entry: AuditEntry) {
      rotate(layout.audit);
      const now = options.clock();
      append(layout.audit, JSON.stringify({ at: toIso(now.wallMs), monotonic_ms: now.monotonicMs, ...entry }));
    },
  };
}

function rotate(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > AUDIT_MAX_BYTES) renameSync(path, join(dirname(path), `${basename(path, ".jsonl")}.1.jsonl`));
}

interface Wanted {
  readonly id: string;
  readonly kind: Kind;
  readonly digits: Digits;
}

/** Notes all that it sees: whoever asks for one of thousands soon asks for the next. */
function findPath(layout: Layout, wanted: Wanted, paths: Map<string, string>): string {
  const { places } = scanArtefacts(layout, { digits: wanted.digits, kind: wanted.kind });
  const twice = new Set<string>();
  const seen = new Set<string>();
  for (const { id } of places) (seen.has(id) ? twice : seen).add(id);
  for (const { id, path } of places) if (!twice.has(id)) paths.set(id, path);
  const found = places.filter((place) => place.id === wanted.id).map((place) => place.path);
  const [path] = found;
  if (path === undefined) throw notFound(wanted.id, wanted.kind);
  if (found.length === 1) return path;
  throw new RudderError("duplicate_id", `${wanted.id} is the id of ${found.length} files: ${found.join(", ")}`, {
    hint: "give one of them another id (its file name and its id field)",
    details: { paths: found },
  });
}

function readStored(layout: Layout, at: Wanted & { readonly path: string }): StoredArtefact | undefined {
  const bytes = readBytesIfThere(join(layout.haven, at.path));
  if (bytes === undefined) return undefined;
  const text = bytes.toString("utf8");
  const prd = normaliseId(/^artefacts\/prds\/(PRD-?\d+)/i.exec(at.path)?.[1] ?? "", at.digits);
  const place = { kind: at.kind, id: at.id, path: at.path, ...(prd === undefined ? {} : { prd }) };
  const artefact: Artefact = readArtefact(text, place, at.digits);
  return { id: at.id, kind: at.kind, path: at.path, text, bytes, artefact };
}

function notFound(id: string, kind: Kind): RudderError {
  const list = kind === "story" ? "rudder status" : `rudder ${kind} list`;
  return new RudderError("not_found", `there is no ${id}`, { hint: `${list} shows what there is`, details: { id } });
}
