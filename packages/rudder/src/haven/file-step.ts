// One transaction of the file store: it collects what is to be written, and its own queries see that.

import { join, relative } from "node:path";
import { currentProcess } from "@jeeves/state";
import { requireUtf8 } from "../artefact/require-utf8.ts";
import { type Kind, kindOf, normaliseId, readId } from "../ids.ts";
import { toIso } from "../iso-time.ts";
import { isSameCaller } from "../lease/lease.ts";
import { formatLogLine } from "../memory/log-line.ts";
import { TASK_STATUSES } from "../statuses.ts";
import { isArchivePath, toArchivePath, toLivePath } from "./archive.ts";
import { highestNumber, putCounter, takeId } from "./counters.ts";
import { createFileReader, type FileReading, leaseOf, type ReadArtefact, readRun } from "./file-reader.ts";
import { agentFile, byTaskAndHost, toAgentFile } from "./files/agent-file.ts";
import { toAssignmentFile } from "./files/assignment-file.ts";
import type { Feed } from "./files/feed.ts";
import { parseFenceFile, toFenceFile } from "./files/fence-file.ts";
import { toRun, toRunFile } from "./files/run-file.ts";
import { sweepTemporaries } from "./files/sweep.ts";
import type { Transaction } from "./files/transaction.ts";
import { pendingTasks, syncTaskLog } from "./logs.ts";
import type { AuditEntry, HavenReader, HavenStep, StoredAgent, StoredArtefact } from "./store.ts";

/** What a step writes to. */
interface StepParts {
  readonly reading: FileReading;
  readonly transaction: Transaction;
  readonly feed: Feed;
  readonly made: Map<string, string>;
}

