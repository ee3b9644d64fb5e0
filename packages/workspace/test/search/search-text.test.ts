import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type EngineName, type SearchTextOptions, searchText } from "../../src/index.ts";
import { scratchRoot } from "../scratch.ts";

const WORDS: SearchTextOptions = {
  pattern: "needle",
  paths: [],
  fixedString: false,
  caseSensitive: true,
  timeoutMs: 20_000,
  maxMatches: 500,
  maxBytes: 1_000_000,
};

const engines: readonly EngineName[] = ["bundled-rg", "grep"];

describe.each(engines)("searchText with %s", (engine) => {
  const words: SearchTextOptions = { ...WORDS, engines: [engine] };

  it("J-43 finds lines, relative to the root, sorted by path and line", async () => {
    const { root } = await scratchRoot({
      "b.txt": "x\nneedle 2\n",
      "a/z.txt": "needle 1\nno\nneedle 3",
      "c.txt": "hay\n",
    });
    const found = await searchText(root, words);
    expect(found.matches.map(({ path, line, text }) => `${path}:${line}:${text}`)).toEqual([
      "a/z.txt:1:needle 1",
      "a/z.txt:3:needle 3",
      "b.txt:2:needle 2",
    ]);
    expect(found).toMatchObject({ matchCount: 3, truncated: false, engine });
  });

  it("J-48 no match is a success", async () => {
    const { root } = await scratchRoot({ "a.txt": "hay\n" });
    expect(await searchText(root, words)).toMatchObject({ matches: [], matchCount: 0, truncated: false });
  });

  it("J-48 a pattern that the engine refuses is rg_error with exit code 2 and its own words", async () => {
    const { root } = await scratchRoot({ "a.txt": "hay\n" });
    await expect(searchText(root, { ...words, pattern: "(" })).rejects.toMatchObject({
      code: "rg_error",
      exitCode: 2,
      message: expect.stringMatching(/unclosed|unmatched/i),
    });
  });

  it("X-05 a missing search path is the engine's own error", async () => {
    const { root } = await scratchRoot({ "a.txt": "needle\n" });
    await expect(searchText(root, { ...words, paths: ["none"] })).rejects.toMatchObject({
      code: "rg_error",
      exitCode: 2,
      message: expect.stringContaining("none"),
    });
  });

  it("J-41 fixed strings and case are the caller's choice", async () => {
    const { root } = await scratchRoot({ "a.txt": "a.c\nabc\nA.C\n" });
    const lines = async (more: Partial<SearchTextOptions>) =>
      (await searchText(root, { ...words, pattern: "a.c", ...more })).matches.map((match) => match.line);
    expect(await lines({})).toEqual([1, 2]);
    expect(await lines({ fixedString: true })).toEqual([1]);
    expect(await lines({ caseSensitive: false })).toEqual([1, 2, 3]);
    expect(await lines({ fixedString: true, caseSensitive: false })).toEqual([1, 3]);
  });

  it("X-49 a column counts characters from 1", async () => {
    const { root } = await scratchRoot({ "a.txt": "é😀 needle\n" });
    const found = await searchText(root, { ...words, fixedString: true });
    expect(found.matches).toEqual([{ path: "a.txt", line: 1, column: 4, text: "é😀 needle" }]);
  });

  it("X-48 the carriage return belongs to the line", async () => {
    const { root } = await scratchRoot({ "a.txt": "needle\r\nx\r\n" });
    expect((await searchText(root, words)).matches[0]?.text).toBe("needle\r");
  });

  it("J-50 stops at max_matches, truncated, and the first ones are always the same", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`f${String(i).padStart(2, "0")}.txt`, "needle\n".repeat(100)]),
    );
    const { root } = await scratchRoot(files);
    const found = await searchText(root, { ...words, maxMatches: 150 });
    expect(found).toMatchObject({ matchCount: 150, truncated: true });
    expect(found.matches.at(-1)).toMatchObject({ path: "f01.txt", line: 50 });
  });

  it("J-51 a match that would pass max_output_bytes is left out", async () => {
    const { root } = await scratchRoot({ "a.txt": "needle 1\nneedle 2\nneedle 3\n" });
    const found = await searchText(root, { ...words, maxBytes: 17 });
    expect(found.matches.map((match) => match.text)).toEqual(["needle 1", "needle 2"]);
    expect(found.truncated).toBe(true);
    expect((await searchText(root, { ...words, maxBytes: 24 })).truncated).toBe(false);
  });

  it("X-50 the first match is cut rather than left out, at a code point", async () => {
    const { root } = await scratchRoot({ "a.txt": `needle ${"é".repeat(5_000)}\n` });
    const found = await searchText(root, { ...words, maxBytes: 10 });
    expect(found.matches.map((match) => match.text)).toEqual(["needle é"]);
    expect(found.truncated).toBe(true);
  });

  it("X-02 context lines are matches that say so, and the last match keeps its own", async () => {
    const lines = ["1", "needle", "3", "4", "5", "6", "7", "needle", "9:10:x", "10"].join("\n");
    const { root } = await scratchRoot({ "a-1-b.txt": `${lines}\n` });
    const all = await searchText(root, { ...words, contextLines: 1 });
    expect(all.matches.map((match) => [match.path, match.line, match.context ?? false])).toEqual([
      ["a-1-b.txt", 1, true],
      ["a-1-b.txt", 2, false],
      ["a-1-b.txt", 3, true],
      ["a-1-b.txt", 7, true],
      ["a-1-b.txt", 8, false],
      ["a-1-b.txt", 9, true],
    ]);
    expect(all.matchCount).toBe(2);
    const first = await searchText(root, { ...words, contextLines: 1, maxMatches: 1 });
    expect(first.matches.map((match) => match.line)).toEqual([1, 2, 3]);
  });

  it("X-49 searches where it is told: paths from the root, else cwd", async () => {
    const { root } = await scratchRoot({ "a/x.txt": "needle\n", "b/y.txt": "needle\n" });
    const paths = async (more: Partial<SearchTextOptions>) =>
      (await searchText(root, { ...words, ...more })).matches.map((match) => match.path);
    expect(await paths({ paths: ["b"] })).toEqual(["b/y.txt"]);
    expect(await paths({ paths: ["a/x.txt", "./b"] })).toEqual(["a/x.txt", "b/y.txt"]);
    expect(await paths({ cwd: "a" })).toEqual(["a/x.txt"]);
    expect(await paths({ cwd: "a", paths: ["b"] })).toEqual(["b/y.txt"]);
    expect(await paths({ paths: [join(root.path, "a")] })).toEqual(["a/x.txt"]);
  });

  it("X-05 a path or cwd that leads out of the root is invalid_path", async () => {
    const { root, dir, outside } = await scratchRoot({ "a.txt": "needle\n" });
    writeFileSync(join(outside, "o.txt"), "needle\n");
    symlinkSync(outside, join(dir, "link"));
    for (const paths of [["link"], ["link/none"], ["link/o.txt"], [outside], ["../outside"]]) {
      await expect(searchText(root, { ...words, paths })).rejects.toMatchObject({ code: "invalid_path" });
    }
    for (const cwd of ["link", "none", "a.txt"]) {
      await expect(searchText(root, { ...words, cwd })).rejects.toMatchObject({ code: "invalid_path" });
    }
    const all = await searchText(root, words);
    expect(all.matches.map((match) => match.path)).toEqual(["a.txt"]); // the link is not followed either
  });

  it("X-07 a FIFO is not waited for, in the tree or named", async () => {
    const { root, dir } = await scratchRoot({ "a.txt": "needle\n" });
    execFileSync("mkfifo", [join(dir, "pipe")]);
    expect((await searchText(root, words)).matchCount).toBe(1);
    await expect(searchText(root, { ...words, paths: ["pipe"] })).rejects.toMatchObject({ code: "invalid_path" });
  });

  it("X-07 a pattern or a name that looks like an option is none", async () => {
    const { root } = await scratchRoot({ "-": "--files here\n", "--help": "--files there\n" });
    const found = await searchText(root, { ...words, pattern: "--files", paths: ["-", "--help"] });
    expect(found.matches.map((match) => match.path).sort()).toEqual(["-", "--help"]);
  });

  it("X-02 what the deny list names is not there", async () => {
    const { root, dir } = await scratchRoot({
      "a.txt": "needle\n",
      "conf/b.pem": "needle\n",
      "conf/c.txt": "needle\n",
    });
    symlinkSync("conf", join(dir, "alias"));
    const deny = ["*.pem"];
    expect((await searchText(root, { ...words, deny })).matches.map((match) => match.path)).toEqual([
      "a.txt",
      "conf/c.txt",
    ]);
    await expect(searchText(root, { ...words, deny, paths: ["conf/b.pem"] })).rejects.toMatchObject({ code: "denied" });
    const byLink = await searchText(root, { ...words, deny: ["conf/c.txt"], paths: ["alias"] });
    expect(byLink.matches.map((match) => match.path)).toEqual(["alias/b.pem"]);
  });

  it("J-47 a binary file is passed over", async () => {
    const { root } = await scratchRoot({ "a.bin": Buffer.from("needle\0needle\nneedle\n"), "b.txt": "needle\n" });
    expect((await searchText(root, words)).matches.map((match) => match.path)).toEqual(["b.txt"]);
  });

  it("J-43 bytes that are no UTF-8 are shown, not lost", async () => {
    const { root } = await scratchRoot({ "a.txt": Buffer.from("caf\xe9 needle\n2 needle\n", "latin1") });
    const found = await searchText(root, { ...words, fixedString: true });
    expect(found.matches).toEqual([
      { path: "a.txt", line: 1, column: 6, text: "caf\ufffd needle" },
      { path: "a.txt", line: 2, column: 3, text: "2 needle" },
    ]);
  });

  it("J-47 a path may look like a match", async () => {
    const { root } = await scratchRoot({ "a:1:b.txt": "x\nneedle\n" });
    expect((await searchText(root, words)).matches).toMatchObject([{ path: "a:1:b.txt", line: 2, text: "needle" }]);
  });
});
