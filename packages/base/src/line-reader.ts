// Chunks of bytes in, whole lines out, within a bound on memory. The reader works on bytes and hands out blocks of whole
// lines: a newline byte never occurs inside a UTF-8 sequence, so a block can be decoded at once, which is four times faster
// than line by line. Splitting and decoding are separate functions for that reason.

/** One or more whole lines, or a line that is longer than the limit. */
export type LineBlock =
  /**
   * Each line ends with its newline; only the last line of a stream may have none. The bytes may belong to the chunk that
   * was pushed: read them before its memory is used again.
   */
  | { readonly kind: "lines"; readonly bytes: Buffer }
  /** `head` has the first `headBytes` bytes; `size` is what has been read of the line, without its newline. */
  | { readonly kind: "oversized"; readonly head: Buffer; readonly size: number };

/** Splits a stream of bytes into blocks of whole lines. */
export interface LineReader {
  /** The lines that this chunk completes, in their order. */
  push(chunk: Uint8Array): LineBlock[];
  /** The last line, where the stream ended without a newline. */
  end(): LineBlock[];
}

/** The limits of a line reader. */
export interface LineReaderOptions {
  /** The longest line, without its newline. Longer lines are skipped; the line after one is whole again. */
  readonly maxBytes: number;
  /** How much of a line that is too long is kept for its report. Default 0; at most `maxBytes`. */
  readonly headBytes?: number;
  /** Report a line that is too long as soon as it passes the limit, not at its end: it may never end. */
  readonly reportEarly?: boolean;
}

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

/** Creates a reader for one stream. */
export function createLineReader({ maxBytes, reportEarly = false, ...options }: LineReaderOptions): LineReader {
  const headBytes = Math.min(options.headBytes ?? 0, maxBytes);
  // The line that has no end yet: its bytes, copied, until it passes the limit; then only its head and its size.
  let held: Buffer = EMPTY;
  let size = 0;
  let isSkipping = false;

  function hold(part: Buffer, out: LineBlock[]): void {
    const from = size;
    size += part.length;
    if (isSkipping) return;
    const kept = size > maxBytes ? Math.max(from, Math.min(size, headBytes)) : size;
    if (kept >= held.length) held = grown(held, from, { needed: kept, most: maxBytes });
    part.copy(held, from, 0, kept - from);
    if (size <= maxBytes) return;
    isSkipping = true;
    held = Buffer.from(held.subarray(0, Math.min(kept, headBytes)));
    if (reportEarly) out.push({ kind: "oversized", head: held, size });
  }

  /** Ends the held line, at a newline or at the end of the stream. */
  function finish(hasNewline: boolean, out: LineBlock[]): void {
    if (!isSkipping) {
      if (hasNewline) held[size] = NEWLINE;
      out.push({ kind: "lines", bytes: held.subarray(0, hasNewline ? size + 1 : size) });
    } else if (!reportEarly) out.push({ kind: "oversized", head: held, size });
    held = EMPTY;
    size = 0;
    isSkipping = false;
  }

  /** `lines` holds whole lines only. Where one may be too long, they are measured one by one. */
  function add(lines: Buffer, out: LineBlock[]): void {
    if (lines.length === 0) return;
    if (lines.length - 1 <= maxBytes) {
      out.push({ kind: "lines", bytes: lines });
      return;
    }
    let from = 0;
    for (let start = 0; start < lines.length; ) {
      const end = lines.indexOf(NEWLINE, start);
      if (end - start > maxBytes) {
        if (from < start) out.push({ kind: "lines", bytes: lines.subarray(from, start) });
        out.push({
          kind: "oversized",
          head: Buffer.from(lines.subarray(start, start + headBytes)),
          size: end - start,
        });
        from = end + 1;
      }
      start = end + 1;
    }
    if (from < lines.length) out.push({ kind: "lines", bytes: lines.subarray(from) });
  }

  return {
    push(chunk) {
      const bytes = asBuffer(chunk);
      const out: LineBlock[] = [];
      const whole = bytes.lastIndexOf(NEWLINE) + 1;
      let from = 0;
      if (whole > 0 && size > 0) {
        from = bytes.indexOf(NEWLINE) + 1;
        hold(bytes.subarray(0, from - 1), out);
        finish(true, out);
      }
      add(bytes.subarray(from, whole), out);
      if (whole < bytes.length) hold(bytes.subarray(whole), out);
      return out;
    },
    end() {
      const out: LineBlock[] = [];
      if (size > 0) finish(false, out);
      return out;
    },
  };
}

/** The lines of a block as bytes, without their newlines. */
export function byteLinesOf(block: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < block.length; ) {
    const found = block.indexOf(NEWLINE, start);
    const end = found === -1 ? block.length : found;
    lines.push(block.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** The lines of a block as text, without their newlines. `latin1` keeps every byte, as one character each. */
export function textLinesOf(block: Buffer, encoding: "utf8" | "latin1" = "utf8"): string[] {
  const lines = block.toString(encoding).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** With room for a newline; twice as large where it may be, so that a line that arrives byte by byte is copied rarely. */
function grown(
  held: Buffer,
  used: number,
  { needed, most }: { readonly needed: number; readonly most: number },
): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(held.length * 2, most)) + 1);
  held.copy(larger, 0, 0, used);
  return larger;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
