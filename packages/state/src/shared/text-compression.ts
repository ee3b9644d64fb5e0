// Texts on their way to the database and back: compressed where that saves something. Fast rather than small: an answer
// waits for it.
import { promisify } from "node:util";
import { constants, deflateRaw, inflateRaw } from "node:zlib";
import { sha256Of } from "../store/store-entry.ts";
import { decodeText, type EncodedText } from "../store/text-codec.ts";

const LEVEL = constants.Z_BEST_SPEED;
const SMALL_BYTES = 256;

/** A text as it is kept. */
export interface PackedText {
  readonly sha256: Buffer;
  readonly encoding: EncodedText["encoding"];
  readonly compression: "none" | "deflate";
  /** Of the text before it was compressed: what the limit of the store counts. */
  readonly bytes: number;
  readonly data: Buffer;
}

/** The SHA-256 that identifies a text's content; the same bytes in another encoding are another text. */
export function digestOf({ bytes, encoding }: EncodedText): Buffer {
  const digest = sha256Of(bytes);
  return Buffer.from(encoding === "utf-8" ? digest : sha256Of(`${encoding} ${digest}`), "hex");
}

/** An encoded text as the database keeps it: compressed where that makes it smaller. */
export async function packText(encoded: EncodedText): Promise<PackedText> {
  const raw = Buffer.from(encoded.bytes.buffer, encoded.bytes.byteOffset, encoded.bytes.byteLength);
  const packed = raw.length < SMALL_BYTES ? raw : await promisify(deflateRaw)(raw, { level: LEVEL });
  const isSmaller = packed.length < raw.length;
  return {
    sha256: digestOf(encoded),
    encoding: encoded.encoding,
    compression: isSmaller ? "deflate" : "none",
    bytes: raw.length,
    data: isSmaller ? packed : raw,
  };
}

/** The text; undefined unless every byte is the one that was put. */
export async function unpackText(packed: PackedText): Promise<string | undefined> {
  try {
    const bytes =
      packed.compression === "none"
        ? packed.data
        : await promisify(inflateRaw)(packed.data, { maxOutputLength: Math.max(1, packed.bytes) });
    const encoded: EncodedText = { bytes, encoding: packed.encoding };
    if (bytes.length !== packed.bytes || !digestOf(encoded).equals(packed.sha256)) return undefined;
    return decodeText(bytes, packed.encoding);
  } catch {
    return undefined; // damaged
  }
}
