// The beginning of what a command writes, up to a limit; the rest is read and dropped, so that a
// flood neither blocks the command nor fills our memory. Two streams share one limit, and each may
// have at least half of it.
import { cutToUtf8Bytes, decodeUtf8 } from "../utf8.ts";

const FIRST_BYTES = 16_384;

/** Collects chunks up to a limit in bytes, and drops the rest. */
export interface BoundedStream {
  add(chunk: Uint8Array): void;
  read(): StreamText;
}

interface StreamText {
  readonly text: string;
  readonly validUtf8: boolean;
  readonly truncated: boolean;
}

/** A buffer that grows up to `maxBytes`. A code point that the limit would split is left out. */
export function createBoundedStream(maxBytes: number): BoundedStream {
  let buffer = Buffer.alloc(0);
  let length = 0;
  let over = false;
  return {
    add(chunk) {
      const room = maxBytes - length;
      if (chunk.length > room) over = true;
      const taken = Math.min(room, chunk.length);
      if (taken === 0) return;
      if (length + taken > buffer.length) {
        // One growing buffer: a list of a million one-byte chunks would need far more memory.
        const grown = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(FIRST_BYTES, (length + taken) * 2)));
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      buffer.set(chunk.subarray(0, taken), length);
      length += taken;
    },
    read() {
      const { text, validUtf8 } = decodeUtf8(buffer.subarray(0, length), { cut: over });
      return { text, validUtf8, truncated: over };
    },
  };
}

/** Cuts two texts to `maxBytes` together: each may have half, and what the other leaves of its half. */
export function shareLimit(
  first: StreamText,
  second: StreamText,
  options: { readonly maxBytes: number },
): readonly [StreamText, StreamText] {
  const { maxBytes } = options;
  const half = Math.floor(maxBytes / 2);
  const [firstBytes, secondBytes] = [Buffer.byteLength(first.text), Buffer.byteLength(second.text)];
  // The part of its half that one does not use goes to the other.
  const firstMax = Math.max(maxBytes - half, maxBytes - secondBytes);
  const secondMax = Math.max(half, maxBytes - firstBytes);
  return [cut(first, firstMax), cut(second, secondMax)];
}

function cut(stream: StreamText, maxBytes: number): StreamText {
  const text = cutToUtf8Bytes(stream.text, maxBytes);
  return { ...stream, text, truncated: stream.truncated || text.length < stream.text.length };
}
