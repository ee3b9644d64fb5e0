// `runs/.journal`: what a change is about to do, in one write with a checksum. A text that was cut off by a kill does
// not have its checksum, and means that nothing was begun. It is written over and never cut off: some file systems
// write a file to the disk at once when it is cut to nothing, and every change would wait for that.
import { createHash } from "node:crypto";
import { closeSync, constants, openSync, statSync, writeSync } from "node:fs";
import { isRecord } from "@jeeves/base";
import { readBytesIfThere } from "./read-if-there.ts";

/** Steps in the order in which they are done; paths are relative to the haven. */
export interface JournalEntry {
  readonly appends: readonly { readonly path: string; readonly text: string; readonly from: number }[];
  readonly puts: readonly { readonly temporary: string; readonly path: string }[];
  readonly removes: readonly string[];
}

/** In the place of a checksum where nothing is under way. */
const IDLE = "-".repeat(32);

/** Writes the entry; throws where it could not be written, and then nothing is under way. */
export function writeJournal(path: string, entry: JournalEntry): void {
  const body = Buffer.from(JSON.stringify(entry));
  const head = Buffer.from(`${checksumOf(body)} ${body.length}\n`);
  writeAt(path, Buffer.concat([head, body]));
}

/** What the journal holds; "torn" where its writer was killed while it wrote. */
export function readJournal(path: string): JournalEntry | "none" | "torn" {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return "none";
  const bytes = readBytesIfThere(path) ?? Buffer.alloc(0);
  const at = bytes.indexOf(0x0a);
  const [checksum = "", length = ""] = bytes.toString("utf8", 0, Math.max(0, at)).split(" ");
  if (checksum === IDLE) return "none";
  const body = bytes.subarray(at + 1, at + 1 + Number(length));
  if (at < 0 || checksum !== checksumOf(body)) return "torn";
  const value: unknown = JSON.parse(body.toString("utf8"));
  return isEntry(value) ? value : "torn";
}

/** Nothing is under way any more. */
export function clearJournal(path: string): void {
  writeAt(path, Buffer.from(`${IDLE} 0\n`));
}

function writeAt(path: string, bytes: Buffer): void {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, done);
  } finally {
    closeSync(descriptor);
  }
}

function isEntry(value: unknown): value is JournalEntry {
  return isRecord(value) && Array.isArray(value.appends) && Array.isArray(value.puts) && Array.isArray(value.removes);
}

function checksumOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 32);
}
