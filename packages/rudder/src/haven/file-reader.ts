// The queries of the file store. The same ones serve readers without a lock and a transaction that looks at its own
// writes: what differs is how a path is read.
import { lstatSync, type Stats, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Artefact } from "../artefact/artefact.ts";
import type { ArtefactReader } from "../artefact/artefact-reader.ts";
import { type Digits, KINDS, type Kind, kindOf, normaliseId, readId } from "../ids.ts";
import type { Lease } from "../lease/lease.ts";
import { noHaven, RudderError } from "../rudder-error.ts";
import { type ArchivedPlace, archivedPlaces, toLivePath } from "./archive.ts";
import { highestNumber } from "./counters.ts";
import { readAgentFiles } from "./files/agent-file.ts";
import { parseAssignmentFile } from "./files/assignment-file.ts";
import { namesIn } from "./files/read-if-there.ts";
import { parseRunFile, type Run, toLease } from "./files/run-file.ts";
import type { ArtefactIndex } from "./index/artefact-index.ts";
import type { LiveFiles } from "./index/live-files.ts";
import type { Instant } from "./instant.ts";
import type { Layout } from "./layout.ts";
import { type KnownLines, type LogFile, readEpicLog, readTaskLog, readUnsynced } from "./logs.ts";
import { refuseShared } from "./place/shared-haven.ts";
import type { HavenReader, StoredArtefact } from "./store.ts";

/** What the queries work with. */
export interface FileReading {
  readonly layout: Layout;
  readonly digits: Digits;
  readonly index: ArtefactIndex;
  now(): Instant;
  read(path: string): Buffer | undefined;
  readonly readArtefact: ArtefactReader;
  /** Artefacts that a transaction has made and not yet committed. */
  readonly made?: ReadonlyMap<string, string>;
  /** Bare connections that this process has seen end. */
  readonly left: ReadonlySet<string>;
  /** For a server: the run files and logs as they are known, without a look at each of them. */
  readonly live?: LiveParts | undefined;
}

/** What a server keeps beside the index of artefacts. */
export interface LiveParts {
  readonly runs: LiveFiles<Run | "broken">;
  readonly sharedLogs: LiveFiles<LogFile>;
  readonly taskLogs: LiveFiles<true>;
  readonly logLines: KnownLines;
}

/** An artefact with the state of its file when it was read. */
export interface ReadArtefact extends StoredArtefact {
  readonly seen?: Stats | undefined;
}

