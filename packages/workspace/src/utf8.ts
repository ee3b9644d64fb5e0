// Bytes to text and text cut to bytes, never through the middle of a code point.

import { isUtf8 } from "node:buffer";

interface Decoded {
  readonly text: string;
  readonly validUtf8: boolean;
}

/** `cut`: the bytes end where reading stopped, so an incomplete code point at the end is dropped and not invalid. */
export function decodeUtf8(bytes: Uint8Array, options: { readonly cut: boolean }): Decoded {
  const whole = options.cut ? bytes.subarray(0, endOfLastCodePoint(bytes)) : bytes;
  const text = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).toString("utf8");
  return { text, validUtf8: isUtf8(whole) };
}

/** The longest beginning of `text` that needs at most `maxBytes` in UTF-8. */
export function cutToUtf8Bytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text; // no UTF-16 unit needs more than three bytes
  const bytes = Buffer.from(text.slice(0, maxBytes + 1), "utf8"); // each unit needs at least one
  if (bytes.length <= maxBytes) return text;
  return bytes.toString("utf8", 0, startOfCodePoint(bytes, maxBytes));
}

/** Where the code point that holds `bytes[at]` begins: a cut there splits nothing. */
function startOfCodePoint(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && at - start < 3 && isContinuation(bytes[start])) start--;
  return isContinuation(bytes[start]) ? at : start;
}

function endOfLastCodePoint(bytes: Uint8Array): number {
  const end = bytes.length;
  for (let start = end - 1; start >= 0 && end - start <= 4; start--) {
    const byte = bytes[start];
    if (byte === undefined || isContinuation(byte)) continue;
    const needed = byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return byte < 0xf5 && end - start < needed ? start : end;
  }
  return end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
