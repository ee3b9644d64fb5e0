import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitLines } from "../../src/text/lines.ts";
import { wordsOf } from "../../src/text/word-index.ts";
import { scanWords } from "../../src/text/words.ts";

function indexOf(text: string, withNumbers = true) {
  const table = splitLines(text);
  const index = wordsOf(table, { withNumbers, poll: undefined });
  const wordAt = (id: number): string => text.slice(index.starts[id], index.ends[id]);
  return { ...index, wordAt, spelled: [...index.words].map(wordAt) };
}

describe("word index", () => {
  it("X-43 every word has the number of exactly that word, in the order of the text", () => {
    const word = fc.oneof(
      fc.constantFrom("a", "ab", "ba", "load", "Load", "é", "日本", "7", "70"),
      fc.stringMatching(/^\w{1,12}$/),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), fc.array(fc.nat(80)), (list, breaks) => {
        const text = list.map((one, i) => `${one}${breaks.includes(i) ? "\n" : " "}`).join("");
        const expected: string[] = [];
        scanWords(text, 0, text.length, (found) => expected.push(found));
        const { spelled, words, wordCount } = indexOf(text);
        expect(spelled).toEqual(expected);
        expect(new Set(words).size).toBe(new Set(expected).size);
        expect(wordCount.reduce((sum, count) => sum + count, 0)).toBe(expected.length);
      }),
    );
  });

  it("words are told apart when the index grows", () => {
    const list = Array.from({ length: 9000 }, (_, i) => `w${i.toString(36)}x`);
    const { spelled, distinct } = indexOf([...list, ...list].join("\n"));
    expect(spelled).toEqual([...list, ...list]);
    expect(distinct).toBe(list.length + 1);
  });

  it("a number is word 0 where numbers were not asked for, and a word of its line all the same", () => {
    const { words, wordCount } = indexOf("id 20261118 of 7\n404\n", false);
    expect([...words]).toEqual([1, 0, 2, 0, 0]);
    expect([...wordCount]).toEqual([4, 1]);
  });

  it("noise of more than 120 characters is no word", () => {
    expect(indexOf(`key ${"x".repeat(121)} ${"y".repeat(120)}`).spelled).toEqual(["key", "y".repeat(120)]);
  });
});
