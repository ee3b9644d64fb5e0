// The id of a cut: the same text, focus and options give the same id on every machine. Its sixty
// bits find a text but do not prove its content; the store compares checksums.
import { createHash, type Hash } from "node:crypto";
import { type EncodedText, encodeText } from "./text-codec.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"; // RFC 4648, lower case: safe where file names ignore case
const ID_LENGTH = 12;

/** The id `prn_…` of a cut. `options` are JSON, in any order of keys; an encoded text saves encoding it again. */
export function pruneIdOf(text: string | EncodedText, focus: string, options: unknown): string {
  const hash = createHash("sha256");
  addPart(hash, typeof text === "string" ? encodeText(text) : text);
  addPart(hash, encodeText(focus));
  addPart(hash, encodeText(canonicalJson(options)));
  return `prn_${toBase32(hash.digest())}`;
}

/** JSON with sorted keys; undefined and functions are left out, as JSON does. */
function canonicalJson(value: unknown): string {
  const plain: unknown = JSON.parse(JSON.stringify(value) ?? "null");
  return JSON.stringify(sortKeys(plain));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  // Entries, not assignment: a key named __proto__ must stay a key.
  const entries = Object.entries(value).map(([key, inner]) => [key, sortKeys(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function addPart(hash: Hash, { bytes, encoding }: EncodedText): void {
  hash.update(`${encoding} ${bytes.byteLength}\n`); // lengths first: no two lists of parts read the same
  hash.update(bytes);
}

function toBase32(digest: Uint8Array): string {
  let bits = 0n;
  for (const byte of digest.subarray(0, 8)) bits = (bits << 8n) | BigInt(byte);
  let out = "";
  for (let i = 0; i < ID_LENGTH; i++) out += ALPHABET[Number((bits >> BigInt(59 - 5 * i)) & 31n)];
  return out;
}
