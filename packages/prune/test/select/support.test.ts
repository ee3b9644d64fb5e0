import { describe, expect, it } from "vitest";
import { prune, WHY } from "../../src/index.ts";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";
import { createHandSetRanker } from "../../src/rank/score.ts";

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

  it("what is kept closes what it opens: braces, long literals and long comments", async () => {
    const long = `/**\n${" * about the table of retries\n".repeat(30)} */\nexport const retries = {\n${Array.from({ length: 40 }, (_, i) => `  delay${i}: ${i},\n`).join("")}}\n`;
    const nested = `register({\n  name: "x",\n${" quiet: 1,\n".repeat(20)}  handlers: {\n${" calm: 2,\n".repeat(20)}    retry() {\n      return retries.delay7\n    },\n  },\n})\n`;
    const code = filler + long + nested + filler;
    for (const keep of [0.02, 0.05, 0.1, 0.2, 0.45]) {
      const amount = { mode: "share", keep } as const;
      const pruned = await prune(code, { focus: "which delay do retries use?", path: "a.js", grammars, amount });
      const shown = code
        .split("\n")
        .filter((_, i) => (pruned.kept[i] ?? 0) !== 0)
        .join("\n");
      const count = (mark: string): number => shown.split(mark).length;
      expect([keep, count("{"), count("(")]).toEqual([keep, count("}"), count(")")]);
      expect([keep, count("/**")]).toEqual([keep, count(" */")]);
    }
  });

  it("a Python header comes with a line of its body, a call with its last line, a decorator whole", async () => {
    const part = (i: number): string =>
      `@mark(\n    "case ${i}",\n    ${i},\n)\ndef step_${i}(x):\n    """Adds."""\n    y = x + ${i}\n    return join(\n        y,\n        ${i},\n    )\n\n`;
    const code = Array.from({ length: 120 }, (_, i) => part(i)).join("");
    const amount = { mode: "share", keep: 0.15 } as const;
    const pruned = await prune(code, { focus: "what does step_60 join?", path: "a.py", grammars, amount });
    const shown = code.split("\n").filter((_, i) => (pruned.kept[i] ?? 0) !== 0);
    expect(shown.join("\n")).toContain("def step_60(x):");
    shown.forEach((line, i) => {
      if (line.startsWith("def ")) expect(shown[i + 1]).toMatch(/^ {4}\S/);
      if (line === "@mark(") expect(shown.slice(i + 1, i + 5)[3]).toMatch(/^def /);
      if (line.endsWith("join(")) expect(shown[i + 3]).toBe("    )");
    });
  });
});
