// X-58 through the pipeline: what the lines look like decides whether they are a search's, and no match disappears.
import { describe, expect, it } from "vitest";
import type { CutRequest, CutResult, ShownCut } from "../../src/cut-request.ts";
import { orderPolicy } from "../../src/policy/policy.ts";
import { given, request } from "../given.ts";
import { placesIn, placesOf } from "./match-places.ts";

const FOCUS = "Where is the voucher archive unpacked?";
const LIST = Array.from({ length: 400 }, (_, i) => {
  const what = i === 217 ? "voucher.archive, unpacked" : `request.rows[${i}].target, options`;
  return `src/part-${Math.floor(i / 20)}/paths.ts:${i * 3 + 1}:  const place${i} = normalizePath(${what});`;
});
const LOG = Array.from({ length: 400 }, (_, i) =>
  i === 233
    ? "2026-01-11T10:00:33Z ERROR worker 233 failed: the disk is full"
    : `2026-01-11T10:00:${10 + (i % 50)}Z INFO worker ${i} handled row ${i}`,
);
const textOf = (...lines: readonly (readonly string[])[]) => `${lines.flat().join("\n")}\n`;

function shownOf(result: CutResult): ShownCut {
  if (result.kind !== "cut") throw new Error(`whole: ${result.reason} ${String(result.cause ?? "")}`);
  return result;
}
/** A command's output, as a tool hands it over. */
const printed = ({ path: _path, ...more }: Partial<CutRequest>): CutRequest => {
  const { path: _, ...common } = request({ focus: FOCUS, caller: { ...request().caller, tool: "bash" }, ...more });
  return { ...common, source: { tool: "bash" } };
};

describe("X-58 a search is known by its lines", () => {
  it.each([
    [
      "a loop of which the last search found nothing",
      { command: 'for f in *; do grep -nH x "$f"; done', kind: "logs" },
    ],
    ["a search that is negated", { command: "! grep -rn x src", kind: "logs" }],
    ["xargs", { command: "find src -print0 | xargs -0 -n1 grep -nH x", kind: "logs" }],
    ["a pipe", { command: "grep -rn x src | tee m.txt" }],
    ["another pipe", { command: "grep -rn x src | sed 's/a/b/' | awk '{print}'" }],
    ["a separator that is as usual", { command: "rg -n --field-match-separator=: x src" }],
    ["a file", { path: "found.txt" }],
    ["a file of another name", { path: "found.log", kind: "logs" }],
    ["no name at all", {}],
  ] as const)("%s", async (_, more) => {
    const { cutter } = await given();
    const { path } = more as { path?: string };
    const asked = { ...printed({ text: textOf(LIST), ...more }), ...(path === undefined ? {} : { path }) };
    const cut = shownOf(await cutter.cut(asked));
    const [shown = ""] = cut.parts;
    expect(placesIn(shown)).toEqual(placesOf(LIST));
    expect(shown).toContain("normalizePath(voucher.archive, unpacked)");
    expect(shown.length).toBeLessThan(textOf(LIST).length / 2);
  });

  it.each([
    ["cat app.log; grep -rn normalizePath src", [LOG, LIST]],
    ["grep -rn normalizePath src; cat app.log", [LIST, LOG]],
    ["cat app.log | head -200 && rg -n normalizePath src | head -400", [LOG, LIST]],
    ["./uses.sh", [LOG, LIST, LOG]],
  ])("%s: the log is cut as a log, and every match is named", async (command, lines) => {
    const { cutter } = await given();
    const text = textOf(...lines);
    const cut = shownOf(await cutter.cut(printed({ text, command })));
    const [shown = ""] = cut.parts;
    expect(placesIn(shown).filter((place) => place.startsWith("src/"))).toEqual(placesOf(LIST));
    expect(shown).toContain("ERROR worker 233 failed");
    expect(shown).toContain("normalizePath(voucher.archive, unpacked)");
    expect(shown.length).toBeLessThan(text.length / 3);
    expect(cut.pruned.kind).toBe("logs");
    expect(cut.blocks).toEqual(cut.pruned.blocks);
  });

  it("one match behind a log is named, and a search that found nothing leaves a log a log", async () => {
    const { cutter } = await given();
    const command = "cat app.log; grep -rn normalizePath src";
    const [last = ""] = LIST;
    const [shown = ""] = shownOf(await cutter.cut(printed({ text: textOf(LOG, LOG, [last]), command }))).parts;
    expect(placesIn(shown)).toContain("src/part-0/paths.ts:1");
    const none = shownOf(await cutter.cut(printed({ text: textOf(LOG, LOG), command, kind: "logs" })));
    expect(none.list).toBeUndefined();
    expect(none.pruned.kind).toBe("logs");
  });

  it("X-59 of a failed build that prints findings none is taken for a match", async () => {
    const { cutter } = await given();
    const found = Array.from({ length: 500 }, (_, i) =>
      i === 300
        ? "src/cart.c:3:1: error: expected ';' before 'return'"
        : `src/row.c:${i + 1}:5: warning: unused variable 'row${i}' [-Wunused-variable]`,
    );
    const cut = shownOf(await cutter.cut(printed({ text: textOf(found), command: "make", kind: "logs" })));
    expect(cut.pruned.kind).toBe("logs");
    expect(cut.parts[0]).toContain("error: expected ';'");
  });

  it("X-51 what a client cannot show whole has the ends of the other lines and every match", async () => {
    const { cutter } = await given();
    const text = textOf(LOG, LIST, LOG);
    const asked = printed({ text, command: "./uses.sh", room: { maxChars: 12_000, keepsTail: true } });
    const page = await cutter.fit(asked);
    const [shown = ""] = page?.parts ?? [];
    expect(shown.length).toBeLessThan(12_000);
    expect(placesIn(shown).filter((place) => place.startsWith("src/"))).toEqual(placesOf(LIST));
    expect(shown.startsWith(`${LOG[0]}\n`)).toBe(true);
    expect(shown).toContain(`\n${LOG.at(-1)}\n`);
  });

  it("a page that shows some matches is still a page", async () => {
    const { cutter } = await given();
    const page = Array.from(
      { length: 60 },
      (_, i) =>
        `## Part ${i}\n\n${`How part ${i} of ${i === 31 ? "the voucher archive" : "all this"} works. `.repeat(8)}\n`,
    );
    const text = textOf(page, ["```"], LIST.slice(0, 8), ["```"], page);
    for (const more of [{ path: "uses.md" }, { command: "cat uses.md" }]) {
      const cut = shownOf(await cutter.cut({ ...printed({ text, args: more }), ...more }));
      expect(cut.pruned.kind).toBe("docs");
      expect(cut.list).toBeUndefined();
    }
  });
});

