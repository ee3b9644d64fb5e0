// What holds for every text of every shape, whole, cut off or broken: what is shown and what its markers name are the text.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Amount, prune, splitLines } from "../../src/index.ts";
import { backTogether } from "./back-together.ts";

const word = fc.oneof(
  fc.constantFrom("name", "status", "version", "error", "failed", "id", "a b c", "ünïcode", "😀😀", "\\n", "it's", ""),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ minLength: 300, maxLength: 900 }),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    word,
    fc.double(),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 12 }),
    fc.dictionary(word, tie("value"), { maxKeys: 8 }),
    fc.array(fc.record({ id: fc.nat(), name: word, status: fc.constantFrom("passed", "failed") }), { maxLength: 30 }),
  ),
})).value;
const jsonText = fc
  .tuple(json, fc.constantFrom(0, 0, 2, "\t"), fc.constantFrom("", "\n", "\r\n"))
  .map(([value, space, end]) => `${JSON.stringify(value, null, space) ?? "null"}${end}`);
const tag = fc.constantFrom(
  ..."<div> </div> <p> </p> <nav> </nav> <script> </script> <h1>Title</h1> <h2> </h2> <table> <tr> <th>a</th> <td>1</td> </tr> </table> <br/> <!-- --> <!-- <a> </a> &amp; <".split(
    " ",
  ),
);
const page = fc
  .array(fc.tuple(tag, fc.oneof(word, fc.constantFrom("\n", "\r\n", "", " "))), { maxLength: 90 })
  .map((tags) => `<html><body>${tags.flat().join("")}`);
const cell = fc.oneof(word, fc.nat().map(String), fc.constantFrom('"quoted, ""twice"""', '"two\nlines"', '"', ""));
const csv = fc
  .tuple(
    fc.array(fc.array(cell, { minLength: 1, maxLength: 60 }), { maxLength: 25 }),
    fc.constantFrom(",", ";", "\t", "|"),
  )
  .map(([rows, sign]) => rows.map((row) => row.join(sign)).join("\n"));
const packed = fc
  .array(fc.oneof(word, fc.constantFrom(";", "}", "{", ". ", ",", "\n", "\r\n", "x".repeat(2_000), "😀".repeat(600))))
  .map((parts) => parts.join(""));
const textOf = fc
  .tuple(
    fc.oneof(jsonText, page, csv, packed),
    fc.constantFrom("", "\ufeff"),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([text, bom, cut]) => bom + text.slice(0, Math.ceil(text.length * Math.min(1, cut * 1.5))));
const amountOf: fc.Arbitrary<Amount> = fc.oneof(
  fc.constant<Amount>({ mode: "auto" }),
  fc.nat({ max: 3_000 }).map((maxChars): Amount => ({ mode: "auto", maxChars })),
  fc.double({ min: 0, max: 1, noNaN: true }).map((keep): Amount => ({ mode: "share", keep })),
);
const pathOf = fc.constantFrom(undefined, undefined, "a.json", "a.html", "a.csv", "a.min.js", "a.txt");
const focusOf = fc.constantFrom("", "which status failed?", "the version of name", "id 7", "Title");

describe("every shape", () => {
  it("X-48 X-20 what is shown and what its markers name are the text, and no mark is half a character or a line end", async () => {
    await fc.assert(
      fc.asyncProperty(textOf, amountOf, pathOf, focusOf, async (text, amount, path, focus) => {
        const options = { focus, amount, insideLines: true, ...(path === undefined ? {} : { path }) };
        const pruned = await prune(text, options);
        expect(pruned.note).not.toBe("engine_error");
        expect(backTogether(text, pruned)).toBe(text);
        expect(await prune(text, options)).toEqual(pruned);
        const table = splitLines(text);
        expect(pruned.lineCount).toBe(table.count);
        let next = 0;
        for (const { chars, startLine, endLine, lineCount } of pruned.blocks) {
          const from = chars === undefined ? (table.starts[startLine - 1] ?? 0) : chars.startChar - 1;
          const end = chars === undefined ? (table.starts[endLine] ?? 0) : chars.endChar;
          expect(from).toBeGreaterThanOrEqual(next);
          expect(end).toBeGreaterThan(from);
          next = end;
          const lines = pruned.kept.subarray(startLine - 1, endLine);
          expect(lines.every((why) => (chars === undefined ? why === 0 : why !== 0))).toBe(true);
          if (chars === undefined) continue;
          const gone = text.slice(from, end);
          expect({ startLine, endLine, lineCount }).toEqual({ startLine, endLine: startLine, lineCount: 0 });
          expect(gone).not.toContain("\n");
          expect(isPairSplit(text, from) || isPairSplit(text, end)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("K-01 unless cuts inside of lines are asked for, lines are kept or dropped whole", async () => {
    await fc.assert(
      fc.asyncProperty(textOf, amountOf, focusOf, async (text, amount, focus) => {
        const pruned = await prune(text, { focus, amount });
        expect(pruned.blocks.every(({ chars }) => chars === undefined)).toBe(true);
        expect(backTogether(text, pruned)).toBe(text);
      }),
      { numRuns: 150 },
    );
  });
});

function isPairSplit(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}
