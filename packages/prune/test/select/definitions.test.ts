// What the evidence names and the same text defines comes with it, where that is a few lines.
import { describe, expect, it } from "vitest";
import { prune, WHY } from "../../src/index.ts";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";
import { createHandSetRanker } from "../../src/rank/score.ts";

const grammars = createTreeSitterGrammars();
const filler = (from: number): string =>
  Array.from({ length: 150 }, (_, i) => `def step_${from + i}(x):\n    y = x + ${i}\n    return y\n\n\n`).join("");
const answer = Array.from({ length: 30 }, (_, i) => `    quota_left_${i} = shrink(quota, ${i}) - MAXIMUM\n`).join("");
const text = `MAXIMUM = 12\nUNUSED_LIMIT = 13\n\n\ndef shrink(value, by):\n    first = value - by\n    second = first * 2\n    third = second + first\n    return third\n\n\ndef other(value):\n    return value\n\n\n${filler(0)}def remaining_quota(quota):\n${answer}    return quota_left_3\n\n\n${filler(200)}`;
const rows = text.split("\n");
const at = (needle: string): number => rows.findIndex((line) => line.startsWith(needle));
const options = {
  focus: "how is the remaining quota computed?",
  path: "a.py",
  grammars,
  // Whichever lines a ranker likes: this is about what comes with them.
  ranker: createHandSetRanker(),
};

describe("addDefinitions", () => {
  it("shows the constant and the signature that the evidence names, and nothing that it does not", async () => {
    const pruned = await prune(text, options);
    const why = (needle: string): string | undefined => WHY[(pruned.kept[at(needle)] ?? 0) - 1];
    expect(why("def remaining_quota")).toBeDefined();
    expect([why("MAXIMUM"), why("def shrink")]).toEqual(["support", "support"]);
    expect([why("UNUSED_LIMIT = 13"), why("    second = "), why("def other")]).not.toContain("support");
  });

  it("a budget in characters is spent on evidence, and a ceiling holds", async () => {
    const share = await prune(text, { ...options, amount: { mode: "share", keep: 0.05 } });
    expect(share.kept[at("def shrink")]).toBe(0);
    const capped = await prune(text, { ...options, amount: { mode: "auto", maxChars: 900 } });
    const shown = rows.filter((_, i) => (capped.kept[i] ?? 0) !== 0).join("\n").length + capped.blocks.length * 28;
    expect(shown).toBeLessThanOrEqual(940);
  });

  it("a name that means two things here brings neither", async () => {
    const twice = `${text}\n\ndef shrink(value, by):\n    return by\n`;
    const pruned = await prune(twice, options);
    expect(pruned.kept[at("def shrink")]).toBe(0);
  });
});
