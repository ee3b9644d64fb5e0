import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonLine, readJsonLines } from "../../src/process/json-lines.ts";

async function read(chunks: readonly Buffer[], maxLineBytes?: number): Promise<JsonLine[]> {
  const lines: JsonLine[] = [];
  const options = maxLineBytes === undefined ? {} : { maxLineBytes };
  for await (const line of readJsonLines(Readable.from(chunks), options)) lines.push(line);
  return lines;
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
}

describe("JSON lines", () => {
  it("J-92 come out whole, wherever the pipe cut them, in the middle of a character too", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        async (values, places) => {
          const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
          const lines = await read(cut(bytes, places));
          expect(lines).toEqual(values.map((value) => ({ kind: "value", value: JSON.parse(JSON.stringify(value)) })));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("J-92 garbage is told apart and the next line is read as if nothing had been", async () => {
    const lines = await read([Buffer.from('{"a":1}\nnonsense\n\n  \n{"b":\n{"c":3}')]);
    expect(lines).toEqual([
      { kind: "value", value: { a: 1 } },
      { kind: "garbage", head: "nonsense" },
      { kind: "garbage", head: '{"b":' },
      { kind: "value", value: { c: 3 } },
    ]);
  });

  it("J-92 a line beyond the limit is counted and dropped, not held", async () => {
    const lines = await read([Buffer.from(`${"x".repeat(600)}`), Buffer.from(`${"y".repeat(500)}\n{"a":1}\n`)], 1_000);
    expect(lines).toEqual([
      { kind: "too_large", bytes: 1_100, head: "x".repeat(200) },
      { kind: "value", value: { a: 1 } },
    ]);
  });
});
