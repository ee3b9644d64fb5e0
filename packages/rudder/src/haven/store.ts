// The seam between the rules and where a haven's data live. Shaped for a database as well as for files: the store tells
// the time, a change is one transaction, a change of one task is decided by a rule inside that transaction, reads are
// queries with one consistent view or a feed, and whatever two machines must agree on (leases and their tokens, which
// connections live, outcomes by operation id) is inside. The default is files (file-store.ts).
import type { Artefact, Problem } from "../artefact/artefact.ts";
import type { Digits, Kind } from "../ids.ts";
import type { Refusal, TaskState } from "../lease/decide.ts";
import type { Caller, Lease } from "../lease/lease.ts";
import type { LogLine } from "../memory/log-line.ts";

/** Every artefact of the haven at about one moment, in the order of their ids. */
export interface Snapshot {
  readonly artefacts: readonly Artefact[];
  readonly problems: readonly Problem[];
}

/** One artefact with its text. */
export interface StoredArtefact {
  readonly id: string;
  readonly kind: Kind;
  /** Relative to the haven. */
  readonly path: string;
  readonly text: string;
  /** What the text was read from. */
  readonly bytes: Uint8Array;
  readonly artefact: Artefact;
}

/** RU-11: what became of a claim; written beside the lease, decides nothing. */
export interface Assignment {
  readonly taskId: string;
  readonly epicId: string;
  readonly operation: string;
  readonly status: "pending" | "claimed" | "complete";
  readonly createdAtMs: number;
  readonly claimedAtMs?: number;
  readonly completedAtMs?: number;
  readonly projectHash: string;
  readonly success?: boolean;
}

/** Leases at one moment of the store's clock, and run files that are none. */
export interface LeaseView {
  readonly leases: readonly Lease[];
  readonly broken: readonly string[];
  readonly nowMs: number;
}

/** The record of an agent; ../agent judges its content. */
export interface StoredAgent {
  readonly taskId: string;
  /** The machine that the agent works on; empty where the haven is one machine's. */
  readonly host: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Records of agents, by task and then by machine; `broken` names those that cannot be read. */
export interface AgentView {
  readonly agents: readonly StoredAgent[];
  readonly broken: readonly string[];
}

/** Queries. Each sees one moment; none blocks, and none sees half a change. */
export interface HavenReader {
  readonly digits: Digits;
  /** The store's clock, in milliseconds: every time that a store gives or takes is counted on it. */
  now(): Promise<number>;
  snapshot(): Promise<Snapshot>;
  /** Refuses an id that no artefact has, and one that two have. */
  artefact(id: string): Promise<StoredArtefact>;
  /** The fields of those that exist. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, Artefact>>;
  /** The tasks of an epic, in the order of their ids. */
  tasksOf(epicId: string): Promise<readonly Artefact[]>;
  /** What waits directly for this id. */
  dependentsOf(id: string): Promise<readonly string[]>;
  lease(taskId: string): Promise<Lease | undefined>;
  leases(): Promise<LeaseView>;
  assignment(taskId: string): Promise<Assignment | undefined>;
  /** The latest agent of each task on each machine, or those of one task. */
  agents(taskId?: string): Promise<AgentView>;
  /** Of a task: its lines, synced or not. Of an epic: those of all its tasks that were synced. */
  log(id: string): Promise<readonly LogLine[]>;
  /** Lines of these tasks that no sync has moved yet. */
  unsyncedLog(taskIds: readonly string[]): Promise<readonly LogLine[]>;
  /** Of an epic, a PRD, or `project`. */
  memory(id: string): Promise<string | undefined>;
  /** Ids that have a memory page or log lines of their own, also those whose artefact is gone; `project` first. */
  notedIds(): Promise<readonly string[]>;
  /** What was archived, in the order of the ids. No other query of artefacts sees it. */
  archivedIds(): Promise<readonly string[]>;
  /** One archived artefact; undefined where there is none. */
  archived(id: string): Promise<StoredArtefact | undefined>;
  /** The highest number of each kind that was ever given, or that an artefact has. */
  counters(): Promise<Readonly<Record<Kind, number>>>;
}

/** What a change was, for the feed and for people who read the audit. */
export interface AuditEntry {
  readonly event: string;
  readonly taskId: string;
  readonly by?: string;
  readonly from?: Lease | undefined;
  readonly to?: Lease | undefined;
  readonly forced?: boolean;
}

/** Writes of one transaction: all of them happen, or none. It sees what it has written itself. */
export interface HavenStep extends HavenReader {
  /** The moment at which the transaction decides. */
  readonly nowMs: number;
  task(taskId: string): Promise<TaskAtHand>;
  putTask(next: TaskState): Promise<void>;
  nextId(kind: Kind): Promise<string>;
  createArtefact(made: { readonly id: string; readonly path: string; readonly text: string }): Promise<void>;
  writeArtefact(stored: StoredArtefact, text: string): Promise<void>;
  /** Deletes it, and a task's lease with it. Its id is not given again; its log and its fence stay. */
  removeArtefact(stored: StoredArtefact): Promise<void>;
  /** Takes it out of the live artefacts, or back among them; a task's lease ends. */
  moveArtefact(stored: StoredArtefact, to: "archive" | "live"): Promise<void>;
  /** Ids of this kind up to this number are not given from now on. */
  raiseCounter(kind: Kind, number: number): Promise<void>;
  putAssignment(assignment: Assignment): Promise<void>;
  /** Takes the place of the record of the same task and machine. */
  putAgent(agent: StoredAgent): Promise<void>;
  /** To the log of a task, or of an epic, where a line names its task. */
  appendLog(id: string, line: LogLine): Promise<void>;
  /** Moves a task's lines into its epic's log, exactly once; how many there were. */
  syncLog(taskId: string, epicId: string): Promise<number>;
  /** Tasks that have lines to sync. */
  pendingLogs(): Promise<readonly string[]>;
  writeMemory(id: string, text: string): Promise<void>;
  /** The line of this change in the feed; the last one counts. */
  audit(entry: AuditEntry): void;
  /** Clears away what killed processes left half written; how many there were. */
  sweep(): Promise<number>;
}

/** A task as a rule sees it. */
export interface TaskAtHand {
  readonly stored: StoredArtefact;
  readonly state: TaskState;
  readonly nowMs: number;
}

/** What a rule makes of a task: nothing, or a value with everything that is to be written for it. */
export type Ruling<T> =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "changed"; readonly value: T; readonly effects: TaskEffects };

