import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { prune, renderPruned, shortMarker } from "../../src/index.ts";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";
import { withoutGutter } from "../../src/text/gutter.ts";

const source = readFileSync(new URL("../../src/outline/walk-tree.ts", import.meta.url), "utf8");
const numbered = (text: string, from = 1): string =>
  text
    .split("\n")
    .map((line, i) => `${String(i + from).padStart(6)}\t${line}`)
    .join("\n");

describe("gutter", () => {
  it("X-20 a numbered file is cut as the file is, and its kept lines keep their numbers", async () => {
    const how = { focus: "where are closers found?", grammars: createTreeSitterGrammars() };
    const amount = { mode: "share", keep: 0.3 } as const;
    const plain = await prune(source, { ...how, amount, path: "walk-tree.ts" });
    const text = numbered(source);
    const pruned = await prune(text, { ...how, amount });
    expect(pruned.kind).toBe("code");
    expect([...pruned.kept]).toEqual([...plain.kept]);
    const shown = renderPruned(text, pruned, { marker: shortMarker });
    for (const line of shown.split("\n")) expect(line).toMatch(/^ *\d+\t|^⟦… \d+ lines/);
    expect(shown.length).toBeLessThan(text.length / 2);
  });

  it("X-51 a reader's limit holds for the text with its numbers", async () => {
    const text = numbered(source, 400);
    const pruned = await prune(text, { focus: "closers", amount: { mode: "auto", maxChars: 3_000 } });
    expect(renderPruned(text, pruned, { marker: shortMarker }).length).toBeLessThanOrEqual(3_000);
  });

  it.each([
    [
      "a table with a column of numbers",
      Array.from({ length: 40 }, (_, i) => `${(i * 37) % 11}\tvalue ${i}`).join("\n"),
    ],
    ["a file without numbers", source],
    ["a few lines", "1\ta\n2\tb\n"],
  ])("%s has no gutter", (_what, text) => {
    expect(withoutGutter(text)).toBeUndefined();
  });

  it("two files in a row, with a line between them, are one numbered text", () => {
    const two = `${numbered(source)}\n---\n${numbered(source, 1)}`;
    expect(withoutGutter(two)).toBe(`${source}\n---\n${source}`);
  });
});
