import { splitLines } from "@jeeves/cut";
import { expect, it } from "vitest";
import { createSeenLines } from "../src/hook/seen-lines.ts";

const lines = (from: number, to: number) => {
  return splitLines(Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join(""));
};
const seenIn = (seen: Uint8Array | undefined) => seen && [...seen].join("");

it("X-56 lines are seen in runs of four in the same words, wherever they stand now", () => {
  const memory = createSeenLines();
  expect(memory.seenOf("a", lines(1, 10))).toBeUndefined();
  memory.remember("a", lines(3, 8));
  expect(seenIn(memory.seenOf("a", lines(1, 10)))).toBe("0011111100");
  expect(seenIn(memory.seenOf("a", splitLines("new\nline 3\nline 4\nline 5\nline 6\nother\nline 7\nline 8\n")))).toBe(
    "01111000",
  );
  expect(memory.seenOf("b", lines(1, 10))).toBeUndefined();
});

it("X-56 of a cut only the lines that were shown are seen", () => {
  const memory = createSeenLines();
  memory.remember("a", lines(1, 12), (line) => line < 5 || line > 6);
  expect(seenIn(memory.seenOf("a", lines(1, 12)))).toBe("111110011111");
});

it("X-56 a context that shrank was compacted: nothing counts as seen", () => {
  const memory = createSeenLines();
  memory.noteContext(100_000);
  memory.remember("a", lines(1, 8));
  memory.noteContext(90_000);
  memory.noteContext(undefined);
  expect(memory.shareOf("a", lines(1, 8))).toBe(1);
  memory.noteContext(30_000);
  expect(memory.shareOf("a", lines(1, 8))).toBe(0);
});

it("line ends do not matter, and short texts have no runs", () => {
  const memory = createSeenLines();
  memory.remember("a", lines(1, 8));
  memory.remember("short", lines(1, 3));
  expect(memory.shareOf("a", splitLines(lines(1, 8).text.replaceAll("\n", "\r\n")))).toBe(1);
  expect(memory.shareOf("short", lines(1, 3))).toBe(0);
  expect(memory.shareOf("a", splitLines(""))).toBe(0);
});
