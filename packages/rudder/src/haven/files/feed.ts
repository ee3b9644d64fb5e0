// `runs/audit.jsonl`: one line for every change that went through a store, numbered from 1 on. It is the feed of
// `changesSince`, and what people read to learn who held what when. Past its bound it starts anew; the file before it
// is kept as `audit.1.jsonl`.
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { isRecord } from "@jeeves/base";
import type { Change } from "../store.ts";
import { inTheWay, readIfThere } from "./read-if-there.ts";

const MAX_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 64 * 1024;
/** More at once would be more than any reader wants. */
const MAX_CHANGES = 10_000;

/** The numbered changes of one haven. */
export interface Feed {
  /** The number of the latest change; 0 before the first. */
  last(): number;
  /** Only under the haven's lock: makes room for another line. */
  rotate(): void;
  /** This process has just written the line of this number. */
  written(seq: number): void;
  since(seq: number): { readonly changes: readonly Change[]; readonly last: number; readonly isComplete: boolean };
}

/** The feed in the file at `path`; `old` is where it goes when it has grown too long. */
export function createFeed(path: string, old: string): Feed {
  let known = { inode: -1, size: -1, last: 0 };

  const last = (): number => {
    const stats = statSync(path, { throwIfNoEntry: false });
    const inode = stats?.ino ?? -1;
    const size = stats?.size ?? 0;
    if (inode === known.inode && size === known.size) return known.last;
    known = { inode, size, last: lastIn(path, size) ?? lastIn(old, sizeOf(old)) ?? 0 };
    return known.last;
  };
  return {
    last,
    rotate() {
      // As it was at the last look: a line more or less does not matter here.
      if (known.size > MAX_BYTES && sizeOf(path) > MAX_BYTES) renameSync(path, old);
    },
    written(seq) {
      const stats = statSync(path, { throwIfNoEntry: false });
      known = { inode: stats?.ino ?? -1, size: stats?.size ?? 0, last: seq };
    },
    since(seq) {
      const latest = last();
      if (seq >= latest) return { changes: [], last: latest, isComplete: true };
      const all = changesIn(readTail(path));
      const isEnough = (all[0]?.seq ?? 1) <= seq + 1;
      const found = isEnough ? all : [...changesIn(readIfThere(old) ?? ""), ...changesIn(readIfThere(path) ?? "")];
      const changes = found.filter((change) => change.seq > seq);
      const isComplete = changes[0]?.seq === seq + 1 && changes.length <= MAX_CHANGES;
      return { changes: changes.slice(-MAX_CHANGES), last: latest, isComplete };
    },
  };
}

function readTail(path: string): string {
  const size = sizeOf(path);
  if (size <= TAIL_BYTES) return readIfThere(path) ?? "";
  const text = readEnd(path, size);
  return text.slice(text.indexOf("\n") + 1);
}

function readEnd(path: string, size: number): string {
  const length = Math.min(size, TAIL_BYTES);
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) throw inTheWay(path);
    const bytes = Buffer.alloc(length);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, length, size - length));
  } finally {
    closeSync(descriptor);
  }
}

/** Lines of before the feed have no number; they count as none. */
function lastIn(path: string, size: number): number | undefined {
  if (size === 0) return undefined;
  return changesIn(readEnd(path, size)).at(-1)?.seq;
}

function changesIn(text: string): Change[] {
  const changes: Change[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      const value: unknown = JSON.parse(line);
      if (!isRecord(value) || typeof value.seq !== "number") continue;
      changes.push({
        seq: value.seq,
        at: String(value.at),
        event: String(value.event),
        id: String(value.taskId ?? ""),
        by: String(value.by ?? ""),
      });
    } catch {
      // The first line of a tail, or one that was cut off by a kill.
    }
  }
  return changes;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
