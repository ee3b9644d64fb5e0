import { expect, it } from "vitest";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";
import { prune } from "../../src/prune.ts";
import { renderPruned, shortMarker } from "../../src/render.ts";
import type { OutlineAmount } from "../../src/select/outline-first.ts";

const grammars = createTreeSitterGrammars();
const functions = Array.from({ length: 60 }, (_, index) => {
  const body = Array.from({ length: 18 }, (_, k) => `  const step${k} = take(rows[${k}], ${index * k});`);
  const answer = index === 40 ? ["  const voucherLimit = 4_200;"] : [];
  return [
    `export function handle${index}(rows: Row[]): Outcome {`,
    ...answer,
    ...body,
    "  return done(rows);",
    "}",
    "",
  ];
});
const text = ['import { take } from "./take.ts";', "", "export class Desk {}", "", ...functions.flat()].join("\n");
const lines = text.split("\n");

async function outlined(source = text, outline: OutlineAmount = { keep: 0.1 }, path = "a.ts") {
  return (await prune(source, { focus: "what is the voucher limit?", path, grammars, outline })).asOutline;
}

it("X-56 shows the header of every scope and the best part in full, with true numbers", async () => {
  const found = await outlined();
  if (found === undefined) throw new Error("no outline");
  const shown = renderPruned(text, found, { marker: shortMarker, lineNumbers: true }).split("\n");
  for (const [index, line] of lines.entries())
    if (/^export (?:function|class)/.test(line)) expect(shown).toContain(`${index + 1}│ ${line}`);
  expect(shown.some((line) => line.endsWith("  const voucherLimit = 4_200;"))).toBe(true);
  expect(shown.join("\n").length).toBeLessThan(text.length / 3);
});

it("X-56 with a bound it is no longer than that, and still has every header", async () => {
  const wide = await outlined(text, { keep: 0.3 });
  const bound = await outlined(text, { keep: 0.3, most: 0.25 });
  const none = await outlined(text, { keep: 0.3, most: 0.01 });
  const shares = [wide, bound, none].map((found) => {
    if (found === undefined) throw new Error("no outline");
    for (const [index, line] of lines.entries())
      if (line.startsWith("export function")) expect(found.kept[index]).not.toBe(0);
    return renderPruned(text, found, { marker: shortMarker }).length / text.length;
  });
  expect(shares[0]).toBeGreaterThan(0.28);
  expect(shares[1]).toBeLessThanOrEqual(0.25);
  // Of the headers none goes: where they alone pass the bound, nothing else is shown.
  expect(shares[2]).toBeLessThan(shares[1] ?? 0);
  expect(shares[2]).toBeGreaterThan(0.01);
});

it("X-56 a scope that shows its header alone is not closed, and one with a line in full is", async () => {
  const found = await outlined();
  const isKept = (line: number) => found?.kept[line] !== 0;
  const closers = lines.flatMap((line, index) => (line === "}" ? [index] : []));
  const isOpen = (closer: number) => {
    const header = lines.findLastIndex((line, index) => index < closer && line.startsWith("export function"));
    return lines.some((_, index) => index > header && index < closer && isKept(index));
  };
  expect(closers.filter(isKept)).toEqual(closers.filter(isOpen));
  expect(closers.filter(isKept).length).toBeGreaterThan(0);
});

it("X-56 no dropped block is longer than an agent would read at once", async () => {
  const flat = Array.from({ length: 900 }, (_, index) => `const value${index} = compute(${index}, "x");`).join("\n");
  const found = await outlined(flat);
  const longest = Math.max(...(found?.blocks.map(({ lineCount }) => lineCount) ?? [Number.POSITIVE_INFINITY]));
  expect(longest).toBeLessThanOrEqual(26);
});

it("X-56 of a part of a file small scopes are not listed", async () => {
  const body = (i: number) =>
    Array.from({ length: 4 }, (_, k) => `  record("a long line that says something", ${i}, ${k});`);
  const small = Array.from({ length: 200 }, (_, i) =>
    [`export function tiny${i}() {`, ...body(i), "}", ""].join("\n"),
  ).join("\n");
  const all = await outlined(small);
  const few = await outlined(small, { keep: 0.05, minScopeLines: 8 });
  const count = (kept: Uint8Array | undefined) => kept?.filter((why) => why !== 0).length ?? 0;
  expect(count(few?.kept)).toBeLessThan(count(all?.kept));
});

it("X-56 callbacks are listed by the string that they are passed with, and not without one", async () => {
  const callback = (i: number) => [
    `  rows${i}.forEach((row) => {`,
    ...Array.from({ length: 12 }, (_, k) => `    write(row.cells[${k}], ${i});`),
    "  });",
  ];
  const tests = Array.from({ length: 30 }, (_, i) => [`it("adds up row ${i}", () => {`, ...callback(i), "});", ""]);
  const source = tests.flat().join("\n");
  const shown = await shownLines(source);
  for (let i = 0; i < 30; i++) expect(shown).toContain(`it("adds up row ${i}", () => {`);
  const listed = shown.filter((line) => line.includes(".forEach("));
  expect(listed.length).toBeLessThan(15);
  // Where nothing else would be listed, they are better than nothing.
  const bare = Array.from({ length: 30 }, (_, i) => callback(i).map((line) => line.slice(2))).flat();
  const found = await shownLines(bare.join("\n"));
  expect(found.filter((line) => line.includes(".forEach("))).toHaveLength(30);
});

async function shownLines(source: string): Promise<string[]> {
  const kept = (await outlined(source))?.kept ?? new Uint8Array();
  return source.split("\n").filter((_, index) => kept[index] !== 0);
}

it("X-56 X-59 of a log in short, the failures and about the share that was asked for are shown", async () => {
  const steps = Array.from({ length: 400 }, (_, i) => `2026-11-17 10:00:${i % 60} INFO step ${i} took ${i * 7} ms`);
  const failure = "2026-11-17 10:04:00 ERROR step 250 failed: connection refused";
  const log = steps.toSpliced(250, 1, failure);
  const found = await outlined(log.join("\n"), { keep: 0.1, keepOfLog: 0.2 }, "a.log");
  if (found === undefined) throw new Error("nothing in short");
  const shown = log.filter((_, index) => found.kept[index] !== 0);
  expect(shown).toContain(failure);
  expect(shown.join("\n").length).toBeGreaterThan(log.join("\n").length * 0.1);
  expect(shown.join("\n").length).toBeLessThan(log.join("\n").length * 0.22);
});

it("logs, unless they are asked for in short, and lists of matches have no outline, and nothing else changes where one is asked for", async () => {
  const log = Array.from({ length: 400 }, (_, i) => `2026-11-17 10:00:${i % 60} INFO step ${i} done`).join("\n");
  expect(await outlined(log, { keep: 0.1 }, "a.log")).toBeUndefined();
  const matches = Array.from({ length: 40 }, (_, i) => `src/a${i}.ts:${i + 1}:const voucher${i} = limit;`).join("\n");
  expect(await outlined(matches, { keep: 0.1, keepOfLog: 0.2 }, "")).toBeUndefined();
  const focus = "what is the voucher limit?";
  const { asOutline: _outline, ...withOutline } = await prune(text, {
    focus,
    path: "a.ts",
    grammars,
    outline: { keep: 0.1 },
  });
  expect(withOutline).toEqual(await prune(text, { focus, path: "a.ts", grammars }));
});
