// What a document is cut at: sections of each markup, and what must not be torn.
import { describe, expect, it } from "vitest";
import { segmentDocs } from "../../src/docs/segment-docs.ts";
import { prune } from "../../src/index.ts";
import { ROLE } from "../../src/outline/outline.ts";
import { splitLines } from "../../src/text/lines.ts";

const outlineOf = (...lines: string[]) => segmentDocs(splitLines(lines.join("\n")));
const sections = (...lines: string[]): string[] =>
  outlineOf(...lines)
    .scopes.filter((s) => s.kind === "section")
    .map((s) => `${s.name} ${s.start + 1}-${s.headerEnd + 1} to ${s.end + 1}`);
const solids = (...lines: string[]): string[] => {
  const { role, unitStart, unitEnd } = outlineOf(...lines);
  const found = new Set<string>();
  role.forEach((bits, i) => {
    if ((bits & ROLE.solid) !== 0) found.add(`${(unitStart[i] ?? 0) + 1}-${(unitEnd[i] ?? 0) + 1}`);
  });
  return [...found];
};

describe("segmentDocs", () => {
  it("K-30 finds the titles of Markdown, AsciiDoc and HTML, each section ending where one of its rank begins", () => {
    expect(sections("# A", "x", "## B", "y", "# C ##", "z")).toEqual(["A 1-1 to 4", "B 3-3 to 4", "C 5-5 to 6"]);
    expect(sections("= A", "x", "== B", "y", "== C")).toEqual(["A 1-1 to 5", "B 3-3 to 4", "C 5-5 to 5"]);
    expect(sections('<h1 align="center">A <b>b</b></h1>', "x")).toEqual(["A b 1-1 to 2"]);
  });

  it("K-30 reads titles that are underlined, in the order of their marks, with a line above them or without", () => {
    expect(sections("A", "===", "x", "B", "---", "y", "C", "===")).toEqual(["A 1-2 to 6", "B 4-5 to 6", "C 7-8 to 8"]);
    expect(sections("=====", "Title", "=====", "", "Part", "=====", "x")).toEqual(["Title 1-3 to 7", "Part 5-6 to 7"]);
    const tildes = ["Part", "~~~~", "", "words", "", "Other", "~~~~~", "", "more"];
    expect(sections(...tildes)).toEqual(["Part 1-2 to 5", "Other 6-7 to 9"]);
    expect(solids(...tildes)).toEqual([]);
  });

  it("git's log is read by commits: what is kept of one comes with its hash, its author, its date and its subject", async () => {
    const commit = (hash: string, ...said: string[]): string[] => [
      `commit ${hash.repeat(40)}`,
      "Author: A <a@example.com>",
      "Date:   Mon Nov 16 19:47:14 2026 +0000",
      "",
      ...said.map((line) => `    ${line}`),
      "",
    ];
    expect(sections(...commit("a", "fix: no wait", "", "```"), ...commit("b", "more"))).toEqual([
      "fix: no wait 1-5 to 8",
      "more 9-13 to 13",
    ]);
    const filler = Array.from({ length: 40 }, (_, i) =>
      commit(String(i % 10), `fix: part ${i}, and`, "", "It was wrong."),
    );
    const asked = commit("f", "pool: fewer of them", "", "A socket that timed out was given out again.");
    const log = [...filler.slice(0, 20), asked, ...filler.slice(20)].flat().join("\n");
    const pruned = await prune(log, { focus: "which commit mended the socket that timed out?" });
    expect(pruned.kind).toBe("docs");
    const from = 20 * 8;
    expect([...pruned.kept.subarray(from, from + 7)].every((why) => why !== 0)).toBe(true);
    expect([...pruned.kept].filter((why) => why !== 0).length).toBeLessThan(100);
  });

  it("K-30 front matter, a rule and a comment in code are no titles", () => {
    expect(sections("---", "title: x", "---", "words")).toEqual([]);
    expect(sections("words", "", "---", "", "words")).toEqual([]);
    expect(sections("```sh", "# no title", "```", "~~~", "## neither", "~~~")).toEqual([]);
  });

  it("K-30 code is solid: fences, directives, what follows `::`, delimited blocks", () => {
    expect(solids("a", "```js", "x", "", "y", "```", "b")).toEqual(["2-6"]);
    expect(solids("# a", "```", "$ git log", `commit ${"0a".repeat(20)}`, "", "```", "b")).toEqual(["2-6"]);
    expect(solids("- item", "  ```", "  x", "  ```", "b")).toEqual(["2-4"]);
    expect(solids(".. code-block:: python", "", "    x = 1", "", "    y = 2", "", "text")).toEqual(["1-5"]);
    expect(solids("Say::", "", "    x", "", "text")).toEqual(["1-3"]);
    expect(solids("= Title", "[source]", "----", "x", "", "y", "----", "text")).toEqual(["3-7"]);
    expect(solids("# Title", "", "----", "words", "", "----", "words")).toEqual([]);
    expect(solids("````", "```", "inner", "```", "````")).toEqual(["1-5"]);
    expect(solids("no end", "```", "x", "y")).toEqual(["2-4"]);
  });

  it("K-30 code is solid in a quotation, in <pre>, and four columns in, but not what a list has there", () => {
    expect(solids("> a", "> ```js", "> x", ">", "> ```", "> b")).toEqual(["2-5"]);
    expect(solids("> ```js", "> x", "after the quotation", "y")).toEqual(["1-2"]);
    expect(solids("~~~ `a`", "x", "~~~", "b")).toEqual(["1-3"]);
    expect(solids("a", "<div><pre>", "x", "", "y", "</pre></div>", "b", "<pre>one</pre>", "c")).toEqual(["2-6"]);
    expect(solids("# A", "", "words", "", "    x", "    y", "", "\tz", "", "words")).toEqual(["5-8"]);
    expect(solids("# A", "", "- item", "", "    more of it", "", "    and more", "", "words")).toEqual([]);
    expect(solids("# A", "", "!!! note", "    words", "", "    more words", "", "words")).toEqual([]);
    expect(solids("NAME", "", "       ls - list", "", "       It lists.", "")).toEqual([]);
  });

  it("K-30 K-31 a directive inside a block of code keeps all of it", async () => {
    const text = ["# A", "", "```", "x", "⟦NO_PRUNE_BEGIN⟧", "y", "⟦NO_PRUNE_END⟧", "z", "```", "", "words"].join("\n");
    const amount = { mode: "ratio", maxPruneRatio: 1, minKeepLines: 0 } as const;
    const { kept } = await prune(text, { focus: "nothing", kind: "docs", amount });
    expect([...kept.slice(2, 9)]).not.toContain(0);
    expect(kept[9]).toBe(0);
  });

  it("K-30 a small table is solid, of any markup", () => {
    expect(solids("| a | b |", "|---|---|", "| 1 | 2 |", "text")).toEqual(["1-3"]);
    expect(solids("+---+---+", "| a | b |", "+===+===+", "| 1 | 2 |", "+---+---+", "")).toEqual(["1-5"]);
    expect(solids("=== ===", "a   b", "=== ===", "1   2", "3   4", "=== ===", "", "text")).toEqual(["1-6"]);
    expect(solids("|===", "|a |b", "", "|1 |2", "|===", "text")).toEqual(["1-5"]);
  });

  it("K-30 a row of a long table comes with the table's head, whatever the length of the rows between", async () => {
    const wide = `| wide | ${"x ".repeat(400)}|`;
    const rows = Array.from({ length: 120 }, (_, i) => (i === 30 ? wide : `| option${i} | does thing number ${i} |`));
    const text = ["# Options", "", "| name | what |", "|---|---|", ...rows, "", "The end."].join("\n");
    const pruned = await prune(text, { focus: "option77", kind: "docs", amount: { mode: "share", keep: 0.1 } });
    const at = (needle: string): number => text.split("\n").findIndex((line) => line.includes(needle));
    for (const needle of ["option77 ", "| name |", "|---|", "# Options"])
      expect([needle, pruned.kept[at(needle)] !== 0]).toEqual([needle, true]);
    expect(pruned.kept[at("option40 ")]).toBe(0);
  });

  it("a wrapped paragraph and a list's item with its next lines are units; short lines are not one", () => {
    const long = "words that go on until the margin of the page is near";
    const { unitStart } = outlineOf(long, long, "end.", "", `- ${long}`, "  more", `- ${long}`, "", "a", "b");
    expect([...unitStart]).toEqual([0, 0, 0, 3, 4, 4, 6, 7, 8, 9]);
  });

  it("many titles take time in proportion", () => {
    const lines = Array.from({ length: 60_000 }, (_, i) =>
      i % 2 === 0 ? `${"#".repeat((i % 6) + 1)} Title ${i}` : "words",
    );
    expect(outlineOf(...lines).scopes).toHaveLength(30_001);
  });

  it("titles are a table of contents where that is cheap, and the path to what is kept in any case", async () => {
    const part = (i: number, words: number) => `## Part ${i}\n\n${`about topic${i} `.repeat(words)}\n\n`;
    const shown = async (text: string) => {
      const { kept } = await prune(text, { focus: "topic7", kind: "docs", amount: { mode: "share", keep: 0.2 } });
      return text.split("\n").filter((line, i) => line.startsWith("#") && kept[i] !== 0).length;
    };
    const many = Array.from({ length: 30 }, (_, i) => part(i, 12)).join("");
    expect(await shown(`# All\n\n${many}`)).toBeLessThan(12);
    expect(await shown(`# All\n\n${many}`)).toBeGreaterThan(1);
    const few = Array.from({ length: 8 }, (_, i) => part(i, 400)).join("");
    expect(await shown(`# All\n\n${few}`)).toBe(9);
  });
});
