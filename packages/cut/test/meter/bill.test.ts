// The bill of a context: parts that add up, prices that are those of the usage, and what a token was worth.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContextCall, prefixWorth, priceCalls, ratesOf, totalOf, worthAfter } from "../../src/index.ts";

const CLAUDE = "claude-sonnet-4-5";
const call = (more: Partial<ContextCall>): ContextCall => ({
  model: CLAUDE,
  cached: 0,
  written: 0,
  writtenForHour: 0,
  plain: 0,
  output: 0,
  isFirst: false,
  results: {},
  promptTokens: 0,
  ...more,
});
/** What the usage says, whatever the parts are. */
function billed({ model, cached, written, writtenForHour, plain, output }: ContextCall): number {
  const rates = ratesOf(model);
  const forHour = Math.min(written, writtenForHour);
  return cached * rates.read + (written - forHour) * rates.write + forHour * rates.hour + plain + output * rates.output;
}
const tokens = fc.integer({ min: 0, max: 200_000 });
const anyCall = fc.record({
  model: fc.constantFrom(CLAUDE, "gpt-5.5", "gpt-5-codex", ""),
  cached: tokens,
  written: tokens,
  writtenForHour: tokens,
  plain: tokens,
  output: tokens,
  isFirst: fc.boolean(),
  results: fc.dictionary(fc.constantFrom("Read", "Bash", "__proto__", "mcp__x__y"), tokens),
  promptTokens: tokens,
});

describe("the bill of a context", () => {
  it("X-57 its parts add up to what the usage says, whatever the calls are, and none is negative", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 30 }), (calls) => {
        priceCalls(calls).forEach(({ parts }, index) => {
          const expected = billed(calls[index] ?? call({}));
          expect(Math.abs(totalOf(parts) - expected)).toBeLessThan(1e-6 * (1 + expected));
          for (const cost of [parts.starting, parts.misses, parts.output, parts.rest, ...Object.values(parts.results)])
            expect(cost).toBeGreaterThanOrEqual(-1e-6 * (1 + expected));
        });
      }),
    );
  });

  it("X-57 divides a session into starting prompt, results by tool, misses, output and the rest", () => {
    const [first, second, missed] = priceCalls([
      call({ isFirst: true, written: 20_000, promptTokens: 1_000, output: 100 }),
      call({ cached: 20_000, written: 5_000, results: { Read: 4_000 }, output: 200 }),
      call({ written: 25_000, output: 10 }),
    ]).map(({ parts }) => parts);
    expect(first).toMatchObject({ starting: 19_000 * 1.25, misses: 0, output: 500, rest: 1_000 * 1.25 });
    // 5,000 new tokens for 4,000 + 100 that are known: all of them are explained.
    expect(second?.results.Read).toBeCloseTo(((5_000 * 4_000) / 4_100) * 1.25);
    expect(second?.starting).toBeCloseTo(1_900);
    expect(second?.misses).toBe(0);
    expect(missed).toMatchObject({ misses: 25_000 * 1.25, starting: 0, output: 50 });
  });

  it("X-57 a compaction starts a new context, with the same starting prompt before the summary", () => {
    const [, after] = priceCalls([
      call({ isFirst: true, written: 10_000 }),
      call({ isFirst: true, cached: 10_000, written: 3_000 }),
    ]).map(({ parts }) => parts);
    expect(after).toMatchObject({ starting: 1_000, misses: 0, rest: 3_000 * 1.25 });
  });
});

