// A file's scan as bytes, and back: names as JSON, counts of terms as packed numbers. Damaged bytes are refused, never
// read as something else.
import type { ScannedFile, ScannedScope } from "./scanned-file.ts";

const HEAD_BYTES = 16;
const KINDS: readonly ScannedScope["kind"][] = ["file", "class", "function", "type", "section", "constant"];

type Packed = readonly [
  lineCount: number,
  scopes: readonly (readonly [number, string, number, number, number, number])[],
  constants: readonly (readonly [string, number])[],
  imports: readonly string[],
];

/** The bytes of a scan. */
export function encodeScan(scanned: ScannedFile): Uint8Array {
  const packed: Packed = [
    scanned.lineCount,
    scanned.scopes.map(({ kind, name, start, header, end, parent }) => [
      KINDS.indexOf(kind),
      name,
      start,
      header,
      end,
      parent,
    ]),
    scanned.constants.map(({ name, line }) => [name, line]),
    scanned.imports,
  ];
  const text = Buffer.from(JSON.stringify(packed));
  const rows = scanned.rowTerm.length;
  const starts = scanned.rowStart.length;
  const bytes = Buffer.alloc(HEAD_BYTES + starts * 4 + rows * 5 + text.length);
  let at = HEAD_BYTES;
  for (const start of scanned.rowStart) at = bytes.writeUInt32LE(start, at);
  for (const term of scanned.rowTerm) at = bytes.writeUInt32LE(term, at);
  for (const count of scanned.rowCount) at = bytes.writeUInt8(Math.min(count, 255), at);
  text.copy(bytes, at);
  bytes.writeUInt32LE(rows, 4);
  bytes.writeUInt32LE(starts, 8);
  bytes.writeUInt32LE(text.length, 12);
  bytes.writeUInt32LE(checksum(bytes), 0);
  return bytes;
}

/** undefined: these bytes are no scan. */
export function decodeScan(given: Uint8Array): ScannedFile | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.length < HEAD_BYTES || bytes.readUInt32LE(0) !== checksum(bytes)) return undefined;
  const [rows, starts, length] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
  if (bytes.length !== HEAD_BYTES + starts * 4 + rows * 5 + length) return undefined;
  const rowStart = new Uint32Array(starts);
  const rowTerm = new Uint32Array(rows);
  let at = HEAD_BYTES;
  for (let i = 0; i < starts; i++, at += 4) rowStart[i] = bytes.readUInt32LE(at);
  for (let i = 0; i < rows; i++, at += 4) rowTerm[i] = bytes.readUInt32LE(at);
  const rowCount = Uint8Array.from(bytes.subarray(at, at + rows));
  const [lineCount, scopes, constants, imports]: Packed = JSON.parse(bytes.toString("utf8", at + rows));
  return {
    lineCount,
    scopes: scopes.map(([kind, name, start, header, end, parent]) => ({
      kind: KINDS[kind] ?? "section",
      name,
      start,
      header,
      end,
      parent,
    })),
    rowStart,
    rowTerm,
    rowCount,
    constants: constants.map(([name, line]) => ({ name, line })),
    imports,
  };
}

/** Of everything behind itself. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 4; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return hash >>> 0;
}
