// Digests, checksums and embedded data look random, but are no secrets. They are recognized by a word before them, or by
// their length in hexadecimal digits.
import type { Range } from "./ranges.ts";

const NAMED =
  /(?:\b(?:sha(?:1|224|256|384|512)|md5|h1|blake[23]b?|crc32c?|xxh\d{0,3})[-:=_/@][ \t]{0,2}["']?|\b(?:integrity|checksums?|digest|etag|fingerprint|hash(?:es)?|sha\d{0,3}(?:sum)?|md5(?:sum)?|content[_-]?hash|resolved|commit|revision|rev|tree|blob)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:[\w-]{1,12}[-:])?(?:\d{1,2}(?:c\d)?\/)?)([A-Za-z\d+/_-]{20,512}={0,2})/dgi;
const DATA_URL =
  /\bdata:(?:image|font|audio|video|application\/(?:font|x-font|wasm|octet-stream)|text\/css)[\w/+.;=-]{0,80}base64,([A-Za-z\d+/=]{1,1000000})/dg;
const SOURCE_MAP = /"mappings"[ \t]{0,3}:[ \t]{0,3}"([A-Za-z\d+/;,]{1,1000000})"/dg;
const HEX_DIGEST = new Set([32, 40, 56, 64, 96, 128]);

/** The places of digests that are named as such. */
export function digestRanges(text: string): Range[] {
  const found: Range[] = [];
  for (const pattern of [NAMED, DATA_URL, SOURCE_MAP]) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      found.push({ start, end });
    }
  }
  return found;
}

/** Whether a text has as many hexadecimal digits as a hash function gives. */
export function isDigest(run: string): boolean {
  return HEX_DIGEST.has(run.length) && /^(?:[\da-f]+|[\dA-F]+)$/.test(run);
}
