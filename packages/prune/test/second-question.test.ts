// A second question about the same text: nothing is parsed again, and the answer is the one that a first question gets.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Grammar, type Grammars, type PruneOptions, prune, scoreLines } from "../src/index.ts";
import { createTreeSitterGrammars } from "../src/outline/grammars.ts";

const PYTHON = readFileSync(new URL("fixtures/cache.py", import.meta.url), "utf8").repeat(12);
const QUESTIONS: readonly Omit<PruneOptions, "grammars">[] = [
  { focus: "how does an entry expire?", path: "cache.py" },
  { focus: "`get` of 12 entries", path: "cache.py", amount: { mode: "share", keep: 0.2 }, use: "read" },
  { focus: "", path: "cache.py", outline: { keep: 0.2 } },
  { focus: "what is evicted first?", path: "cache.py", amount: { mode: "ratio", maxPruneRatio: 0.6, minKeepLines: 3 } },
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

  it("changes nothing of what is known: an answer does not depend on the questions before it", async () => {
    const text = `${PYTHON}# in any order\n`;
    const grammars = createTreeSitterGrammars();
    const answers = async (order: readonly number[]) => {
      const found = new Map<number, unknown>();
      for (const i of order) {
        const question = QUESTIONS[i];
        if (question !== undefined) found.set(i, await prune(text, { ...question, grammars }));
      }
      return QUESTIONS.map((_, i) => found.get(i));
    };
    const first = await answers([0, 1, 2, 3]);
    expect(await answers([3, 1, 2, 0])).toEqual(first);
    expect(await answers([2, 2, 0, 1, 3])).toEqual(first);
  });
});
