// A stream of JSON lines from a program that we did not write: each line parsed, or reported as garbage or as too long to
// hold. Memory stays bounded, whatever comes.
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createLineReader, type LineBlock, textLinesOf } from "@jeeves/base";

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const HEAD_CHARS = 200;

/** One line: its value, or the beginning of what could not be read. */
export type JsonLine =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "garbage"; readonly head: string }
  | { readonly kind: "too_large"; readonly bytes: number; readonly head: string };

/** Reads a stream to its end. Blank lines are left out. */
export async function* readJsonLines(
  input: Readable,
  options: { readonly maxLineBytes?: number } = {},
): AsyncGenerator<JsonLine> {
  const { maxLineBytes = MAX_LINE_BYTES } = options;
  const reader = createLineReader({ maxBytes: maxLineBytes, headBytes: HEAD_CHARS });
  for await (const chunk of input) {
    for (const block of reader.push(Buffer.from(chunk))) yield* toJsonLines(block);
  }
  for (const block of reader.end()) yield* toJsonLines(block);
}

function* toJsonLines(block: LineBlock): Generator<JsonLine> {
  if (block.kind === "oversized") {
    // The decoder leaves out a character that the head cuts in two.
    yield { kind: "too_large", bytes: block.size, head: new StringDecoder("utf8").write(block.head) };
    return;
  }
  for (const text of textLinesOf(block.bytes)) {
    if (text.trim() !== "") yield toJsonLine(text);
  }
}

function toJsonLine(text: string): JsonLine {
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return { kind: "garbage", head: text.slice(0, HEAD_CHARS) };
  }
}
