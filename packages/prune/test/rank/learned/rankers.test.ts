import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTreeSitterGrammars } from "../../../src/outline/grammars.ts";
import { prune } from "../../../src/prune.ts";
import { loadLearnedRanker } from "../../../src/rank/learned/load-ranker.ts";
import { trainedFor } from "../../../src/rank/learned/use.ts";
import { createHandSetRanker, type Ranker, type RankInput } from "../../../src/rank/score.ts";
import { segment } from "../../../src/segment.ts";
import { parseFocus } from "../../../src/text/focus.ts";
import { splitLines } from "../../../src/text/lines.ts";

const grammars = createTreeSitterGrammars();
async function toInput(text: string, focus: string, path = "a.ts"): Promise<RankInput> {
  const table = splitLines(text);
  const outline = await segment(table, { kind: "code", path, grammars, shouldStop: () => false });
  return { table, focus: parseFocus(focus), outline };
}
const noise = (i: number): string =>
  `export function format${i}(row: Row): string {\n  const cells = row.cells.map((cell) => cell.text);\n  return cells.join("${i}");\n}\n\n`;
const ANSWER = `/** Waits longer after every failed delivery. */\nfunction backoff(attempt: number): number {\n  const delayMs = BASE_DELAY_MS * 2 ** attempt;\n  return Math.min(delayMs, MAX_DELAY_MS);\n}\n\n`;
const CODE = `${Array.from({ length: 20 }, (_, i) => noise(i)).join("")}${ANSWER}${Array.from({ length: 20 }, (_, i) => noise(i + 20)).join("")}`;

