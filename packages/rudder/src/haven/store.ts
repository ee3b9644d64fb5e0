// The seam between the rules and where a haven's data live. Readers never block and never see half a change; every
// change is one step that nothing else runs beside. The default is files (file-store.ts).
import type { Artefact, Problem } from "../artefact/artefact.ts";
import type { Digits, Kind } from "../ids.ts";
import type { Lease } from "../lease/lease.ts";
import type { LogLine } from "../memory/log-line.ts";

/** Every artefact of the haven at about one moment, in the order of their ids. */
export interface Snapshot {
  readonly artefacts: readonly Artefact[];
  readonly problems: readonly Problem[];
}

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

export interface HavenReader {
  readonly digits: Digits;
  snapshot(): Promise<Snapshot>;
  /** Refuses an id that nobody has, and one that two have. */
  artefact(id: string): Promise<StoredArtefact>;
  lease(taskId: string): Promise<Lease | undefined>;
  /** Leases, and run files that are none. */
  leases(): Promise<{ readonly leases: readonly Lease[]; readonly broken: readonly string[] }>;
  assignment(taskId: string): Promise<Assignment | undefined>;
  /** Of a task: its lines, synced or not. Of an epic: those of all its tasks that were synced. */
  log(id: string): Promise<readonly LogLine[]>;
  /** Lines of these tasks that no sync has moved yet. */
  unsyncedLog(taskIds: readonly string[]): Promise<readonly LogLine[]>;
  /** Of an epic, a PRD, or `project`. */
  memory(id: string): Promise<string | undefined>;
}

export interface AuditEntry {
  readonly event: string;
  readonly taskId: string;
  readonly from?: Lease;
  readonly to?: Lease;
}

/** Only inside one step. What was written before a step failed stays written: callers order their writes for that. */
export interface HavenStep extends HavenReader {
  nextId(kind: Kind): Promise<string>;
  createArtefact(made: { readonly id: string; readonly path: string; readonly text: string }): Promise<void>;
  writeArtefact(stored: StoredArtefact, text: string): Promise<void>;
  putLease(lease: Lease): Promise<void>;
  removeLease(taskId: string): Promise<void>;
  putAssignment(assignment: Assignment): Promise<void>;
  appendLog(taskId: string, line: LogLine): Promise<void>;
  /** Moves a task's lines into its epic's log, exactly once, whatever dies in between; how many there were. */
  syncLog(taskId: string, epicId: string): Promise<number>;
  /** Tasks that have lines to sync. */
  pendingLogs(): Promise<readonly string[]>;
  writeMemory(id: string, text: string): Promise<void>;
  audit(entry: AuditEntry): Promise<void>;
  /** Clears away what killed processes left half written; how many there were. */
  sweep(): Promise<number>;
}

export interface HavenStore extends HavenReader {
  readonly haven: string;
  change<T>(run: (step: HavenStep) => Promise<T>, options?: { readonly signal?: AbortSignal | undefined }): Promise<T>;
}
