// `runs/operations.jsonl`: the outcomes of calls that carried an operation id, each written in the same transaction as
// its change. A call that is sent again gets the outcome that is recorded here. Bounded: two files of so many records
// and bytes, and no record is older than a day for its reader.
import { closeSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { isRecord } from "@jeeves/base";
import { RudderError } from "../../rudder-error.ts";
import type { Instant } from "../instant.ts";
import type { Operation } from "../store.ts";
import { runRemainingMs } from "./run-file.ts";

const MAX_RECORDS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_AGE_MS = 24 * 3_600_000;

/** The outcomes of one haven's operations. */
export interface Operations {
  /** Only under the haven's lock. Refuses an id that another call has used. */
  find(operation: Operation, now: Instant): { readonly value: unknown } | undefined;
  /** The line to append for an outcome; `file` is where. */
  toLine(operation: Operation, value: unknown, now: Instant): { readonly file: string; readonly line: string };
}

interface Place {
  readonly from: number;
  readonly length: number;
}

interface Generation {
  readonly path: string;
  inode: number;
  size: number;
  records: number;
  places: Map<string, Place>;
}

/** Reads each record's place once; the outcomes themselves stay in the files. */
export function createOperations(path: string, old: string): Operations {
  const now: Generation = { path, inode: -1, size: 0, records: 0, places: new Map() };
  const before: Generation = { path: old, inode: -1, size: 0, records: 0, places: new Map() };

  return {
    find(operation, instant) {
      for (const generation of [now, before]) {
        refresh(generation);
        const place = generation.places.get(operation.id);
        const record = place === undefined ? undefined : readRecord(generation.path, place);
        if (record === undefined || ageMs(record, instant) > MAX_AGE_MS) continue;
        if (record.call === operation.call) return { value: record.value };
        throw new RudderError("invalid_argument", `the operation id ${operation.id} was used for another call`, {
          hint: "each call needs an id of its own; the same id is for sending the same call again",
          details: { operation: operation.id },
        });
      }
      return undefined;
    },
    toLine(operation, value, { bootId, host, monotonicMs, wallMs }) {
      refresh(now);
      if (now.records >= MAX_RECORDS || now.size >= MAX_BYTES) renameSync(path, old);
      const at = { bootId, host, monotonicMs, wallMs };
      return { file: path, line: JSON.stringify({ id: operation.id, call: operation.call, at, value: value ?? null }) };
    },
  };
}

/** As a lease of a day would be counted: a wall clock that jumps forgets nothing. */
function ageMs(record: Readonly<Record<string, unknown>>, now: Instant): number {
  const at = isRecord(record.at) ? record.at : {};
  const wallMs = Number(at.wallMs);
  const span = {
    bootId: String(at.bootId),
    host: String(at.host),
    expiresMonotonicMs: Number(at.monotonicMs) + MAX_AGE_MS,
    expiresAtMs: wallMs + MAX_AGE_MS,
    ttlMs: MAX_AGE_MS,
  };
  return MAX_AGE_MS - runRemainingMs(span, now);
}

/** Reads what was appended since. */
function refresh(generation: Generation): void {
  const stats = statSync(generation.path, { throwIfNoEntry: false });
  const inode = stats?.ino ?? -1;
  const size = stats?.size ?? 0;
  if (inode !== generation.inode || size < generation.size) {
    Object.assign(generation, { inode, size: 0, records: 0, places: new Map() });
  }
  if (size === generation.size) return;
  const bytes = readPart(generation.path, generation.size, size - generation.size);
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0) break;
    const id = /^\{"id":"([^"]{1,160})"/.exec(bytes.toString("utf8", start, Math.min(end, start + 200)))?.[1];
    if (id !== undefined) generation.places.set(id, { from: generation.size + start, length: end - start });
    generation.records += 1;
    start = end + 1;
  }
  generation.size = size;
}

function readRecord(path: string, place: Place): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readPart(path, place.from, place.length).toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // damaged by hand: as good as forgotten
  }
}

function readPart(path: string, from: number, length: number): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, from));
  } finally {
    closeSync(descriptor);
  }
}
