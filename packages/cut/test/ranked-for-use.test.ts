// What a hook brings is no question: where its session is known, its text is ranked for what the agent wants it for.
import { describe, expect, it } from "vitest";
import type { ShownCut } from "../src/cut-request.ts";
import type { Engine } from "../src/engine/engine.ts";
import { createInProcessEngine } from "../src/engine/in-process.ts";
import { outlineFor } from "../src/policy/outline-for.ts";
import { constantPolicy, type Policy } from "../src/policy/policy.ts";
import { policyFor } from "../src/policy/priced.ts";
import type { Situation } from "../src/policy/situation.ts";
import { given, request } from "./given.ts";

/** 60 functions of 16 lines, most of them about what the user said; the agent is about to change `drawEdge`, which `frame` calls. */
const bodyOf = (index: number): string =>
  Array.from({ length: 14 }, (_, i) => `  table.totals[${i}] = sumOf(row.cells[${i}], wrong(${index}));`).join("\n");
const nameOf = (index: number): string => (index === 23 ? "drawEdge" : index === 7 ? "frame" : `sumRow${index}`);
const TEXT = Array.from({ length: 60 }, (_, index) => {
  const call = index === 7 ? "  drawEdge(row);\n" : "";
  const body =
    index === 23 ? bodyOf(index).replaceAll("table.totals", "edge.points").replaceAll("sumOf", "bend") : bodyOf(index);
  return `function ${nameOf(index)}(row) {\n${body}\n${call}}\n`;
}).join("\n");
const LINES = TEXT.split("\n");
const THOUGHT = "the sum of the row's cells in the totals of the table is wrong\nLet me change `drawEdge`.";

async function shownFor(situation: Situation): Promise<ShownCut> {
  const { cutter } = await given();
  const result = await cutter.cut(
    request({
      ...{ text: TEXT, focus: THOUGHT, path: "draw.js", situation },
      policy: policyFor(situation, {}),
      outline: outlineFor(situation.class, TEXT),
    }),
  );
  if (result.kind !== "cut") throw new Error(`whole: ${result.reason}`);
  return result;
}

/** What the engine was asked to rank the text for, run by run. */
async function usesOf(situation: Situation, policy: Policy): Promise<unknown[]> {
  const uses: unknown[] = [];
  const inner = createInProcessEngine();
  const engine: Engine = {
    prune(table, asked) {
      uses.push(asked.use);
      return inner.prune(table, asked);
    },
  };
  const { cutter } = await given({ engine });
  await cutter.cut(request({ text: TEXT, focus: THOUGHT, path: "draw.js", situation, policy }));
  return uses;
}

describe("X-56 a text whose session is known", () => {
  it("is shown as an outline with the function that the agent names whole, and the line that calls it", async () => {
    const { way, pruned } = await shownFor({ class: "read", contextTokens: 30_000 });
    expect(way).toBe("outline");
    const start = LINES.indexOf("function drawEdge(row) {");
    expect(Array.from(pruned.kept.subarray(start, start + 16)).filter((why) => why === 0)).toEqual([]);
    expect(pruned.kept[LINES.indexOf("  drawEdge(row);")]).not.toBe(0);
    // Of all others no more than the header.
    const shown = pruned.kept.reduce((sum, why) => sum + (why === 0 ? 0 : 1), 0);
    expect(shown).toBeLessThan(LINES.length / 4);
  });

  it.each([
    ["read", "read"],
    ["search", "search"],
    // These were asked for with a question.
    ["other", "question"],
    // What failed in these is found by rule.
    ["test", "question"],
    ["run", "question"],
    ["git", "question"],
  ] as const)("of the class %s is ranked for the use %s", async (outputClass, use) => {
    const known = { class: outputClass, contextTokens: 30_000 };
    expect(await usesOf(known, policyFor(known, {}))).toEqual([use]);
  });

  it("X-23 is ranked by its focus alone where no transcript tells of its session, as at every other door", async () => {
    expect(await usesOf({ class: "read" }, constantPolicy)).toEqual([undefined]);
  });
});
