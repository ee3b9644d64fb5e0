// Several files changed as one: all of it or nothing, also where the process is killed in between. New texts are staged
// beside their files first, so that a full disk is noticed while nothing has changed; then the journal notes what is to
// be done; then it is done. The next one to hold the haven's lock finishes what a killed process had begun.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { makeDirs } from "../make-haven.ts";
import { appendText } from "./append-line.ts";
import { clearJournal, type JournalEntry, readJournal, writeJournal } from "./journal.ts";
import { inTheWay, readBytesIfThere } from "./read-if-there.ts";

/** Where in a change a test lets the process die. */
export type CrashPoint = "staged" | "journaled" | "half" | "applied";

/** A change that is being collected; it sees what it has written itself. */
export interface Transaction {
  read(path: string): Buffer | undefined;
  /** `seen`: the file as the change has read it; another one by now refuses the commit with `StaleRead`. */
  put(path: string, data: string | Uint8Array, options?: { readonly mode?: number; readonly seen?: Stats }): void;
  remove(path: string, options?: { readonly seen?: Stats | undefined }): void;
  append(path: string, line: string): void;
  /** The paths that were put or removed. */
  changed(): readonly string[];
  isEmpty(): boolean;
  /** Throws `StaleRead` where a file is another one than the change has seen; nothing is changed then. */
  commit(options?: CommitOptions): void;
}

/** How a change is committed. */
interface CommitOptions {
  readonly crash?: ((at: CrashPoint) => void) | undefined;
  /** Its outcome must be known after a crash: also a change that only appends is journaled. */
  readonly isRecorded?: boolean | undefined;
}

/** A person edited a file between our reading it and our writing it. */
export class StaleRead extends Error {}

interface Put {
  readonly data: Buffer;
  readonly mode: number;
  readonly seen: Stats | undefined;
}

/** A new, empty change of files below `haven`. */
export function createTransaction(haven: string, journal: string): Transaction {
  const puts = new Map<string, Put | undefined>();
  const lines = new Map<string, string>();
  const seenBefore = new Map<string, Stats>();
  return {
    read(path) {
      if (puts.has(path)) return puts.get(path)?.data;
      const there = readBytesIfThere(path);
      const added = lines.get(path);
      return added === undefined ? there : withLines(there ?? Buffer.alloc(0), added);
    },
    put(path, data, options = {}) {
      const seen = options.seen ?? puts.get(path)?.seen;
      puts.set(path, { data: Buffer.from(data), mode: options.mode ?? 0o600, seen });
      lines.delete(path); // the new text was made from them
    },
    remove(path, { seen } = {}) {
      puts.set(path, undefined);
      lines.delete(path);
      if (seen !== undefined) seenBefore.set(path, seen);
    },
    append(path, line) {
      const put = puts.get(path);
      if (put === undefined) lines.set(path, `${lines.get(path) ?? ""}${line}\n`);
      else puts.set(path, { ...put, data: withLines(put.data, `${line}\n`) });
    },
    changed: () => [...puts.keys()],
    isEmpty: () => puts.size + lines.size === 0,
    commit({ crash = () => {}, isRecorded = false } = {}) {
      const staged: { temporary: string; path: string }[] = [];
      const removed: string[] = [];
      let isJournaled = false;
      let isUnderWay = false;
      try {
        for (const [path, put] of puts) {
          if (put === undefined) removed.push(path);
          else staged.push({ temporary: stage(path, haven, put), path });
        }
        crash("staged");
        for (const [path, put] of puts) {
          const seen = put === undefined ? seenBefore.get(path) : put.seen;
          if (put !== undefined || seen !== undefined) requireReplaceable(path, { seen });
        }
        // Lines alone need no journal: a kill between two of them leaves the first, and nothing was acknowledged.
        const isLinesOnly = staged.length + removed.length === 0 && !isRecorded;
        isJournaled = !isLinesOnly && staged.length + removed.length + lines.size > 1;
        const entry = toEntry(haven, { staged, removed, lines }, isJournaled ? sizeOf : () => 0);
        if (isJournaled) writeJournal(journal, entry);
        crash("journaled");
        appendAll(haven, entry);
        isUnderWay = true;
        crash("half");
        moveAll(haven, entry);
        crash("applied");
        if (isJournaled) clearJournal(journal);
      } catch (error) {
        // From here on it can only be finished: by the next one that holds the lock.
        if (isUnderWay && isJournaled) throw error;
        for (const { temporary } of staged) rmSync(temporary, { force: true });
        if (isJournaled) clearJournal(journal);
        throw error;
      }
    },
  };
}

