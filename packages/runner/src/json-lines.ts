// A stream of JSON lines from a program that we did not write: each line parsed, or told apart as garbage or as too
// long to hold. Memory stays bounded, whatever comes.
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

export const MAX_LINE_CHARS = 8 * 1024 * 1024;

export type JsonLine =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "garbage"; readonly head: string }
  | { readonly kind: "too_large"; readonly chars: number; readonly head: string };

const HEAD_CHARS = 200;

export async function* readJsonLines(
  input: Readable,
  options: { readonly maxLineChars?: number } = {},
): AsyncGenerator<JsonLine> {
  const { maxLineChars = MAX_LINE_CHARS } = options;
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  let chars = 0;
  let head = "";

  const add = (text: string) => {
    chars += text.length;
    if (head.length < HEAD_CHARS) head += text.slice(0, HEAD_CHARS - head.length);
    if (chars <= maxLineChars) parts.push(text);
    else parts = [];
  };
  const take = (): JsonLine | undefined => {
    const line = { text: parts.join(""), chars, head };
    parts = [];
    chars = 0;
    head = "";
    return line.chars > maxLineChars
      ? { kind: "too_large", chars: line.chars, head: line.head }
      : toJsonLine(line.text);
  };

  for await (const chunk of input) {
    const pieces = decoder.write(Buffer.from(chunk)).split("\n");
    for (const [index, piece] of pieces.entries()) {
      add(piece);
      if (index === pieces.length - 1) break; // no line end yet
      const line = take();
      if (line !== undefined) yield line;
    }
  }
  const rest = take();
  if (rest !== undefined) yield rest;
}

function toJsonLine(text: string): JsonLine | undefined {
  if (text.trim() === "") return undefined;
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return { kind: "garbage", head: text.slice(0, HEAD_CHARS) };
  }
}
