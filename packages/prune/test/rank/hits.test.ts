import { describe, expect, it } from "vitest";
import { findHits } from "../../src/rank/hits.ts";
import { parseFocus } from "../../src/text/focus.ts";
import { splitLines } from "../../src/text/lines.ts";

function hitsIn(text: string, focus: string) {
  const parsed = parseFocus(focus);
  const hits = findHits(splitLines(text), parsed, new Map());
  const termsOn = (line: number): string[] =>
    [...hits.term.subarray(hits.rowStart[line], hits.rowStart[line + 1])].map((t) => parsed.terms[t]?.term ?? "");
  return { ...hits, termsOn, terms: parsed.terms };
}

describe("hits", () => {
  it("neighbours of the focus that meet in one identifier are joined, in whatever order and spelling", () => {
    const { joined } = hitsIn(
      "max_retries = 3\nretriesMax = 3\nmax = 3\nmaxWidth = 3\n",
      "how many retries at the maximum?",
    );
    expect([...joined]).toEqual([1, 1, 0, 0]);
  });

  it("neighbours side by side make a phrase; words of talk make none", () => {
    const { phrases } = hitsIn(
      "the default timeout\ntimeout by default\na class method\n",
      "default timeout of a class method",
    );
    expect([...phrases]).toEqual([1, 0, 0]);
  });

  it("tells an identifier that the focus writes from its parts", () => {
    const { terms } = hitsIn("", "where is mergeCookies called, and `retry`?");
    expect(terms.filter(({ isWhole }) => isWhole).map(({ term }) => term)).toEqual(["mergecookies", "retry"]);
  });

  it("finds a number, and one that begins alike, where the focus has one; it is a word of its line in any case", () => {
    const text = "listen on 8080\nid 20261118 of 7\nport8080\nid 2026\n";
    const { termsOn, wordCount } = hitsIn(text, "what listens on 8080 since 20261118?");
    expect([0, 1, 2, 3].map(termsOn)).toEqual([["listen", "8080"], ["20261118"], ["8080"], ["20261118"]]);
    expect([...wordCount]).toEqual([3, 4, 1, 2]);
    const without = hitsIn(text, "what listens?");
    expect([without.termsOn(0), without.termsOn(1)]).toEqual([["listen"], []]);
    expect([...without.wordCount]).toEqual([...wordCount]);
  });

  it("knows at which word of its line a hit stands", () => {
    const { wordOf, termsOn } = hitsIn("self.cookies = load(jar)\n", "jar of cookies");
    expect(termsOn(0)).toEqual(["cooky", "jar"]);
    expect([...wordOf]).toEqual([1, 3]);
  });
});
