import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutOffBy } from "../../../src/rank/learned/how-much.ts";

const quantise = (values: readonly number[]): Float64Array =>
  Float64Array.from(values, (value) => Math.round(value * 1024) / 1024);
/** The share of the characters that is evidence. */
function shareOf(chances: readonly number[], chars: readonly number[]): number {
  const most = Math.max(...chances);
  const scores = quantise(chances.map((chance) => chance / most));
  const charsAt = (i: number): number => chars[i] ?? 0;
  const cutOff = cutOffBy({ scores, chances: Float64Array.from(chances), charsAt });
  let kept = 0;
  for (let i = 0; i < scores.length; i++) if ((scores[i] ?? 0) >= cutOff) kept += charsAt(i);
  return kept / chars.reduce((a, b) => a + b, 0);
}
const even = Array.from({ length: 1000 }, () => 40);

describe("how much", () => {
  it("a few per cent where the chances pile up, more the flatter they lie, never all", () => {
    const shares = [0.9, 0.97, 0.99, 0.995, 0.998].map((fall) =>
      shareOf(
        even.map((_, i) => 0.9 * fall ** i),
        even,
      ),
    );
    expect(shares[0]).toBeLessThan(0.04);
    for (let k = 1; k < shares.length; k++) expect(shares[k]).toBeGreaterThan(shares[k - 1] ?? 1);
    expect(shares.at(-1)).toBeGreaterThan(0.3);
    expect(shares.at(-1)).toBeLessThan(1);
  });

  it("counts characters, not lines: the same chances in longer lines are as much evidence", () => {
    const chances = even.map((_, i) => 0.9 * 0.98 ** i);
    const twice = even.map((chars) => chars * 2);
    expect(shareOf(chances, twice)).toBe(shareOf(chances, even));
  });

  it("what matches is not joined by all the rest, which has one score", () => {
    const chances = even.map((_, i) => (i % 10 === 0 ? 0.5 : 0.01));
    expect(shareOf(chances, even)).toBe(0.1);
  });

  it("gives a quantised score of 0..1, whatever the chances", () => {
    const line = fc.record({
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      chance: fc.constantFrom(0, 0.01, 0.5),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 50 }), (lines) => {
        const cutOff = cutOffBy({
          scores: quantise(lines.map(({ score }) => score)),
          chances: Float64Array.from(lines, ({ chance }) => chance),
          charsAt: () => 7,
        });
        expect(cutOff).toBeGreaterThanOrEqual(0);
        expect(cutOff).toBeLessThanOrEqual(1);
        expect(Number.isInteger(cutOff * 1024)).toBe(true);
      }),
    );
  });
});
