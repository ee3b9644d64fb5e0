import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLinesOf, createLineReader, type LineReaderOptions, textLinesOf } from "../src/index.ts";

/** Lines as texts; one that was too long as its size and its head. */
function read(chunks: readonly (string | Uint8Array)[], options: LineReaderOptions = { maxBytes: 100 }): unknown[] {
  const reader = createLineReader(options);
  const blocks = [...chunks.flatMap((chunk) => reader.push(Buffer.from(chunk))), ...reader.end()];
  return blocks.flatMap((block): unknown[] =>
    block.kind === "lines" ? textLinesOf(block.bytes) : [{ size: block.size, head: block.head.toString() }],
  );
}

describe("createLineReader", () => {
  it("gives whole lines, whatever the chunks are", () => {
    expect(read(["one\ntw", "o\n\nth", "ree"])).toEqual(["one", "two", "", "three"]);
    expect(read(["", "one", "\n", "two", "\n"])).toEqual(["one", "two"]);
    expect(read(["one\r\n", "two\r\n"])).toEqual(["one\r", "two\r"]);
    expect(read([])).toEqual([]);
    expect(read([""])).toEqual([]);
    expect(read(["\n"])).toEqual([""]);
  });

  it("keeps UTF-8 whole where a chunk ends inside a character", () => {
    const bytes = Buffer.from("héllo 🎩 wörld\nçà\n");
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(read(single)).toEqual(["héllo 🎩 wörld", "çà"]);
  });

  it("skips a line beyond the limit, and the next one is whole again", () => {
    const limit = { maxBytes: 5, headBytes: 3 };
    expect(read(["12345\n123456\nnext\n"], limit)).toEqual(["12345", { size: 6, head: "123" }, "next"]);
    expect(read(["12", "34", "56", "7\nne", "xt\n"], limit)).toEqual([{ size: 7, head: "123" }, "next"]);
    expect(read(["a\n1", "23456", "78"], limit)).toEqual(["a", { size: 8, head: "123" }]);
    expect(read(["12345", "\n", "12345"], limit)).toEqual(["12345", "12345"]);
    expect(read(["1", "23456\nx"], { maxBytes: 5 })).toEqual([{ size: 6, head: "" }, "x"]);
  });

  it("a head may be as long as the limit: the line is cut, not lost", () => {
    expect(read(["12", "34", "56", "78\nx"], { maxBytes: 5, headBytes: 5 })).toEqual([{ size: 8, head: "12345" }, "x"]);
  });

  it("reports a line that never ends, once, if it is asked to", () => {
    const reader = createLineReader({ maxBytes: 5, headBytes: 2, reportEarly: true });
    expect(reader.push(Buffer.from("1234"))).toEqual([]);
    expect(reader.push(Buffer.from("567"))).toEqual([{ kind: "oversized", head: Buffer.from("12"), size: 7 }]);
    expect(reader.push(Buffer.from("89"))).toEqual([]);
    expect(reader.push(Buffer.from("0\nnext\n"))).toEqual([{ kind: "lines", bytes: Buffer.from("next\n") }]);
    expect(reader.end()).toEqual([]);
  });

  it("what is held does not change when the chunk's memory is used again", () => {
    const reader = createLineReader({ maxBytes: 100 });
    const chunk = Buffer.from("half");
    reader.push(chunk);
    chunk.fill("x");
    expect(reader.push(Buffer.from(" done\n"))).toEqual([{ kind: "lines", bytes: Buffer.from("half done\n") }]);
  });

  it("a line that was handed out does not change when the next one comes", () => {
    const reader = createLineReader({ maxBytes: 100 });
    reader.push(Buffer.from("fir"));
    const [first] = reader.push(Buffer.from("st\nsec"));
    reader.push(Buffer.from("ond\nthird\n"));
    expect(first).toEqual({ kind: "lines", bytes: Buffer.from("first\n") });
  });

  it("gives the same lines for every way to cut a stream into chunks", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "🎩", "\n", "\r", "0123456789"), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(20)), fc.nat(12), fc.nat(12), (stream, cuts, maxBytes, headBytes) => {
        const bytes = Buffer.from(stream);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(bytes.subarray(at));
        const expected = stream.split("\n").map((line) => {
          const own = Buffer.from(line);
          if (own.length <= maxBytes) return line;
          return { size: own.length, head: own.subarray(0, Math.min(headBytes, maxBytes)).toString() };
        });
        if (expected.at(-1) === "") expected.pop();
        expect(read(chunks, { maxBytes, headBytes })).toEqual(expected);
      }),
    );
  });
});

describe("byteLinesOf, textLinesOf", () => {
  it("split a block at its newlines, empty lines included", () => {
    const block = Buffer.from("a\n\nb\n");
    expect(byteLinesOf(block).map(String)).toEqual(["a", "", "b"]);
    expect(textLinesOf(block)).toEqual(["a", "", "b"]);
    expect(byteLinesOf(Buffer.from("a\nb")).map(String)).toEqual(["a", "b"]);
    expect(textLinesOf(Buffer.from("\n"))).toEqual([""]);
    expect(textLinesOf(Buffer.alloc(0))).toEqual([]);
  });

  it("latin1 keeps bytes that are no UTF-8", () => {
    expect(textLinesOf(Buffer.from([0xff, 0x0a]), "latin1")).toEqual(["\xff"]);
  });
});