/** The step, and how its line of the feed gets into its transaction. */
export function createFileStep({ reading, transaction, feed, made }: StepParts): {
  readonly step: HavenStep;
  /** Adds the line of the feed; returns its number. */
  finish(): number;
} {
  const { layout, digits } = reading;
  const now = reading.now();
  const reader = createFileReader({ ...reading, now: () => now });
  const readAgents = reader.agents;
  const readFence = (taskId: string, runToken: number) =>
    parseFenceFile(transaction.read(layout.fence(taskId))?.toString("utf8"), runToken);
  let audit: AuditEntry = { event: "changed", taskId: "" };
  /** Counters that this transaction has written: no file has a higher number. */
  const given = new Map<Kind, number>();
  /** By their paths: no list of files has them yet. */
  const agentsPut = new Map<string, StoredAgent>();
  const keepId = async (id: string): Promise<void> => {
    const read = readId(id);
    if (read !== undefined) await step.raiseCounter(read.kind, read.number);
  };
  const endRun = (id: string): void => {
    if (kindOf(id) === "task" && transaction.read(layout.run(id)) !== undefined) transaction.remove(layout.run(id));
  };

  const writes: Omit<HavenStep, keyof HavenReader> = {
    nowMs: now.wallMs,
    async task(taskId) {
      const stored = await step.artefact(taskId);
      const run = readRun(reading, taskId);
      const fence = readFence(taskId, run?.token ?? 0);
      const status = TASK_STATUSES.find((one) => one === stored.artefact.status) ?? "Not Started";
      const lease = run === undefined ? undefined : leaseOf({ ...reading, now: () => now }, run);
      return {
        stored,
        nowMs: now.wallMs,
        state: { taskId, status, ...fence, ...(lease === undefined ? {} : { lease }) },
      };
    },
    async putTask(next) {
      const { taskId, lease } = next;
      const before = readRun(reading, taskId);
      const old = readFence(taskId, before?.token ?? 0);
      if (lease === undefined) {
        if (before !== undefined) transaction.remove(layout.run(taskId));
      } else {
        // A renewal of what a bare connection holds may come from another process: the holder's stays noted.
        const isSame =
          before !== undefined && isSameCaller(before.holder, lease.holder) && before.token === lease.token;
        const process = isSame ? before.process : currentProcess();
        transaction.put(layout.run(taskId), toRunFile(toRun(lease, now, process)));
      }
      const fence = { lastToken: next.lastToken, lost: next.lost };
      if (toFenceFile(fence) !== toFenceFile(old) || (before === undefined && lease !== undefined)) {
        transaction.put(layout.fence(taskId), toFenceFile(fence));
      }
    },
    async nextId(kind) {
      const id = takeId(layout, kind, { digits, transaction, counted: given.get(kind) });
      given.set(kind, readId(id)?.number ?? 0);
      return id;
    },
    async createArtefact({ id, path, text }) {
      // No count of files sees the archive.
      if (isArchivePath(path)) await keepId(id);
      else made.set(id, path);
      transaction.put(join(layout.haven, path), text);
    },
    async writeArtefact(stored: StoredArtefact & Pick<ReadArtefact, "seen">, text) {
      requireUtf8(stored.bytes, stored.path);
      const { seen } = stored;
      const mode = seen === undefined ? 0o600 : seen.mode & 0o777;
      transaction.put(join(layout.haven, stored.path), text, { mode, ...(seen === undefined ? {} : { seen }) });
    },
    async removeArtefact(stored: StoredArtefact & Pick<ReadArtefact, "seen">) {
      await keepId(stored.id);
      endRun(stored.id);
      made.delete(stored.id);
      transaction.remove(join(layout.haven, stored.path), { seen: stored.seen });
    },
    async moveArtefact(stored: StoredArtefact & Pick<ReadArtefact, "seen">, to) {
      const path = to === "archive" ? toArchivePath(stored.path) : toLivePath(stored.path);
      if (path === stored.path) return;
      endRun(stored.id);
      if (to === "live") made.set(stored.id, path);
      else await keepId(stored.id);
      const mode = stored.seen === undefined ? 0o600 : stored.seen.mode & 0o777;
      // Its bytes: a file of another encoding moves as it is.
      transaction.put(join(layout.haven, path), stored.bytes, { mode });
      transaction.remove(join(layout.haven, stored.path), { seen: stored.seen });
    },
    async raiseCounter(kind, number) {
      const counted = given.get(kind);
      if (counted !== undefined && counted >= number) return;
      // Written also where a file has that number: the file may go.
      const highest = Math.max(number, counted ?? highestNumber(layout, kind, { digits, transaction }));
      putCounter(layout, { kind, number: highest }, { digits, transaction });
      given.set(kind, highest);
    },
    async putAssignment(assignment) {
      transaction.put(layout.assignment(assignment.taskId), toAssignmentFile(assignment));
    },
    async putAgent(agent) {
      const path = agentFile(layout, agent);
      agentsPut.set(path, agent);
      transaction.put(path, toAgentFile(agent));
    },
    async appendLog(taskId, line) {
      transaction.append(layout.log(taskId), formatLogLine(line));
    },
    syncLog: async (taskId, epicId) => syncTaskLog(layout, { taskId, epicId }, transaction),
    async pendingLogs() {
      return pendingTasks(layout).map((fileId) => normaliseId(fileId, digits) ?? fileId);
    },
    async writeMemory(id, text) {
      const path = id === "project" ? layout.projectMemory : layout.memoryOf(id);
      requireUtf8(transaction.read(path) ?? Buffer.alloc(0), relative(layout.haven, path));
      transaction.put(path, text);
    },
    audit(entry) {
      audit = entry;
    },
    async sweep() {
      return sweepTemporaries(layout);
    },
  };
  const agents: HavenReader["agents"] = async (taskId) => {
    const { agents: there, broken } = await readAgents(taskId);
    const put = [...agentsPut.values()].filter((one) => taskId === undefined || one.taskId === taskId);
    const others = there.filter((one) => !agentsPut.has(agentFile(layout, one)));
    return { agents: [...others, ...put].sort(byTaskAndHost), broken };
  };
  // Not by spreading: V8 takes 30 µs to add so many fields to a copy, a tenth of a logged line.
  const step: HavenStep = Object.assign(reader, writes, { agents });
  return {
    step,
    finish() {
      const seq = feed.last() + 1;
      feed.rotate();
      const line = { seq, at: toIso(now.wallMs), monotonic_ms: now.monotonicMs, ...audit };
      transaction.append(layout.audit, JSON.stringify(line));
      return seq;
    },
  };
}
