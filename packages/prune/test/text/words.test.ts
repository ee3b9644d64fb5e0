import { describe, expect, it } from "vitest";
import { parseFocus } from "../../src/text/focus.ts";
import { stem } from "../../src/text/stem.ts";
import { scanWords, termsOf } from "../../src/text/words.ts";

function wordsOf(text: string): string[] {
  const words: string[] = [];
  scanWords(text, 0, text.length, (word) => words.push(word));
  return words;
}

describe("words", () => {
  it("X-43 an identifier is found by its parts in any case style", () => {
    const terms = ["maxRetries", "max_retries", "MAX_RETRIES"].map(termsOf);
    expect(new Set(terms.map((t) => t.join(" "))).size).toBe(1);
    expect(terms[0]).toContain("maxretries");
    expect(termsOf("HTTPServer")).toEqual([stem("http"), stem("server"), "httpserver"]);
  });

  it("X-43 short words with a digit count: L1 is not L2", () => {
    expect(termsOf("L1")).toEqual(["l1"]);
    expect(parseFocus("garder L1").index.has("l1")).toBe(true);
  });

  it("X-43 words in any script count, accents included", () => {
    expect(wordsOf("la clé é privée")).toEqual(["la", "clé", "é", "privée"]);
    expect(termsOf("Ｆｕｌｌ")).toEqual(["full"]);
    expect(termsOf("日本語")).toEqual(["日本", "本語"]);
    expect(termsOf("語")).toEqual(["語"]);
    expect(termsOf("Ошибка")).toEqual(["ошибка"]);
  });

  it("joins the forms of a word and the short forms of code", () => {
    for (const [a, b] of [
      ["serialize", "serialization"],
      ["retries", "retry"],
      ["stopped", "stop"],
      ["config", "configuration"],
      ["params", "parameter"],
    ] as const) {
      expect(stem(a)).toBe(stem(b));
    }
    expect(stem("pass")).not.toBe(stem("pas"));
  });

  it("counts what the reader spelled out more than what every question says", () => {
    const focus = parseFocus("What is the purpose of `retry_delay` in the client class?");
    const weight = (term: string): number => focus.terms[focus.index.get(term) ?? -1]?.weight ?? 0;
    expect(weight("retrydelay")).toBeGreaterThan(weight(stem("client")));
    expect(weight(stem("client"))).toBeGreaterThan(weight(stem("class")));
    expect(focus.index.has("the")).toBe(false);
    expect(parseFocus("see src/a.ts:120 and line 7").lines).toEqual([120, 7]);
  });
});
