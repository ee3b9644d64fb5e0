// A second question about the same text: nothing is parsed again, and the answer is the one that a first question gets.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Grammar, type Grammars, type PruneOptions, prune, scoreLines } from "../src/index.ts";
import { createTreeSitterGrammars } from "../src/outline/grammars.ts";

const PYTHON = readFileSync(new URL("fixtures/cache.py", import.meta.url), "utf8").repeat(12);
const failure = (
  n: number,
): string => `_________________________________ test_expires_${n} _________________________________

    def test_expires():
>       assert cache.get() == 11
E       AssertionError: assert ${n} == 11

tests/test_cache.py:${n}: AssertionError
`;
/** A source with a failed run in a string: how much of it stays depends on the room, not on the question. */
const REPORTED = `${PYTHON}REPORT = """
=================================== FAILURES ===================================
${Array.from({ length: 40 }, (_, n) => failure(n + 20)).join("")}========================= 40 failed, 11 passed in 0.05s =========================
"""
`;
const QUESTIONS: readonly Omit<PruneOptions, "grammars">[] = [
  { focus: "how does an entry expire?", path: "cache.py" },
  { focus: "`get` of 12 entries", path: "cache.py", amount: { mode: "share", keep: 0.2 }, use: "read" },
  { focus: "", path: "cache.py", outline: { keep: 0.2 } },
  { focus: "what is evicted first?", path: "cache.py", amount: { mode: "ratio", maxPruneRatio: 0.6, minKeepLines: 3 } },
  { focus: "where is an entry evicted?", path: "cache.py", amount: { mode: "auto", maxChars: 900 } },
];

/** The real grammars, and how often one of them has parsed. */
function countingGrammars(): Grammars & { readonly parsed: () => number } {
  const real = createTreeSitterGrammars();
  const known = new Map<string, Grammar | undefined>();
  let parsed = 0;
  const counting = (grammar: Grammar): Grammar => ({
    language: grammar.language,
    parse: (text, shouldStop) => {
      parsed++;
      return grammar.parse(text, shouldStop);
    },
  });
  return {
    async load(language) {
      if (!known.has(language)) {
        const grammar = await real.load(language);
        known.set(language, grammar && counting(grammar));
      }
      return known.get(language);
    },
    parsed: () => parsed,
  };
}

describe("a second question", () => {
  it("parses nothing, and its answer is the same as that of a first", async () => {
    const grammars = countingGrammars();
    for (const question of QUESTIONS) {
      const asked = await prune(PYTHON, { ...question, grammars });
      expect(asked.language).toBe("python");
      const fresh = countingGrammars();
      expect(await prune(PYTHON, { ...question, grammars: fresh })).toEqual(asked);
      expect(fresh.parsed()).toBe(1);
    }
    expect(grammars.parsed()).toBe(1);
    await scoreLines(PYTHON, { focus: "expire", path: "cache.py", grammars });
    expect(grammars.parsed()).toBe(1);
  });

  it("does not find what was stopped: the text is parsed again", async () => {
    const text = `${PYTHON}# stopped\n`;
    const grammars = countingGrammars();
    const question = { focus: "how does an entry expire?", path: "cache.py", grammars };
    expect((await prune(text, { ...question, shouldStop: () => grammars.parsed() > 0 })).status).toBe("stopped");
    const asked = await prune(text, question);
    expect([asked.status, asked.language]).toEqual(["pruned", "python"]);
  });

  it.each([
    ["a source", PYTHON],
    ["a source with a failed run in it", REPORTED],
  ])(
    "changes nothing of what is known of %s: an answer does not depend on the questions before it",
    async (_, source) => {
      const text = `${source}# in any order\n`;
      const answers = async (order: readonly number[]) => {
        // With grammars of its own, so that the text is read anew.
        const grammars = createTreeSitterGrammars();
        const found = new Map<number, unknown>();
        for (const i of order) {
          const question = QUESTIONS[i];
          if (question !== undefined) found.set(i, await prune(text, { ...question, grammars }));
        }
        return QUESTIONS.map((_, i) => found.get(i));
      };
      const first = await answers([0, 1, 2, 3, 4]);
      expect(await answers([4, 3, 1, 2, 0])).toEqual(first);
      expect(await answers([2, 2, 0, 4, 1, 3])).toEqual(first);
    },
  );
});
