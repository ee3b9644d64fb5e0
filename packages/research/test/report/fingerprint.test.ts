// what becomes of a place when its file is edited. The truth of each mutation is known from how it was made.
import { describe, expect, it } from "vitest";
import { comparePlace, fingerprintOf } from "../../src/report/fingerprint.ts";

const SOURCE = [
  "import json",
  "",
  "class Book:",
  "    def open(self, owner):",
  "        if owner is None:",
  "            return None",
  "        record = load(owner)",
  "        return record",
  "",
  "    def close(self, owner):",
  "        if owner is None:",
  "            return None",
  "        raise Closed(owner)",
  "",
  "class Shelf:",
  "    def open(self, owner):",
  "        if owner is None:",
  "            return None",
  "        return Book()",
];

const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

function after(line: number, lines: readonly string[]) {
  const was = fingerprintOf(text(SOURCE), line);
  if (was === undefined) throw new Error(`no line ${line}`);
  return comparePlace(text(lines), line, was);
}

const without = (line: number): string[] => SOURCE.filter((_, i) => i !== line - 1);
const withLine = (line: number, more: string): string[] => [
  ...SOURCE.slice(0, line - 1),
  more,
  ...SOURCE.slice(line - 1),
];
const edited = (line: number, now: string): string[] => SOURCE.map((each, i) => (i === line - 1 ? now : each));
const texts = SOURCE.flatMap((line, i) => (line.trim() === "" ? [] : [i + 1]));

describe("X-70 fingerprints", () => {
  it.each(texts)("line %i is ok in the same text, with other line ends and blank lines after it", (line) => {
    expect(after(line, SOURCE)).toEqual({ status: "ok" });
    expect(
      after(
        line,
        SOURCE.map((each) => `${each}\r`),
      ),
    ).toEqual({ status: "ok" });
  });

  it.each(texts)("an edited line %i has changed", (line) => {
    expect(after(line, edited(line, `${SOURCE[line - 1]}  # edited`)).status).toBe("changed");
  });

  it.each(texts)("a deleted line %i is never ok", (line) => {
    expect(["gone", "changed"]).toContain(after(line, without(line)).status);
  });

  it.each(texts)("line %i under two new lines has moved by two", (line) => {
    expect(after(line, ["# new", "# newer", ...SOURCE])).toMatchObject(
      // What the file begins with has another neighbour now, and is still found by the one below it.
      { status: "moved", line: line + 2 },
    );
  });

  it.each(texts)("what stands at line %i in a file of something else is gone", (line) => {
    expect(
      after(
        line,
        Array.from({ length: 30 }, (_, i) => `other ${i}`),
      ),
    ).toEqual({ status: "gone" });
  });

  it("of lines that look the same, the one that took its place is not it", () => {
    // Line 6 (return None in Book.open) goes with its if; the one of close comes up, but not to where it was.
    const cut = [...SOURCE.slice(0, 3), ...SOURCE.slice(9)];
    expect(after(6, cut).status).not.toBe("ok");
    // The method above is deleted: close() stands where open() stood, with the same two lines.
    expect(after(5, [...SOURCE.slice(0, 3), ...SOURCE.slice(9, 13)]).status).not.toBe("ok");
    expect(after(18, [...SOURCE.slice(0, 14), ...SOURCE.slice(2, 8)]).status).not.toBe("ok");
  });

  it("no mutation of any two lines is called ok unless the place is as it was", () => {
    for (const line of texts) {
      for (const other of texts) {
        for (const lines of [
          without(other),
          withLine(other, SOURCE[line - 1] ?? ""),
          withLine(other, SOURCE[other - 1] ?? ""),
          edited(other, "        pass"),
        ]) {
          const { status } = after(line, lines);
          if (status !== "ok") continue;
          // The line and its whole surroundings are the same, character by character.
          expect(lines[line - 1]).toBe(SOURCE[line - 1]);
          expect(fingerprintOf(text(lines), line)).toEqual(fingerprintOf(text(SOURCE), line));
        }
      }
    }
  });

  it("a file named without a line is ok only as a whole", () => {
    const was = fingerprintOf(text(SOURCE), undefined);
    expect(was === undefined ? undefined : comparePlace(text(SOURCE), undefined, was)).toEqual({ status: "ok" });
    expect(was === undefined ? undefined : comparePlace(text(without(1)), undefined, was)).toEqual({
      status: "changed",
    });
  });

  it("there is no fingerprint of a line that is not there", () => {
    expect(fingerprintOf("a\n", 9)).toBeUndefined();
    expect(fingerprintOf("a\n", 0)).toBeUndefined();
  });
});
