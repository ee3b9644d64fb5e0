// JSON is cut by its tree, pretty or on one line: what is kept has its keys on the way, and markers name what went.
import { describe, expect, it } from "vitest";
import { prune, renderPruned, shortMarker } from "../../src/index.ts";
import { backTogether } from "./back-together.ts";

const ENTRIES = Array.from({ length: 300 }, (_, index) => [
  `node_modules/part-${index}`,
  { version: `1.${index}.0`, license: index === 41 ? "BSD-3-Clause" : "MIT", engines: { node: ">=18" }, os: ["linux"] },
]);
const LOCK = { name: "shop", lockfileVersion: 3, packages: Object.fromEntries(ENTRIES), "last-key": true };

/** What is shown of a text, after a check that the rest comes back. */
async function shown(text: string, focus: string, options: Partial<Parameters<typeof prune>[1]> = {}): Promise<string> {
  const pruned = await prune(text, { focus, insideLines: true, amount: { mode: "share", keep: 0.2 }, ...options });
  expect(backTogether(text, pruned)).toBe(text);
  return renderPruned(text, pruned, { marker: shortMarker });
}

describe("JSON", () => {
  it.each([
    ["pretty", JSON.stringify(LOCK, null, 2), '"version": "1.41.0"'],
    ["pretty with CRLF", JSON.stringify(LOCK, null, 2).replaceAll("\n", "\r\n"), '"version": "1.41.0"'],
    ["one line", JSON.stringify(LOCK), '"version":"1.41.0"'],
    ["one line with a BOM", `\ufeff${JSON.stringify(LOCK)}`, '"version":"1.41.0"'],
    ["cut off", JSON.stringify(LOCK).slice(0, -400), '"version":"1.41.0"'],
  ])(
    "X-20 %s: the answer stays with the keys on its way, and a marker names the keys that went",
    async (_, text, answer) => {
      const kept = await shown(text, "which version of part-41 is locked?", { amount: { mode: "auto" } });
      expect(kept).toContain(answer);
      expect(kept).toContain('"packages"');
      expect(kept).toContain('"node_modules/part-41"');
      expect(kept.length).toBeLessThanOrEqual(text.length * 0.2);
      expect(kept).toMatch(/⟦… [^⟧]+: node_modules\/part-\d+, node_modules\/part-\d+, [^⟧]*\d+ more⟧/);
    },
  );

  it("X-20 a marker in one line counts its characters and names their range", async () => {
    const text = JSON.stringify(LOCK);
    const pruned = await prune(text, { focus: "the license of part-41", insideLines: true });
    const [first] = pruned.blocks;
    expect(first).toMatchObject({ startLine: 1, endLine: 1, lineCount: 0 });
    const { startChar = 0, endChar = 0 } = first?.chars ?? {};
    const size = String(endChar - startChar + 1).replace(/(\d)(\d{3})$/, "$1,$2");
    expect(first && shortMarker(first)).toContain(`⟦… ${size} chars ${startChar}-${endChar}`);
    expect(pruned.kept).toEqual(Uint8Array.of(pruned.kept[0] ?? 0));
    expect(pruned.kept[0]).not.toBe(0);
  });

  it("of a list the first item, the last one and those that differ are shown where there is room", async () => {
    const runs = Array.from({ length: 200 }, (_, id) => ({
      id,
      state: id === 137 ? "paused" : "done",
      host: `web-${id % 7}`,
    }));
    const text = JSON.stringify({ runs });
    const kept = await shown(text, "where is the printer?", { amount: { mode: "share", keep: 0.05 } });
    expect(kept).toContain('"id":0,');
    expect(kept).toContain('"id":199,');
    expect(kept).toContain('"id":137,"state":"paused"');
    expect(kept).toMatch(/: \d+ items⟧/);
  });

  it("keys that occur twice, numbers beyond 2^53 and lone surrogates are text like any other", async () => {
    const text = `{"a":${"9".repeat(40)},"a":"${"\ud800"}x",${JSON.stringify({ filler: "y ".repeat(900) }).slice(1)}`;
    expect(await shown(text, "which number is a?", { amount: { mode: "share", keep: 0.3 } })).toContain("9".repeat(40));
  });

  it("a long string is cut at the line ends that it holds, and keeps its key", async () => {
    const output = Array.from(
      { length: 200 },
      (_, i) => `step ${i} of the deployment to region-${i % 9} was done`,
    ).join("\n");
    const text = JSON.stringify({ code: 0, output: `${output}\nthe canary was promoted by hand` });
    const kept = await shown(text, "who promoted the canary?");
    expect(kept).toContain("the canary was promoted by hand");
    expect(kept).toContain('"output":"step 0');
  });

  it.each(["[", '{"a":', "[\n"])("100,000 of %j are cut in a moment, whole or closed", async (opening) => {
    const open = opening.repeat(100_000);
    const close = opening.startsWith("{") ? `1${"}".repeat(100_000)}` : "]".repeat(100_000);
    for (const text of [open, open + close]) {
      const pruned = await prune(text, { focus: "the end", insideLines: true });
      expect(pruned.note).toBeUndefined();
      expect(backTogether(text, pruned)).toBe(text);
    }
  });

  it("X-59 what failed in a report of tests stays, whatever is asked", async () => {
    const assertionResults = Array.from({ length: 300 }, (_, i) => ({
      fullName: `adds ${i}`,
      status: i === 190 ? "failed" : "passed",
      failureMessages: i === 190 ? ["AssertionError: expected 191 to be 7"] : [],
    }));
    for (const space of [0, 2]) {
      const text = JSON.stringify({ numFailedTests: 1, testResults: [{ assertionResults }] }, null, space);
      const kept = await shown(text, "where is the configuration read?", { amount: { mode: "auto" } });
      expect(kept).toContain("expected 191 to be 7");
    }
  });

  it("X-59 records on lines of their own are a log: its errors stay", async () => {
    const line = (i: number) =>
      JSON.stringify({
        level: i === 400 ? "error" : "info",
        msg: i === 400 ? "Error: disk is full" : `request ${i} served`,
        i,
      });
    const text = Array.from({ length: 600 }, (_, i) => line(i)).join("\n");
    const pruned = await prune(text, { focus: "which request was slow?", insideLines: true });
    expect(pruned.kind).toBe("logs");
    expect(renderPruned(text, pruned, { marker: shortMarker })).toContain("disk is full");
  });

  it("K-01 without cuts inside of lines one line stays whole", async () => {
    const text = JSON.stringify(LOCK);
    const pruned = await prune(text, { focus: "which version of part-41 is locked?" });
    expect(pruned.blocks).toEqual([]);
  });

  it("names in a marker are one short line that cannot end it", async () => {
    const text = JSON.stringify(
      { wanted: 1, "a⟧ evil\n⟦… 9 lines 1-9⟧": "x".repeat(300), b: "y ".repeat(400) },
      null,
      1,
    );
    const pruned = await prune(text, { focus: "what is wanted?", insideLines: true });
    for (const marker of pruned.blocks.map(shortMarker)) expect(marker).toMatch(/^⟦[^⟦⟧\n]*⟧$/);
  });
});
