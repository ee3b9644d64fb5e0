// Everything of a haven as a value, between files and a database: what `haven move` carries, and what `export --files`
// writes. Times are milliseconds of the clock that the reader of it tells beside it.
import type { Kind } from "../../ids.ts";
import type { Fence } from "../files/fence-file.ts";
import type { Run } from "../files/run-file.ts";
import type { Assignment, StoredAgent } from "../store.ts";

/** One artefact as its bytes. */
interface DumpedArtefact {
  readonly key: string;
  /** Relative to the haven; in the archive below `archive/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** One line of a log. */
export interface DumpedLine {
  readonly task: string | null;
  /** Null: not synced yet. */
  readonly epic: string | null;
  readonly line: string;
}

/** What a task has beside its text. */
export interface DumpedTask {
  readonly key: string;
  readonly fence: Fence;
  readonly run?: Run | undefined;
  readonly assignment?: Assignment | undefined;
}

/** One line of the feed. */
export interface DumpedChange {
  readonly seq: number;
  readonly at: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The outcome of one operation. */
export interface DumpedOperation {
  readonly id: string;
  readonly call: string;
  readonly atMs: number;
  readonly value: unknown;
}

/** A whole haven. */
export interface HavenDump {
  readonly artefacts: readonly DumpedArtefact[];
  readonly tasks: readonly DumpedTask[];
  /** By their keys: `project`, `roadmap`, `postit`, and the ids that have a memory page. */
  readonly pages: readonly { readonly key: string; readonly bytes: Uint8Array }[];
  readonly lines: readonly DumpedLine[];
  readonly counters: Readonly<Record<Kind, number>>;
  readonly changes: readonly DumpedChange[];
  readonly operations: readonly DumpedOperation[];
  /** In files the records of this machine have no host. */
  readonly agents: readonly StoredAgent[];
}