describe("what a token is worth", () => {
  it("X-57 is the difference between the bill with a cut and the bill of the same session without it", () => {
    const turn = fc.record({
      added: fc.integer({ min: 1, max: 20_000 }),
      isMiss: fc.boolean(),
      isHour: fc.boolean(),
      isCompacted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      output: fc.integer({ min: 0, max: 2_000 }),
    });
    /** The session in which the result of call `at` has so many tokens more than it has in `turns`. */
    const sessionOf = (
      turns: readonly (typeof turn extends fc.Arbitrary<infer T> ? T : never)[],
      at: number,
      more: number,
    ) => {
      let prompt = 10_000;
      return turns.map(({ added, isMiss, isHour, isCompacted, output }, i) => {
        const isFirst = i === 0 || isCompacted;
        const before = prompt;
        prompt = isFirst ? 10_000 : before + added + (i === at + 1 ? more : 0);
        const cached = isFirst || isMiss ? 0 : before;
        const written = prompt - cached;
        return call({ cached, written, writtenForHour: isHour ? written : 0, output, isFirst });
      });
    };
    const sum = (calls: readonly ContextCall[]) => calls.reduce((total, each) => total + billed(each), 0);
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 2, maxLength: 40 }),
        fc.nat(),
        fc.integer({ min: 1, max: 50_000 }),
        (turns, where, saved) => {
          const at = where % turns.length;
          const cut = sessionOf(turns, at, 0);
          const whole = sessionOf(turns, at, saved);
          const claimed = saved * worthAfter(priceCalls(cut), at);
          const real = sum(whole) - sum(cut);
          expect(Math.abs(claimed - real)).toBeLessThan(1e-6 * (1 + real));
        },
      ),
    );
  });

  it("X-56 its write with the next call and its reads after that, misses as the writes they were", () => {
    const priced = priceCalls([
      call({ isFirst: true, written: 10_000 }),
      call({ cached: 10_000, written: 1_000, writtenForHour: 1_000 }),
      call({ cached: 11_000, written: 1_000 }),
      call({ written: 12_000 }),
      call({ isFirst: true, written: 5_000 }),
      call({ cached: 5_000, written: 100 }),
    ]);
    expect(worthAfter(priced, 0)).toBeCloseTo(2 + 0.1 + 1.25);
    expect(worthAfter(priced, 2)).toBeCloseTo(1.25);
    expect(worthAfter(priced, 3)).toBe(0); // a compaction took it out before any call read it
    expect(worthAfter(priced, 5)).toBe(0);
    expect(worthAfter(priced, 0, (index) => index !== 3)).toBeCloseTo(2.1);
  });

  it("X-57 only calls on its own branch read it: after a rewind to before it none does", () => {
    const priced = priceCalls([
      call({ isFirst: true, written: 10_000 }),
      call({ cached: 10_000, written: 1_000 }),
      call({ cached: 11_000, written: 5_000 }),
      call({ before: 1, cached: 11_000, written: 500 }),
      call({ cached: 11_500, written: 100 }),
      call({ isFirst: true, cached: 10_000 }),
      call({ cached: 10_000, written: 100 }),
      call({ before: 4, cached: 11_600, written: 100 }),
    ]);
    expect(worthAfter(priced, 0)).toBeCloseTo(1.25 + 4 * 0.1);
    expect(worthAfter(priced, 1)).toBeCloseTo(1.25 + 1.25 + 2 * 0.1);
    expect(worthAfter(priced, 2)).toBe(0);
    expect(worthAfter(priced, 3)).toBeCloseTo(1.25 + 0.1);
    expect(worthAfter(priced, 4)).toBeCloseTo(1.25);
    // What is left behind is no miss, and what was there before the rewind is not new.
    expect(priced.map(({ parts }) => parts.misses)).toEqual(priced.map(() => 0));
    expect(priced[3]?.survives).toBe(1);
  });

  it("X-56 a context that shrinks keeps its share", () => {
    const priced = priceCalls([
      call({ isFirst: true, written: 10_000 }),
      call({ cached: 10_000, written: 10_000 }),
      call({ cached: 10_000 }),
    ]);
    expect(worthAfter(priced, 0)).toBeCloseTo(1.25 + 0.5 * 0.1);
  });

  it("X-57 our own surface costs what the starting prompt costs, in every call", () => {
    const priced = priceCalls([
      call({ isFirst: true, written: 10_000 }),
      call({ cached: 10_000, written: 10 }),
      call({ written: 10_020 }),
    ]);
    expect(prefixWorth(priced)).toBeCloseTo(1.25 + 0.1 + 1.25);
  });

  it("X-57 usage without cache fields is plain input", () => {
    const [first, second] = priceCalls([call({ isFirst: true, plain: 1_000 }), call({ plain: 1_500 })]);
    expect(totalOf(first?.parts ?? priced0)).toBe(1_000);
    expect(second?.parts).toMatchObject({ misses: 1_000 });
  });
});
const priced0 = { starting: 0, misses: 0, results: {}, output: 0, rest: 0 };

it.each([
  ["claude-opus-4-1", { read: 0.1, write: 1.25, hour: 2, output: 5 }],
  ["gpt-5.5", { read: 0.1, write: 1, hour: 1, output: 6 }],
  ["gpt-5.4-codex", { read: 0.1, write: 1, hour: 1, output: 6 }],
  ["gpt-5.3-codex", { read: 0.1, write: 1, hour: 1, output: 8 }],
  ["gpt-5-codex", { read: 0.1, write: 1, hour: 1, output: 8 }],
  ["gpt-4.1", { read: 0.1, write: 1, hour: 1, output: 8 }],
  ["gpt-5.10", { read: 0.1, write: 1, hour: 1, output: 6 }],
  ["qwen3-coder", { read: 0.1, write: 1, hour: 1, output: 6 }],
])("X-56 the rates of %s", (model, rates) => expect(ratesOf(model)).toEqual(rates));