/** As they would be appended to a file. */
function withLines(before: Buffer, lines: string): Buffer {
  const gap = before.length === 0 || before.at(-1) === 0x0a ? "" : "\n";
  return Buffer.concat([before, Buffer.from(`${gap}${lines}`)]);
}

/** Finishes what a killed process had written down and not done. Only under the haven's lock. */
export function recover(haven: string, journal: string): void {
  const entry = readJournal(journal);
  if (entry === "none") return;
  if (entry !== "torn") {
    for (const { path, from } of entry.appends) truncateTo(join(haven, path), from);
    appendAll(haven, entry);
    moveAll(haven, { ...entry, puts: entry.puts.filter(({ temporary }) => isThere(join(haven, temporary))) });
  }
  clearJournal(journal);
}

function toEntry(
  haven: string,
  change: {
    readonly staged: readonly { readonly temporary: string; readonly path: string }[];
    readonly removed: readonly string[];
    readonly lines: ReadonlyMap<string, string>;
  },
  /** Only a journal tells how long files were; what is appended at once finds out by itself. */
  lengthOf: (path: string) => number,
): JournalEntry {
  const inside = (path: string): string => relative(haven, path);
  return {
    puts: change.staged.map(({ temporary, path }) => ({ temporary: inside(temporary), path: inside(path) })),
    removes: change.removed.map(inside),
    appends: [...change.lines].map(([path, text]) => ({ path: inside(path), text, from: lengthOf(path) })),
  };
}

/** Lines come first: of all steps only they can find the disk full, and they can be taken back. */
function appendAll(haven: string, entry: JournalEntry): void {
  const done: { path: string; from: number }[] = [];
  try {
    for (const { path, text } of entry.appends) {
      const full = join(haven, path);
      done.push({ path: full, from: withDir(full, haven, () => appendText(full, text)).from });
    }
  } catch (error) {
    for (const { path, from } of done) truncateTo(path, from);
    throw error;
  }
}

function moveAll(haven: string, entry: JournalEntry): void {
  for (const { temporary, path } of entry.puts) renameSync(join(haven, temporary), join(haven, path));
  for (const path of entry.removes) rmSync(join(haven, path), { force: true });
}

function stage(path: string, haven: string, put: Put): string {
  const temporary = join(dirname(path), `.tmp-${process.pid}-${randomBytes(6).toString("hex")}`);
  const descriptor = withDir(path, haven, () => openSync(temporary, "wx", put.mode));
  try {
    for (let done = 0; done < put.data.length; ) done += writeSync(descriptor, put.data, done);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return temporary;
}

function requireReplaceable(path: string, { seen }: Pick<Put, "seen">): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) throw inTheWay(path);
  if (seen === undefined) return;
  const isSame =
    stats !== undefined && stats.ino === seen.ino && stats.size === seen.size && stats.mtimeMs === seen.mtimeMs;
  if (!isSame) throw new StaleRead(path);
}

function withDir<T>(path: string, haven: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error;
    makeDirs(dirname(path), haven);
    return act();
  }
}

function truncateTo(path: string, size: number): void {
  const found = sizeOf(path);
  if (found > size) truncateSync(path, size);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