/** Everything that one change of one task writes. */
export interface TaskEffects {
  readonly state?: TaskState;
  /** The artefact's new text. */
  readonly text?: string;
  readonly lines?: readonly LogLine[];
  readonly assignment?: Assignment;
  readonly memory?: { readonly id: string; readonly text: string };
  /** What it belongs to, with new texts; such a change takes the whole haven. */
  readonly parents?: readonly { readonly stored: StoredArtefact; readonly text: string }[];
  readonly audit: Omit<AuditEntry, "taskId">;
}

/** A change of one task that was made, or that its rule refused. */
export type Settled<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly nowMs: number };

/** A call that may be sent again: its id, and what was asked, so that an id cannot stand for two calls. */
export interface Operation {
  readonly id: string;
  readonly call: string;
}

/** How a change is made. */
export interface ChangeOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The change's value is recorded in the same transaction; a second change under the same operation is not made, and
   * gets that value. Values must survive JSON.
   */
  readonly operation?: Operation | undefined;
}

/** One line of the feed. */
export interface Change {
  readonly seq: number;
  readonly at: string;
  readonly event: string;
  /** What changed; empty where it was more than one thing. */
  readonly id: string;
  readonly by: string;
}

/** A haven: queries, transactions, and a feed. Refusals and failures are RudderErrors. */
export interface HavenStore extends HavenReader {
  /** This machine's directory of the haven. */
  readonly haven: string;
  /** One transaction on the whole haven. Where `run` throws, nothing is written. It may run more than once. */
  change<T>(run: (step: HavenStep) => Promise<T>, options?: ChangeOptions): Promise<T>;
  /** One task, one transaction, one rule. Where the rule throws, nothing is written. It may run more than once. */
  changeTask<T>(
    taskId: string,
    rule: (task: TaskAtHand, view: HavenReader) => Ruling<T> | Promise<Ruling<T>>,
    options?: ChangeOptions,
  ): Promise<Settled<T>>;
  /**
   * Changes after this number, in their order; `isComplete` is false where some are no longer kept: read everything
   * again. Edits of artefact files by hand are seen by queries, and are not in the feed.
   */
  changesSince(
    seq: number,
  ): Promise<{ readonly changes: readonly Change[]; readonly last: number; readonly isComplete: boolean }>;
  /** A bare connection has ended: what it holds is open to all. */
  leave(caller: Caller): Promise<void>;
  close(): Promise<void>;
}
