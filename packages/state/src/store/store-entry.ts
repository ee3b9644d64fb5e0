// What the store writes beside each text. An entry that does not parse, or whose text does not match
// its checksum, counts as missing.
import { createHash } from "node:crypto";
import { isFromOpenDoor, type TextSource } from "./recovery-store.ts";
import { decodeText, type TextEncoding } from "./text-codec.ts";

/** A larger file is not an entry. The blocks of a cut are in it, and a text may have many. */
export const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
const LATEST_MTIME_S = 4_102_444_800; // 2100: beyond it some filesystems wrap around

/** What is known of a stored text, as JSON in a file. */
export interface StoreEntry {
  readonly version: 1;
  readonly pruneId: string;
  readonly storedAt: string;
  readonly expiresAt: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly encoding: TextEncoding;
  /** Not the focus itself: what someone asked is not needed to bring the text back. */
  readonly focusSha256: string;
  readonly source?: TextSource;
  readonly projects?: readonly string[];
  readonly cut?: unknown;
}

/** A SHA-256 in hexadecimal. */
export function sha256Of(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** The entry in a file; undefined where it is damaged or of another text. */
export function parseEntry(json: string, pruneId: string): StoreEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const sound =
    fields.version === 1 &&
    fields.pruneId === pruneId &&
    isTime(fields.storedAt) &&
    isTime(fields.expiresAt) &&
    Number.isSafeInteger(fields.bytes) &&
    typeof fields.sha256 === "string" &&
    typeof fields.focusSha256 === "string" &&
    (fields.encoding === "utf-8" || fields.encoding === "utf-16le") &&
    (fields.source === undefined || (typeof fields.source === "object" && fields.source !== null)) &&
    (fields.projects === undefined ||
      (Array.isArray(fields.projects) && fields.projects.every((each) => typeof each === "string")));
  return sound ? (value as StoreEntry) : undefined;
}

/** Whether an entry's lifetime is over. */
export function isExpired(entry: StoreEntry, nowMs: number): boolean {
  return Date.parse(entry.expiresAt) <= nowMs;
}

/** The mtime of the entry's file, in seconds: its expiry, capped to what all file systems can keep. */
export function expiryTimeS(entry: StoreEntry): number {
  return Math.min(LATEST_MTIME_S, Date.parse(entry.expiresAt) / 1000);
}

/** The mode of the entry's file. Read-only marks a text of an open door, so that a sweep need not open every entry. */
export function modeOf(entry: StoreEntry): number {
  return isFromOpenDoor(entry) ? 0o400 : 0o600;
}

/** Whether a file's mode marks a text of an open door, see modeOf. */
export function isMarkedOpen(mode: number): boolean {
  return (mode & 0o200) === 0;
}

/** The text; undefined unless every byte is the one that was stored. */
export function verifiedText(entry: StoreEntry, data: Uint8Array): string | undefined {
  if (data.byteLength !== entry.bytes || sha256Of(data) !== entry.sha256) return undefined;
  return decodeText(data, entry.encoding);
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && Number.isFinite(Date.parse(value));
}
