// Lines out of a child's output as they come, without ever joining more than one line.

import { StringDecoder } from "node:string_decoder";

export interface LineStream {
  /** False: the reader wants no more. */
  write(chunk: Buffer): boolean;
  /** The last line, when it had no end. */
  end(): void;
}

export interface LineStreamOptions {
  /** latin1 keeps every byte, as one character each. */
  readonly encoding: "utf8" | "latin1";
  readonly maxLineChars: number;
  onLine(line: string): boolean;
  /** One line alone is longer than anyone can want; it is left out, and the next one is whole again. */
  onTooLong(): void;
}

export function createLineStream(options: LineStreamOptions): LineStream {
  const decoder = new StringDecoder(options.encoding);
  let parts: string[] = [];
  let pendingChars = 0;
  let skipping = false;
  let open = true;

  function hold(part: string): void {
    if (skipping || part === "") return;
    parts.push(part);
    pendingChars += part.length;
    if (pendingChars <= options.maxLineChars) return;
    parts = [];
    pendingChars = 0;
    skipping = true;
    options.onTooLong();
  }

  /** The line that is complete with `last`, unless it was too long. */
  function take(last: string): string | undefined {
    if (parts.length === 0 && !skipping && last.length <= options.maxLineChars) return last; // nearly every line
    hold(last);
    const line = skipping ? undefined : parts.join("");
    parts = [];
    pendingChars = 0;
    skipping = false;
    return line;
  }

  return {
    write(chunk) {
      if (!open) return false;
      const text = decoder.write(chunk);
      let start = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
        const line = take(text.slice(start, end));
        start = end + 1;
        if (line === undefined) continue;
        open = options.onLine(line);
        if (!open) return false;
      }
      hold(text.slice(start));
      return true;
    },
    end() {
      const rest = take(decoder.end()) ?? "";
      if (open && rest !== "") options.onLine(rest);
    },
  };
}
