import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLines, indentOf, lineAt, linesOf, splitLines } from "../../src/text/lines.ts";

describe("lines", () => {
  it("X-48 a final newline opens no further line, and the empty text has none", () => {
    expect(["", "a", "a\n", "a\nb", "a\nb\n", "\n", "\n\n"].map(countLines)).toEqual([0, 1, 1, 2, 2, 1, 2]);
    expect(["", "a\nb\n"].map((t) => splitLines(t).count)).toEqual([0, 2]);
  });

  it("X-48 only \\n ends a line: \\r, U+2028, form feed and NUL are content", () => {
    const table = splitLines("a\r\nb\rc\u2028d\f\0e");
    expect(table.count).toBe(2);
    expect(lineAt(table, 0)).toBe("a\r");
    expect(lineAt(table, 1)).toBe("b\rc\u2028d\f\0e");
  });

  it("X-48 a range is the lines joined by \\n, nothing after the last, clamped at the end", () => {
    expect(linesOf("a\nb\nc\n", 2, 3)).toBe("b\nc");
    expect(linesOf("a\nb\nc\n", 2, 99)).toBe("b\nc");
    expect(linesOf("a\nb", 3, 4)).toBe("");
  });

  it("X-48 lines joined again are the text, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const table = splitLines(text);
        const joined = Array.from({ length: table.count }, (_, i) => lineAt(table, i)).join("\n");
        expect(joined + (text.endsWith("\n") ? "\n" : "")).toBe(text);
        expect(countLines(text)).toBe(table.count);
      }),
    );
  });

  it("measures indentation, with -1 for a blank line of either line end", () => {
    const table = splitLines("a\n  b\n\tc\n   \n\r\n");
    expect([0, 1, 2, 3, 4].map((i) => indentOf(table, i))).toEqual([0, 2, 4, -1, -1]);
  });
});