/** The queries of a haven in files. */
export function createFileReader(reading: FileReading): HavenReader {
  const { layout, digits, index, read } = reading;
  const toId = (text: string): string | undefined => normaliseId(text, digits);
  /** Where archived ids were found last: a search asks for thousands, one after the other. */
  const archivedAt = new Map<string, ArchivedPlace>();
  const lookInArchive = (kind?: Kind): readonly ArchivedPlace[] => {
    const places = archivedPlaces(layout, kind === undefined ? { digits } : { digits, kind });
    for (const place of places) archivedAt.set(place.id, place);
    return places;
  };

  return {
    digits,
    now: async () => reading.now().wallMs,
    async snapshot() {
      requireHaven(layout);
      return index.snapshot();
    },
    artefact: async (id) => readStored(reading, id),
    async find(ids) {
      const found = new Map<string, Artefact>();
      for (const id of new Set(ids)) {
        const artefact = await index.find(id);
        if (artefact !== undefined) found.set(id, artefact);
      }
      return found;
    },
    tasksOf: (epicId) => index.tasksOf(epicId),
    dependentsOf: (id) => index.dependentsOf(id),
    async lease(taskId) {
      const run = readRun(reading, taskId);
      return run === undefined ? undefined : leaseOf(reading, run);
    },
    async leases() {
      const runs = (await reading.live?.runs.all()) ?? readRuns(reading);
      const leases: Lease[] = [];
      const broken: string[] = [];
      const toLeaseNow = leaseReader(reading);
      for (const [name, run] of runs) {
        const taskId = toId(/^(T\d+)\.run$/.exec(name)?.[1] ?? "");
        if (taskId === undefined || layout.run(taskId) !== join(layout.runs, name)) continue;
        if (run === "broken") broken.push(`runs/${name}`);
        else leases.push(toLeaseNow({ ...run, taskId }));
      }
      return { leases, broken, nowMs: reading.now().wallMs };
    },
    async assignment(taskId) {
      const text = read(layout.assignment(taskId))?.toString("utf8");
      return text === undefined ? undefined : parseAssignmentFile(text, taskId);
    },
    async agents(taskId) {
      requireHaven(layout);
      return readAgentFiles(reading, taskId);
    },
    async log(id) {
      if (kindOf(id) === "task") return readTaskLog(layout, id, await reading.live?.sharedLogs.all());
      return readEpicLog(layout, id).map((line) => {
        const taskId = toId(line.taskId ?? "");
        return taskId === undefined ? line : { ...line, taskId };
      });
    },
    async unsyncedLog(taskIds) {
      const has = await reading.live?.taskLogs.finder();
      const lines = reading.live?.logLines;
      return readUnsynced(layout, taskIds, has && lines && { has, lines });
    },
    async memory(id) {
      return read(id === "project" ? layout.projectMemory : layout.memoryOf(id))?.toString("utf8");
    },
    async notedIds() {
      const ids = namesIn(layout.memory).map((name) => toId(/^((?:PRD-|E|T)\d+)\.(?:log|md)$/.exec(name)?.[1] ?? ""));
      const noted = [...new Set(ids.filter((id) => id !== undefined))].sort(byKindAndNumber);
      return read(layout.projectMemory) === undefined ? noted : ["project", ...noted];
    },
    async archivedIds() {
      archivedAt.clear();
      return [...new Set(lookInArchive().map(({ id }) => id))];
    },
    async archived(id) {
      const kind = kindOf(id);
      if (kind === undefined) return undefined;
      const known = archivedAt.get(id);
      const stored = known === undefined ? undefined : readAt(reading, known);
      if (stored !== undefined) return stored;
      const place = lookInArchive(kind).find((one) => one.id === id);
      return place === undefined ? undefined : readAt(reading, place);
    },
    async counters() {
      const of = (kind: Kind): number => highestNumber(layout, kind, { digits, transaction: { read } });
      return { prd: of("prd"), epic: of("epic"), task: of("task"), story: of("story") };
    },
  };
}

/** The order of ids. */
export function byKindAndNumber(a: string, b: string): number {
  const [one, other] = [readId(a), readId(b)];
  if (one === undefined || other === undefined) return 0;
  return KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || one.number - other.number;
}

/** Refuses a directory that is no haven. */
export function requireHaven(layout: Layout): void {
  refuseShared(layout.haven);
  try {
    if (statSync(layout.prds).isDirectory()) return;
  } catch {
    // Said below.
  }
  throw noHaven(layout.haven);
}

/** The run file of a task; throws where it cannot be read. */
export function readRun({ layout, read }: FileReading, taskId: string): Run | undefined {
  const path = layout.run(taskId);
  const text = read(path)?.toString("utf8");
  return text === undefined ? undefined : parseRunFile(text, { taskId, path });
}

/** A run as a lease of this moment. */
export function leaseOf(reading: FileReading, run: Run): Lease {
  const lease = toLease(run, reading.now());
  const isLeft = run.holder.kind === "connection" && reading.left.has(run.holder.name);
  return isLeft ? { ...lease, isHolderGone: true } : lease;
}

/** Reads every run file; what cannot be read is named and left. */
function readRuns(reading: FileReading): ReadonlyMap<string, Run | "broken"> {
  const runs = new Map<string, Run | "broken">();
  for (const name of namesIn(reading.layout.runs)) {
    if (!isRunName(name)) continue;
    const run = readRunFile(join(reading.layout.runs, name), reading.read);
    if (run !== undefined) runs.set(name, run);
  }
  return runs;
}

