import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WordMemo } from "../../src/text/word-memo.ts";
import { scanSpans, scanWords } from "../../src/text/words.ts";

function remembered(text: string): { words: string[]; asked: string[] } {
  const asked: string[] = [];
  const memo = new WordMemo(text, (word) => {
    asked.push(word);
    return `made of ${word}`;
  });
  const words: string[] = [];
  scanSpans(text, 0, text.length, {
    ascii: (start, end, hash) => words.push(memo.get(start, end, hash)),
    other: (word) => words.push(`made of ${word}`),
  });
  return { words, asked };
}

describe("word memo", () => {
  it("X-43 every word gets what was made of exactly that word, and each ASCII word is asked about once", () => {
    const word = fc.oneof(
      fc.constantFrom("a", "ab", "ba", "load", "Load", "é", "日本"),
      fc.stringMatching(/^\w{1,12}$/),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), (list) => {
        const text = list.join(" ");
        const expected: string[] = [];
        scanWords(text, 0, text.length, (found) => expected.push(found));
        const { words, asked } = remembered(text);
        expect(words).toEqual(expected.map((found) => `made of ${found}`));
        expect(new Set(asked).size).toBe(asked.length);
      }),
    );
  });

  it("words are told apart when the memo grows, and when their hashes are the same", () => {
    const list = Array.from({ length: 9000 }, (_, i) => `w${i.toString(36)}x`);
    const { words, asked } = remembered([...list, ...list].join(" "));
    expect(asked).toEqual(list);
    expect(words.slice(9000)).toEqual(words.slice(0, 9000));
    const text = "one two one";
    const memo = new WordMemo(text, (word) => word);
    expect([memo.get(0, 3, 5), memo.get(4, 7, 5), memo.get(8, 11, 5)]).toEqual(["one", "two", "one"]);
  });
});
