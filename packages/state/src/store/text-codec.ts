// Any string to bytes and back, identical. UTF-8 for text; a string with a lone surrogate has no
// UTF-8, so it is kept as UTF-16 rather than refused or repaired.

/** How a text is kept in bytes. */
export type TextEncoding = "utf-8" | "utf-16le";

/** A text as bytes, and how to read them. */
export interface EncodedText {
  readonly bytes: Uint8Array;
  readonly encoding: TextEncoding;
}

// What an encoder writes for half a pair of surrogates.
const REPLACEMENT = Buffer.from("\ufffd", "utf8");

/** A text as bytes: UTF-8, or UTF-16 where it has a lone surrogate. */
export function encodeText(text: string): EncodedText {
  const bytes = Buffer.from(text, "utf8");
  // Bytes are searched at a tenth of the price of a look at every character.
  const isExact = !bytes.includes(REPLACEMENT) || text.isWellFormed();
  return isExact ? { bytes, encoding: "utf-8" } : { bytes: Buffer.from(text, "utf16le"), encoding: "utf-16le" };
}

/** The text of encoded bytes. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(encoding === "utf-8" ? "utf8" : "utf16le");
}
