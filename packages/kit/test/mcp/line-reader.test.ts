// Lines out of chunks: however the bytes are cut, the lines are the same.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader, type Line } from "../../src/mcp/line-reader.ts";

const read = (chunks: readonly Uint8Array[], maxBytes: number) => {
  const reader = createLineReader({ maxBytes });
  const lines: Line[] = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
  return lines.map((line) => (line.kind === "line" ? Buffer.from(line.bytes).toString("latin1") : "OVERSIZED"));
};

describe("the line reader", () => {
  it("gives the same lines however the bytes are cut into chunks", () => {
    const byte = fc.constantFrom(0x0a, 0x0d, 0x61, 0xc3, 0xbc);
    fc.assert(
      fc.property(fc.array(fc.array(byte, { maxLength: 12 })), (chunks) => {
        const bytes = chunks.map((chunk) => Uint8Array.from(chunk));
        const whole = Buffer.concat(bytes).toString("latin1");
        const lines = whole.split("\n");
        if (lines.at(-1) === "") lines.pop();
        expect(read(bytes, 1_000)).toEqual(lines);
      }),
    );
  });

  it("reports a line past the bound once, wherever the chunks end, and reads the next one whole", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (size) => {
        const bytes = Buffer.from("12345\n123456\nok\n1234567");
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
          bytes.subarray(n * size, (n + 1) * size),
        );
        expect(read(chunks, 5)).toEqual(["12345", "OVERSIZED", "ok", "OVERSIZED"]);
      }),
    );
  });
});
