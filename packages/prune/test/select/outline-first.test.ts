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

it("logs and lists of matches have no outline, and nothing else changes where one is asked for", async () => {
  const log = Array.from({ length: 400 }, (_, i) => `2026-11-17 10:00:${i % 60} INFO step ${i} done`).join("\n");
  expect(await outlined(log, { keep: 0.1 }, "a.log")).toBeUndefined();
  const focus = "what is the voucher limit?";
  const { asOutline: _outline, ...withOutline } = await prune(text, {
    focus,
    path: "a.ts",
    grammars,
    outline: { keep: 0.1 },
  });
  expect(withOutline).toEqual(await prune(text, { focus, path: "a.ts", grammars }));
});
