// What is kept of the files of one root between questions: each file's scan, and which files have a token. Two stores
// do it: one in SQLite, and one in memory for where SQLite is not installed; one contract suite holds for both.
import type { ScannedFile } from "./scanned-file.ts";

/** The metadata by which a file is known: while all of it is the same, so are the bytes. */
export interface FileIdentity {
  readonly size: number;
  readonly mtimeMs: number;
  /** The time of the last change of anything, which no program can set. */
  readonly ctimeMs: number;
  readonly ino: number;
}

/** `large` is a text beyond the size limit, `other` no text. */
type FileKind = "text" | "large" | "other";

/** A file that is known, whatever its kind. */
export interface StoredFile extends FileIdentity {
  readonly id: number;
  readonly path: string;
  readonly kind: FileKind;
  /** Terms of the file, and its scopes. */
  readonly length: number;
  readonly scopes: number;
}

/** A file as it was scanned; a text has a hash, a scan and tokens. */
export interface NewFile extends Omit<StoredFile, "id"> {
  readonly hash: string;
  /** undefined unless it is a text. */
  readonly scanned: ScannedFile | undefined;
  readonly tokens: readonly string[];
}

/** A token to look for, and what a file that has it is worth. */
export interface WeightedToken {
  readonly token: string;
  /** A whole number: sums of them do not depend on their order. */
  readonly worth: number;
}

/** Another process kept the index locked for too long. */
export class StoreBusy extends Error {}

/** The files of one root. Changes are made between `begin` and `commit` or `rollback`. */
export interface CorpusStore {
  /** By path, as of now: what other processes wrote is in it. */
  files(): ReadonlyMap<string, StoredFile>;
  /** Another number after every change, by this process or another. */
  version(): number;
  hashOf(id: number): string | undefined;
  /** Becomes the only writer; rejects with StoreBusy where another process stays it until `until` (performance.now()). */
  begin(until: number, signal: AbortSignal): Promise<void>;
  put(file: NewFile): void;
  touch(id: number, identity: FileIdentity): void;
  remove(id: number): void;
  commit(): void;
  rollback(): void;
  scanned(id: number): ScannedFile | undefined;
  filesWith(token: string): readonly number[];
  countOf(token: string): number;
  /** The files whose tokens are worth most together, best first; equal ones by path. */
  best(tokens: readonly WeightedToken[], limit: number): readonly number[];
  /** What `read` asks of the store is one state of it, whatever other processes write meanwhile. */
  snapshot<T>(read: () => T): T;
  close(): void;
}

/** The kinds of tokens, each with its letter. A term's number follows. */
export const token = {
  /** A term in the text. */
  text: (id: number) => `t${id.toString(36)}`,
  /** A term that the text repeats. */
  often: (id: number) => `o${id.toString(36)}`,
  /** A term in the path. */
  path: (id: number) => `p${id.toString(36)}`,
  /** A term in the name of a scope. */
  scope: (id: number) => `s${id.toString(36)}`,
  /** A name that is defined here. */
  defines: (id: number) => `d${id.toString(36)}`,
  /** The last word of an import. */
  imports: (id: number) => `i${id.toString(36)}`,
  /** The name by which it is imported. */
  module: (id: number) => `m${id.toString(36)}`,
} as const;
