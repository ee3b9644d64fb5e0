// Any string to bytes and back, identical. UTF-8 for text; a string with a lone surrogate has no
// UTF-8, so it is kept as UTF-16 rather than refused or repaired.

export type TextEncoding = "utf-8" | "utf-16le";

export interface EncodedText {
  readonly bytes: Uint8Array;
  readonly encoding: TextEncoding;
}

export function encodeText(text: string): EncodedText {
  // Most texts are plain ASCII, which is its own UTF-8 and needs no encoder.
  if (!/[\u0080-\uffff]/.test(text)) return { bytes: Buffer.from(text, "latin1"), encoding: "utf-8" };
  if (!text.isWellFormed()) return { bytes: Buffer.from(text, "utf16le"), encoding: "utf-16le" };
  return { bytes: Buffer.from(text, "utf8"), encoding: "utf-8" };
}

export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(encoding === "utf-8" ? "utf8" : "utf16le");
}
