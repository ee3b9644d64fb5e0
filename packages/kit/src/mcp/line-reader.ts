// Bytes in, lines out, within a bound: a line that grows past it is reported once and skipped to its end, and the next
// line is whole again. It does not decode, and it knows nothing of JSON.

export type Line = { readonly kind: "line"; readonly bytes: Uint8Array } | { readonly kind: "oversized" };

export interface LineReader {
  push(chunk: Uint8Array): readonly Line[];
  /** The rest, when a stream ended without a newline. */
  end(): readonly Line[];
}

const NEWLINE = 0x0a;

export function createLineReader(options: { readonly maxBytes: number }): LineReader {
  let parts: Uint8Array[] = [];
  let size = 0;
  let skipping = false;

  const take = (): Line[] => {
    const bytes = Buffer.concat(parts, size);
    parts = [];
    size = 0;
    return [{ kind: "line", bytes }];
  };
  const add = (part: Uint8Array): Line[] => {
    if (skipping) return [];
    if (size + part.length > options.maxBytes) {
      parts = [];
      size = 0;
      skipping = true;
      return [{ kind: "oversized" }];
    }
    parts.push(part);
    size += part.length;
    return [];
  };

  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        lines.push(...add(chunk.subarray(from, at)));
        if (!skipping) lines.push(...take());
        skipping = false;
        from = at + 1;
      }
      if (from < chunk.length) lines.push(...add(chunk.subarray(from)));
      return lines;
    },
    end() {
      return size > 0 ? take() : [];
    },
  };
}
