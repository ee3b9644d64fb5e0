import { describe, expect, it } from "vitest";
import { createTreeSitterGrammars } from "../src/grammars.ts";
import { prune, WHY } from "../src/index.ts";
import { createHandSetRanker } from "../src/score.ts";

const grammars = createTreeSitterGrammars();
const filler = Array.from({ length: 300 }, (_, i) => `export function step${i}(x) {\n  return x + ${i}\n}\n`).join("");
const text = `import { readFile } from "node:fs"\nimport { unusedThing } from "other"\n${filler}export class Loader {\n  load(path) {\n    if (path === "") {\n      throw new Error("an empty path is no manifest")\n    } else {\n      this.count += 1\n    }\n    return readFile(path)\n  }\n}\n${filler}`;
const rows = text.split("\n");
const at = (needle: string): number => rows.findIndex((l) => l.includes(needle));

describe("support", () => {
  it("brings the class, the method, the condition and its other half, their closers, and the import that binds a kept name", async () => {
    const pruned = await prune(text, {
      focus: "what happens when the manifest path is empty?",
      path: "a.js",
      grammars,
      // Whichever lines a ranker likes: this is about what comes with them.
      ranker: createHandSetRanker(),
    });
    const why = (i: number): string | undefined => WHY[(pruned.kept[i] ?? 0) - 1];
    expect(why(at("an empty path"))).toBe("evidence");
    for (const needle of ["export class Loader", "  load(path)", 'if (path === "")', "} else {", "import { readFile }"])
      expect([needle, why(at(needle)) !== undefined]).toEqual([needle, true]);
    expect(why(at("import { readFile }"))).toBe("support");
    expect(why(at("return readFile") + 1)).toBeDefined();
    expect(why(at("import { unusedThing }"))).not.toBe("support");
  });

  it("a budget in characters is spent on evidence, not on imports, and maxChars holds with them", async () => {
    const pruned = await prune(text, {
      focus: "what happens when the manifest path is empty?",
      path: "a.js",
      grammars,
      amount: { mode: "auto", maxChars: 600 },
    });
    const chars = rows.filter((_, i) => (pruned.kept[i] ?? 0) !== 0).join("\n").length + pruned.blocks.length * 28;
    expect(chars).toBeLessThanOrEqual(640);
    expect(pruned.kept[at("an empty path")]).not.toBe(0);
  });
});
