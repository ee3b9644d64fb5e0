// Lines out of a child's output as they come, without ever joining more than one line.

import { StringDecoder } from "node:string_decoder";

export interface LineStream {
  /** False: the reader wants no more. */
  write(chunk: Buffer): boolean;
  /** The last line, when it had no end. */
  end(): void;
}

export interface LineStreamOptions {
  readonly maxLineChars: number;
  onLine(line: string): boolean;
  /** One line alone is longer than anyone can want. */
  onTooLong(): void;
}

export function createLineStream(options: LineStreamOptions): LineStream {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  let pendingChars = 0;
  let open = true;

  function take(last: string): string {
    if (parts.length === 0) return last;
    parts.push(last);
    const line = parts.join("");
    parts = [];
    pendingChars = 0;
    return line;
  }

  return {
    write(chunk) {
      if (!open) return false;
      const text = decoder.write(chunk);
      let start = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
        open = options.onLine(take(text.slice(start, end)));
        if (!open) return false;
        start = end + 1;
      }
      if (start < text.length) {
        parts.push(text.slice(start));
        pendingChars += text.length - start;
      }
      if (pendingChars > options.maxLineChars) {
        open = false;
        options.onTooLong();
      }
      return open;
    },
    end() {
      const rest = take(decoder.end());
      if (open && rest !== "") options.onLine(rest);
    },
  };
}
