import { splitLines } from "@jeeves/prune";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultOfRanges, readLines } from "../src/line-ranges.ts";

const table = splitLines("one\ntwo\r\nthree\n\nfive");
const range = (startLine: number, endLine: number) => ({ startLine, endLine });

function textOf(ranges: readonly ReturnType<typeof range>[] | undefined, lineNumbers = false): string {
  const page = readLines(table, { ranges, lineNumbers });
  if ("fault" in page) throw new Error(page.fault.kind);
  return page.text;
}

describe("lines of a text (X-48)", () => {
  it("are joined by a line end, with nothing after the last one", () => {
    expect(textOf([range(1, 2)])).toBe("one\ntwo\r");
    expect(textOf([range(4, 5), range(1, 1)])).toBe("\nfive\none");
    expect(textOf(undefined)).toBe("one\ntwo\r\nthree\n\nfive");
    expect(textOf(undefined, true)).toBe("1│ one\n2│ two\r\n3│ three\n4│ \n5│ five");
  });

  it("X-41 end where the text does; a start beyond it is a fault", () => {
    expect(readLines(table, { ranges: [range(4, 99)] })).toEqual({ text: "\nfive", ranges: [range(4, 5)] });
    expect(readLines(table, { ranges: [range(6, 9)] })).toEqual({ fault: { kind: "past_end", range: range(6, 9) } });
  });

  it.each([
    [[], { kind: "empty" }],
    [[range(1, 1), range(0, 2)], { kind: "below_one", range: range(0, 2) }],
    [[range(3, 2)], { kind: "reversed", range: range(3, 2) }],
  ])("K-38 X-02 %j is refused before any text is read", (ranges, fault) => {
    expect(faultOfRanges(ranges)).toEqual(fault);
    expect(readLines(table, { ranges })).toEqual({ fault });
  });

  it("the same lines over and over are refused before they fill the memory", () => {
    const many = Array.from({ length: 50 }, () => range(1, 5));
    expect(readLines(table, { ranges: many, maxRepeatedChars: 100 })).toMatchObject({ fault: { kind: "too_much" } });
    expect(readLines(table, { ranges: [range(1, 5)], maxRepeatedChars: 1 })).toHaveProperty("text");
  });

  it("X-51 pages put together are the text, whatever the room", () => {
    const line = fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replaceAll("\n", " "));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 31, max: 90 }),
        (lines, maxChars) => {
          const whole = splitLines(lines.join("\n"));
          if (whole.count === 0) return;
          const read: string[] = [];
          let next: string | undefined = `1-${whole.count}`;
          while (next !== undefined) {
            const [from = 1, to = 1] = next.split("-").map(Number);
            const page = readLines(whole, { ranges: [range(from, to)], maxChars });
            if ("fault" in page) throw new Error(page.fault.kind);
            expect(page.cutLine).toBeUndefined();
            read.push(page.text);
            next = page.next;
          }
          expect(read.join("\n")).toBe(lines.join("\n").replace(/\n$/, ""));
        },
      ),
    );
  });

  it("X-51 of a line that is longer than the room its beginning is shown, without half a character", () => {
    const long = splitLines(`${"😀".repeat(50)}\nlast`);
    expect(readLines(long, { maxChars: 21 })).toEqual({
      text: "😀".repeat(10),
      ranges: [range(1, 1)],
      cutLine: { number: 1, text: "😀".repeat(50), shownChars: 20, rest: { startChar: 21, endChar: 100 } },
      next: "2-2",
    });
  });
});