describe("X-58 an order without an amount", () => {
  const order = (more: Partial<CutRequest> = {}) => printed({ text: textOf(LIST), policy: orderPolicy, ...more });

  it("keeps the matches that any other caller gets, and names the others", async () => {
    const { cutter } = await given();
    const free = shownOf(await cutter.cut(printed({ text: textOf(LIST) })));
    const ordered = shownOf(await cutter.cut(order({ amount: { mode: "auto" } })));
    expect(ordered.pruned.kept).toEqual(free.pruned.kept);
    expect(ordered.parts).toEqual(free.parts);
  });

  it("is in the form that was asked for, and keeps a first line that must stay", async () => {
    const { cutter } = await given();
    const form = { lineNumbers: true, marker: () => "(filtered)" };
    const first = `src/first.ts:1:  ${"import nothing of it; ".repeat(20)}`;
    const best = LIST.map((line, i) => (i % 5 > 0 ? line : line.replace(/request.*/, "voucher.archive, unpacked);")));
    const text = textOf([first], best);
    const [shown = ""] = shownOf(
      await cutter.cut(order({ text, amount: { mode: "auto" }, form, keepsFirstLine: true })),
    ).parts;
    expect(shown.startsWith(`1│ ${first}\n`)).toBe(true);
    expect(shown).toContain("\n(filtered)\n");
    expect(placesIn(shown.replace(/^\d+│ /gm, ""))).toEqual(placesOf([first, ...LIST]));
    expect(shownOf(await cutter.cut(order({ text }))).parts[0]).not.toContain(first);
  });

  it("with an amount, or with a kind, lists no other matches", async () => {
    const { cutter } = await given();
    const share = shownOf(await cutter.cut(order({ amount: { mode: "share", keep: 0.1 } })));
    const ratio = { mode: "ratio", maxPruneRatio: 0.9, minKeepLines: 1 } as const;
    const lines = shownOf(await cutter.cut(order({ amount: ratio, kind: "code" })));
    const asCode = shownOf(await cutter.cut(order({ kind: "code" })));
    for (const { list, pruned } of [share, lines, asCode]) expect([list, pruned.status]).toEqual([undefined, "pruned"]);
  });

  it("of a list that is too short to be shortened is answered whole", async () => {
    const { cutter } = await given();
    const whole = shownOf(await cutter.cut(order({ text: textOf(LIST.slice(0, 6)), focus: "List every match" })));
    expect(whole.pruned).toMatchObject({ status: "whole", blocks: [] });
    expect(whole.parts.join("")).toBe(textOf(LIST.slice(0, 6)));
  });
});