/** `T042.run` */
export function isRunName(name: string): boolean {
  return /^T\d+\.run$/.test(name);
}

/** What one run file holds; undefined where it is gone. */
export function readRunFile(path: string, read: (path: string) => Buffer | undefined): Run | "broken" | undefined {
  try {
    const text = read(path)?.toString("utf8");
    const taskId = basename(path, ".run");
    return text === undefined ? undefined : parseRunFile(text, { taskId, path });
  } catch (error) {
    if (!(error instanceof RudderError)) throw error;
    return "broken";
  }
}

/** Asks once for each process whether it lives: thousands of leases may belong to one. */
function leaseReader(reading: FileReading): (run: Run) => Lease {
  const now = reading.now();
  const alive = new Map<string, boolean>();
  return (run) => {
    const key = run.process === undefined ? "" : `${run.process.pid} ${run.process.startTicks} ${run.process.bootId}`;
    const isGone = alive.get(key);
    const lease = isGone === undefined ? leaseOf({ ...reading, now: () => now }, run) : toLease(run, now, isGone);
    if (run.holder.kind === "connection" && !run.isLeft && !reading.left.has(run.holder.name)) {
      alive.set(key, lease.isHolderGone);
    }
    return reading.left.has(run.holder.name) ? { ...lease, isHolderGone: true } : lease;
  };
}

/** One file is read: the one where the id was found last, or the one that a search finds. */
function readStored(reading: FileReading, id: string): ReadArtefact {
  const { layout, index } = reading;
  if (reading.made === undefined) requireHaven(layout); // a transaction has looked when it began
  const kind = kindOf(id);
  if (kind === undefined) throw new RudderError("invalid_argument", `${id} is no id`, { hint: "like T042 or E001" });
  const known = reading.made?.get(id) ?? index.knownPath(id);
  const stored = known === undefined ? undefined : readAt(reading, { id, kind, path: known });
  if (stored !== undefined) return stored;
  const [path, ...others] = index.searchPaths(id, kind);
  if (path !== undefined && others.length > 0) {
    const paths = [path, ...others];
    throw new RudderError("duplicate_id", `${id} is the id of ${paths.length} files: ${paths.join(", ")}`, {
      hint: "give one of them another id (its file name and its id field)",
      details: { paths },
    });
  }
  const found = path === undefined ? undefined : readAt(reading, { id, kind, path });
  if (found !== undefined) return found;
  requireHaven(layout);
  const isArchived = archivedPlaces(layout, { digits: reading.digits, kind }).some((one) => one.id === id);
  throw isArchived ? inArchive(id) : notFound(id, kind);
}

function readAt(
  { layout, read, readArtefact, digits }: FileReading,
  at: { readonly id: string; readonly kind: Kind; readonly path: string },
): ReadArtefact | undefined {
  const path = join(layout.haven, at.path);
  const seen = lstatSync(path, { throwIfNoEntry: false });
  const bytes = read(path);
  if (bytes === undefined) return undefined;
  const text = bytes.toString("utf8");
  const prd = normaliseId(/^artefacts\/prds\/(PRD-?\d+)/i.exec(toLivePath(at.path))?.[1] ?? "", digits);
  const place = { kind: at.kind, id: at.id, path: at.path, ...(prd === undefined ? {} : { prd }) };
  return { id: at.id, kind: at.kind, path: at.path, text, bytes, artefact: readArtefact(text, place), seen };
}

/** The refusal of an id that no artefact has. */
export function notFound(id: string, kind: Kind): RudderError {
  const list = kind === "story" ? "rudder status" : `rudder ${kind} list`;
  return new RudderError("not_found", `there is no ${id}`, { hint: `${list} shows what there is`, details: { id } });
}

/** The refusal of a change of archived work. */
export function inArchive(id: string): RudderError {
  return new RudderError("archived", `${id} is archived`, {
    hint: `bring it back first: rudder archive --restore ${id} (show and search find it where it is)`,
    details: { id },
  });
}
