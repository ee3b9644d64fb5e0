import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSieve } from "../../src/rank/word-sieve.ts";
import { parseFocus } from "../../src/text/focus.ts";
import { termsOf, wholeOf } from "../../src/text/words.ts";

const part = fc.oneof(
  fc.constantFrom("max", "Retries", "cfg", "ID", "x", "HTTP", "Server", "404", "_", "$", "configuration", "is", "Open"),
  fc.stringMatching(/^[A-Za-z0-9_$]{1,4}$/),
);
const word = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));

describe("word sieve", () => {
  it("X-43 lets through every word that has a term of the focus or begins like one, and every name", () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.array(word, { maxLength: 3 }),
        word,
        (asked, names, own) => {
          const focus = parseFocus(asked.map((one) => `\`${one}\``).join(" "));
          const known = new Map(names.map((name, i) => [wholeOf(name), i]));
          const says = termsOf(own).some((t) => focus.terms.some(({ term }) => t === term || alike(t, term)));
          fc.pre(says || known.has(wholeOf(own)));
          expect(createSieve(own, focus, known)(0, own.length)).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("most words of a text say nothing of the focus", () => {
    const text = "import default function retries";
    const mayMatch = createSieve(text, parseFocus("how many retries?"), new Map());
    const starts = [0, 7, 15, 24, text.length + 1];
    expect(starts.slice(0, -1).map((start, i) => mayMatch(start, (starts[i + 1] ?? 0) - 1))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});

function alike(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 4 && a.slice(0, 4) === b.slice(0, 4);
}
