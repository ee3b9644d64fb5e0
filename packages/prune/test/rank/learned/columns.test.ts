import { describe, expect, it } from "vitest";
import { createTreeSitterGrammars } from "../../../src/outline/grammars.ts";
import { extractColumns } from "../../../src/rank/learned/line-columns.ts";
import { segment } from "../../../src/segment.ts";
import { parseFocus } from "../../../src/text/focus.ts";
import { splitLines } from "../../../src/text/lines.ts";

const grammars = createTreeSitterGrammars();
const TEXT = `class Jar:
    def __init__(self, size):
        self.size = size

    def merge_cookies(self, other):
        return self._sorted(other)

    def _sorted(self, items):
        return sorted(items)


def unrelated(a):
    return a
`;

/** One column's value on the line that holds `part`, as a share of its unit. */
async function columnAt(focus: string, text = TEXT): Promise<(name: string, part: string) => number> {
  const table = splitLines(text);
  const outline = await segment(table, { kind: "code", path: "a.py", grammars, shouldStop: () => false });
  const columns = new Map(extractColumns({ table, focus: parseFocus(focus), outline }).columns);
  const lines = text.split("\n");
  return (name, part) => (columns.get(name)?.[lines.findIndex((line) => line.includes(part))] ?? Number.NaN) / 1024;
}

describe("columns", () => {
  it("a scope knows what it is first in, what it names and what names it", async () => {
    const at = await columnAt("what happens when cookies of a jar are merged?");
    expect(at("scope_first", "return self._sorted")).toBeGreaterThan(at("scope_first", "return a"));
    expect(at("scope_joined", "return self._sorted")).toBeGreaterThan(0);
    expect(at("scope_above", "return self._sorted")).toBeGreaterThan(0);
    expect(at("scope_above", "return a")).toBe(0);
    expect(at("scope_mentions", "return sorted(items)")).toBeGreaterThan(at("scope_mentions", "return a"));
    expect(at("scope_names", "return self._sorted")).toBeGreaterThan(0);
    expect(at("scope_beside", "self.size = size")).toBeGreaterThan(0);
  });

  it("makers and hidden scopes are told by their names, in any language's way", async () => {
    const at = await columnAt("size");
    expect([at("is_maker", "self.size"), at("is_maker", "return a")]).toEqual([1, 0]);
    expect([at("is_hidden", "return sorted"), at("is_hidden", "return a")]).toEqual([1, 0]);
  });

  it("an identifier as the focus writes it stands out from its parts, on its line and in its scope", async () => {
    const at = await columnAt("who calls merge_cookies?", `${TEXT}\njar.merge_cookies(cookies)\ncookies = merge(a)\n`);
    expect(at("whole", "jar.merge_cookies")).toBeGreaterThan(0);
    expect(at("whole", "cookies = merge(a)")).toBe(0);
    expect(at("whole_near", "cookies = merge(a)")).toBeGreaterThan(0);
    expect(at("scope_whole", "return self._sorted")).toBeGreaterThan(0);
    expect(at("early", "jar.merge_cookies")).toBeGreaterThan(0);
  });

  it("what a focus begins with and what it ends with are told apart", async () => {
    const at = await columnAt("cookies of a jar\nthe task is long\nNow I need to change unrelated");
    expect(at("head_scope", "return self._sorted")).toBeGreaterThan(0);
    expect(at("tail_near", "return a")).toBeGreaterThan(at("tail_near", "class Jar"));
    expect(at("head_scope", "return a")).toBe(0);
  });

  it("a line of words that the text seldom has is rare, and one that stands there twice is counted", async () => {
    const at = await columnAt("anything", `${TEXT}\n    return a\nzebra crossing\n`);
    expect(at("rarity", "zebra crossing")).toBeGreaterThan(at("rarity", "return self._sorted"));
    expect(at("same_lines", "return a")).toBeGreaterThan(at("same_lines", "zebra crossing"));
    expect(at("text_place", "class Jar")).toBe(0);
    expect(at("from_end", "zebra crossing")).toBe(0);
  });
});