/** What everyone who claims to rank lines must do. */
describe.each<[string, () => Promise<Ranker>]>([
  ["hand-set", async () => createHandSetRanker()],
  ["learned", () => loadLearnedRanker("question")],
  ["issues'", () => loadLearnedRanker("issue")],
])("the %s ranker", (_name, create) => {
  it("puts the lines that answer first", async () => {
    const ranker = await create();
    const { scores, coverage } = ranker.rank(await toInput(CODE, "how long is the delay after a failed attempt?"));
    const first = CODE.split("\n").findIndex((line) => line.includes("function backoff"));
    const best = scores.indexOf(Math.max(...scores));
    expect(best).toBeGreaterThanOrEqual(first - 1);
    expect(best).toBeLessThanOrEqual(first + 3);
    expect(coverage).toBeGreaterThan(0);
  });

  it("calls little evidence where one function of two hundred answers", async () => {
    const ranker = await create();
    const many = Array.from({ length: 200 }, (_, i) => (i === 120 ? ANSWER : noise(i))).join("");
    const { scores, cutOff } = ranker.rank(await toInput(many, "how long is the delay after a failed attempt?"));
    const evidence = scores.filter((score) => score >= cutOff).length;
    expect(evidence).toBeGreaterThan(2);
    expect(evidence).toBeLessThan(scores.length / 20);
  });

  it("gives every line of any text one quantised score, and the same one each time", async () => {
    const ranker = await create();
    const line = fc.constantFrom(
      "",
      "def f(x):",
      "  if x:",
      "    return load(x)",
      "}",
      "class A {",
      "x = '日本'",
      "// load",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 60 }),
        fc.constantFrom("load x", "A", "", "f.py:3"),
        async (lines, focus) => {
          const input = await toInput(lines.join("\n"), focus, "a.py");
          const { scores, cutOff } = ranker.rank(input);
          expect(scores).toHaveLength(input.table.count);
          for (const s of [...scores, cutOff]) {
            expect(s).toBeGreaterThanOrEqual(0);
            expect(s).toBeLessThanOrEqual(1);
            expect(Number.isInteger(s * 1024)).toBe(true);
          }
          expect(ranker.rank(input).scores).toEqual(scores);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("shows the skeleton of a text that says nothing of the focus", async () => {
    const ranker = await create();
    const { scores, coverage } = ranker.rank(await toInput(CODE, "kubernetes ingress"));
    expect(coverage).toBe(0);
    const headers = CODE.split("\n").flatMap((line, i) => (/function /.test(line) ? [scores[i] ?? 0] : []));
    const bodies = CODE.split("\n").flatMap((line, i) => (line.startsWith("  ") ? [scores[i] ?? 0] : []));
    expect(Math.min(...headers)).toBeGreaterThan(Math.max(...bodies));
  });
});

/** What an agent wants a text for, with words that it has none of. */
describe.each(["read", "search", "run"] as const)("the ranker for a %s", (use) => {
  it("still tells lines apart by the text itself, in quantised scores, the same each time", async () => {
    const ranker = await loadLearnedRanker(use);
    const input = await toInput(CODE, "kubernetes ingress");
    const { scores, cutOff } = ranker.rank(input);
    expect(new Set(scores).size).toBeGreaterThan(10);
    for (const score of [...scores, cutOff]) expect(Number.isInteger(score * 1024)).toBe(true);
    expect(ranker.rank(input).scores).toEqual(scores);
  });

  it("puts the function that the last thought names before its likes", async () => {
    const ranker = await loadLearnedRanker(use);
    const { scores } = ranker.rank(
      await toInput(CODE, "deliver mails\nNow I need to change `backoff` so that it waits."),
    );
    const first = CODE.split("\n").findIndex((line) => line.includes("function backoff"));
    const best = scores.indexOf(Math.max(...scores));
    expect(best).toBeGreaterThanOrEqual(first - 1);
    expect(best).toBeLessThanOrEqual(first + 3);
  });
});

it("keeps the function that the agent's last thought names whole, and the lines that call it", async () => {
  const body = Array.from({ length: 12 }, (_, i) => `  row.cells[${i}] = paint(${i});`).join("\n");
  const many = Array.from({ length: 30 }, (_, i) => `function draw${i}(row) {\n${body}\n}\n`);
  many[20] = `function drawEdge(row) {\n${body}\n}\n`;
  many[7] = `function frame(row) {\n${body}\n  drawEdge(row);\n}\n`;
  const text = many.join("\n");
  const focus = "the picture is wrong\nLet me change `drawEdge`.";
  const amount = { mode: "share", keep: 0.12 } as const;
  const { kept } = await prune(text, { focus, use: "read", kind: "code", path: "a.js", grammars, amount });
  const lines = text.split("\n");
  const start = lines.indexOf("function drawEdge(row) {");
  expect(kept.slice(start, start + 14).every((why) => why !== 0)).toBe(true);
  expect(kept[lines.indexOf("  drawEdge(row);")]).not.toBe(0);
});

describe("a focus without a use", () => {
  const ISSUE = `Deliveries are dropped. ${"After a failed attempt the next one follows at once. ".repeat(8)}`;

  it("is an issue where it is longer than questions are, and a question else", () => {
    expect(trainedFor(undefined, ISSUE)).toBe("issue");
    expect(trainedFor(undefined, "how long is the delay after a failed attempt?")).toBe("question");
    expect(trainedFor(undefined, `${" ".repeat(400)}delay${" ".repeat(400)}`)).toBe("question");
    expect(trainedFor("question", ISSUE)).toBe("question");
    expect(trainedFor("read", ISSUE)).toBe("read");
  });

  it("of an issue is ranked by the trees for issues, unless a use is named", async () => {
    const options = { focus: ISSUE, path: "a.ts", grammars, amount: { mode: "share", keep: 0.2 } } as const;
    const kept = async (more: object): Promise<number[]> => [...(await prune(CODE, { ...options, ...more })).kept];
    const byIssue = await kept({});
    expect(byIssue).toEqual(await kept({ ranker: await loadLearnedRanker("issue") }));
    expect(await kept({ use: "question" })).toEqual(await kept({ ranker: await loadLearnedRanker("question") }));
    const lines = CODE.split("\n");
    expect(byIssue[lines.findIndex((line) => line.includes("function backoff"))]).toBeGreaterThan(0);
  });
});
