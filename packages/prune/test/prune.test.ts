import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { prune, renderPruned, shortMarker, WHY } from "../src/index.ts";
import { createTreeSitterGrammars } from "../src/outline/grammars.ts";

const python = readFileSync(new URL("./fixtures/cache.py", import.meta.url), "utf8");
const grammars = createTreeSitterGrammars();
const lines = python.split("\n");
const at = (needle: string): number => lines.findIndex((l) => l.includes(needle));

describe("prune", () => {
  it.each([
    ["number", 42],
    ["undefined", undefined],
    ["null", null],
    ["bytes", Buffer.from("x")],
    ["object", { lines: [] }],
  ])("says what is wrong with a text that is %s", async (given, text) => {
    const call = async () => Reflect.apply(prune, undefined, [text, { focus: "x" }]);
    await expect(call()).rejects.toThrow(
      new TypeError(`prune: the text is ${given}, not a string or a line table of splitLines`),
    );
  });

  it.each([
    ["options.focus is undefined, not a string", undefined],
    ["options.focus is undefined, not a string", {}],
    ["options.focus is object, not a string", { focus: ["x"] }],
    ['options.kind is "log", not one of code, logs, docs, matches', { focus: "x", kind: "log" }],
    ["options.amount.mode is null, not one of auto, share, ratio", { focus: "x", amount: { keep: 0.2 } }],
    ['options.amount.mode is "Ratio", not one of auto, share, ratio', { focus: "x", amount: { mode: "Ratio" } }],
  ])("a text came back whole, or with the engine's own words, where %s", async (words, options) => {
    const call = async () => Reflect.apply(prune, undefined, [python, options]);
    await expect(call()).rejects.toThrow(new TypeError(`prune: ${words}`));
  });

  it("X-43 the four-line example really prunes, and keeps what it was asked to", async () => {
    const pruned = await prune("L1\nL2\nL3\nL4", {
      focus: "garder L1",
      kind: "code",
      amount: { mode: "ratio", maxPruneRatio: 0.75, minKeepLines: 1 },
    });
    expect([...pruned.kept].map((k) => k !== 0)).toEqual([true, false, false, false]);
    expect(pruned.blocks).toMatchObject([{ startLine: 2, endLine: 4, lineCount: 3 }]);
  });

  it.each([
    ["a grammar", grammars],
    ["indentation", undefined],
  ])("keeps the function that answers, with the headers it stands in (%s)", async (_how, g) => {
    const pruned = await prune(python, {
      focus: "how is the oldest entry evicted when the cache is full?",
      path: "cache.py",
      amount: { mode: "share", keep: 0.3 },
      ...(g ? { grammars: g } : {}),
    });
    expect(pruned.language).toBe(g ? "python" : undefined);
    expect(pruned.match).toBe("clear");
    for (const needle of ["def put(", "self.evict_oldest()", "class Cache:"])
      expect(pruned.kept[at(needle)]).not.toBe(0);
    for (const needle of ["def load_settings", "def render_table"]) expect(pruned.kept[at(needle)]).toBe(0);
  });

  it("a line inside branches brings the heads of its branches", async () => {
    const pruned = await prune(python, {
      focus: "`SystemExit` bad line",
      path: "cache.py",
      grammars,
      amount: { mode: "share", keep: 0.18 },
    });
    const why = (needle: string): string | undefined => WHY[(pruned.kept[at(needle)] ?? 0) - 1];
    expect(why("raise SystemExit")).toBe("evidence");
    for (const needle of ["def load_settings", "for line in file", "try:", "except ValueError"])
      expect(why(needle)).toBeDefined();
  });

  it("K-28 protectFrame keeps every import, every header and the file's comment, whatever the ratio", async () => {
    const text = `# Licence line\n# second line\n${python}`;
    const pruned = await prune(text, {
      focus: "evict",
      kind: "code",
      path: "x.py",
      grammars,
      protectFrame: true,
      amount: { mode: "ratio", maxPruneRatio: 1, minKeepLines: 0 },
    });
    text.split("\n").forEach((line, i) => {
      if (/^(?:#|import|from|class|\s*def )/.test(line) && i < text.split("\n").length - 1 && !line.includes("# "))
        expect([line, pruned.kept[i] !== 0]).toEqual([line, true]);
    });
    expect([...pruned.kept.slice(0, 2)]).toEqual([6, 6]);
    expect(pruned.status).toBe("pruned");
  });

  it("K-30 docs keep their titles and never tear a fence or a table", async () => {
    const fence = (n: number): string => `\`\`\`sh\nrun step ${n}\n\n# not a title ${n}\n\`\`\`\n`;
    const doc = Array.from(
      { length: 30 },
      (_, i) => `## Part ${i}\n\nSome words about topic${i}.\n\n${fence(i)}\n| a | b |\n|---|---|\n| ${i} | x |\n\n`,
    ).join("");
    for (const amount of [
      { mode: "auto" },
      { mode: "share", keep: 0.7 },
      { mode: "ratio", maxPruneRatio: 0.5, minKeepLines: 1 },
    ] as const) {
      const pruned = await prune(doc, { focus: "topic7 and topic21", kind: "docs", amount });
      const rows = doc.split("\n");
      rows.forEach((row, i) => {
        // Under a ratio every title; else those above what is kept.
        const isNear = amount.mode === "ratio" || row === "## Part 7" || row === "## Part 21";
        if (row.startsWith("## ") && isNear) expect(pruned.kept[i]).not.toBe(0);
        if (row.startsWith("```sh")) expect(new Set([...pruned.kept.slice(i, i + 5)].map((k) => k !== 0)).size).toBe(1);
        if (row === "| a | b |") expect(new Set([...pruned.kept.slice(i, i + 3)].map((k) => k !== 0)).size).toBe(1);
      });
      expect(pruned.kept[rows.indexOf("Some words about topic7.")]).not.toBe(0);
    }
  });

  it.each(["code", "logs", "docs", "matches"] as const)(
    "K-31 what stands between the directives stays, both lines included (%s)",
    async (kind) => {
      const rows = Array.from({ length: 200 }, (_, i) => `src/a.ts:${i}:1:value ${i}`);
      rows[90] = "# ⟦NO_PRUNE_BEGIN⟧";
      rows[95] = "# ⟦NO_PRUNE_END⟧";
      const pruned = await prune(rows.join("\n"), { focus: "value 3", kind, amount: { mode: "share", keep: 0.2 } });
      expect([...pruned.kept.slice(90, 96)]).toEqual([6, 6, 6, 6, 6, 6]);
      expect(pruned.status).toBe("pruned");
    },
  );

  it("matches are ranked by text and path", async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `src/mod${i % 30}.ts:${i}:3:const x${i} = load(${i});`).sort();
    rows[150] = "src/billing/invoice.ts:9:3:export function roundInvoiceTotal(total) {";
    const pruned = await prune(rows.join("\n"), { focus: "where is the invoice total rounded?", kind: "matches" });
    expect(pruned.kept[150]).not.toBe(0);
    expect(pruned.kept.filter((k) => k !== 0).length).toBeLessThan(150);
  });

  it("a focus that nothing answers leaves a small text whole, and a large one as a skeleton", async () => {
    expect(await prune(python, { focus: "zebra kangaroo", path: "cache.py", grammars })).toMatchObject({
      status: "whole",
      note: "no_match",
      match: "none",
    });
    const long = Array.from(
      { length: 400 },
      (_, i) => `def step_${i}(x):\n    y = x + ${i}\n    z = y * 2\n    w = z - x\n    return w + y\n`,
    ).join("\n");
    const pruned = await prune(long, { focus: "zebra kangaroo", path: "long.py", grammars });
    expect(pruned.match).toBe("none");
    const shown = renderPruned(long, pruned, { marker: () => undefined }).split("\n");
    // Each header, and a line of each body so that the skeleton still parses.
    expect(shown.filter((l) => l.startsWith("def ")).length).toBe(400);
    expect(shown.length).toBeLessThanOrEqual(801);
  });

  it("K-27 a stop is obeyed and drops nothing", async () => {
    let polls = 0;
    const pruned = await prune(python.repeat(20), {
      focus: "evict",
      path: "cache.py",
      grammars,
      shouldStop: () => ++polls > 1,
    });
    expect(pruned).toMatchObject({ status: "stopped", blocks: [] });
    expect(pruned.kept.every((k) => k !== 0)).toBe(true);
  });

  it("K-04 a ranker that fails lets the text through and says so", async () => {
    const ranker = {
      rank: (): never => {
        throw new Error("broken");
      },
    };
    expect(await prune(python, { focus: "evict", ranker })).toMatchObject({
      status: "whole",
      note: "engine_error",
      blocks: [],
    });
  });

  it.each(["code", "logs", "docs", "matches"] as const)(
    "takes one line of 5 MB, and lone surrogates, in its stride (%s)",
    async (kind) => {
      const text = `first\n${"x1 = [\ud800, 😀]; ".repeat(300_000)}\nlast`;
      const pruned = await prune(text, {
        focus: "first",
        kind,
        grammars,
        path: "a.py",
        amount: { mode: "share", keep: 0.1 },
      });
      expect(pruned.note).not.toBe("engine_error");
      expect(pruned.lineCount).toBe(3);
    },
  );

  it("a line that the focus names by number is kept with its surroundings", async () => {
    const text = Array.from({ length: 2000 }, (_, i) => `entry ${i} of the list`).join("\n");
    const pruned = await prune(text, {
      focus: "what is at list.txt:1234?",
      kind: "code",
      amount: { mode: "share", keep: 0.02 },
    });
    for (const line of [1232, 1233, 1234, 1235]) expect(pruned.kept[line - 1]).not.toBe(0);
  });

  it.each([
    [
      "a.py",
      "def load(path):\n    data = read(path)\n    return data\n\nLIMIT = 1\nNAMES = []\n",
      ["data = read(path)"],
    ],
    ["a.py", "# Opens.\n\n\nLIMIT = 1\nNAMES = []\n", ["LIMIT = 1"]],
    ["a.go", "func load() int {\n\tx := 1\n\treturn x\n}\n\nvar limit = 1\nvar names = 2\n", ["x := 1"]],
    [
      "A.java",
      "class A {\n  int load() {\n    int x = 1;\n    return x;\n  }\n\n  int limit = 1;\n  int names = 2;\n}\n",
      ["A"],
    ],
    ["A.java", "class A {\n  int load() {\n    int x = 1;\n    return x;\n  }\n}\n", ["load"]],
    ["a.ts", "const load = <T>(a: T): T => {\n  const x = a;\n  return x;\n};\n", ["load"]],
  ])("X-37 a block bears a scope's name only where all of it is in there: %s", async (path, text, names) => {
    const amount = { mode: "ratio", maxPruneRatio: 1, minKeepLines: 0 } as const;
    const { blocks } = await prune(text, {
      focus: "nothing",
      kind: "code",
      path,
      grammars,
      amount,
      protectFrame: true,
    });
    expect(blocks.map(({ label }) => label)).toEqual(names.map((name) => ({ what: "lines", name })));
  });

  it("K-31 directives in directives, without their other half, or the wrong way round", async () => {
    const keptOf = async (lines: string): Promise<string> => {
      const text = [...lines].map((c) => ({ B: "⟦NO_PRUNE_BEGIN⟧", E: "⟦NO_PRUNE_END⟧" })[c] ?? "words").join("\n");
      const amount = { mode: "ratio", maxPruneRatio: 1, minKeepLines: 0 } as const;
      const { kept } = await prune(text, { focus: "nothing", kind: "logs", amount });
      return [...kept].map((why) => (why === 0 ? "." : "K")).join("");
    };
    expect(await keptOf("xBxExBxEx")).toBe(".KKK.KKK.");
    expect(await keptOf("xBxBxExEx")).toBe(".KKKKKKK.");
    expect(await keptOf("xExBxExEx")).toBe("...KKK...");
    expect(await keptOf("xExBxBxEx")).toBe("...KKKKKK");
  });

  it("blocks say what went", async () => {
    const pruned = await prune(python, {
      focus: "`render_table` widest cell column",
      path: "cache.py",
      grammars,
      amount: { mode: "share", keep: 0.35 },
    });
    expect(pruned.blocks.map((b) => b.label.name).join(" ")).toMatch(/load_settings|Cache/);
    expect(renderPruned(python, pruned, { marker: shortMarker }).length).toBeLessThan(python.length * 0.4);
  });
});

describe("without a grammar", () => {
  const text = [
    "export function openPort(env: Env): number {",
    "  return Number(env.PORT ?? 8006);",
    "}",
    ...Array.from({ length: 120 }, (_, n) => `export function handle${n}(r: Request) {\n  return r.body(${n});\n}`),
  ].join("\n");

  it.each([
    ["are missing", { load: async () => undefined }],
    ["cannot be loaded", { load: () => Promise.reject(new Error("no such file")) }],
  ])("the text is cut by indentation where grammars %s, and the result names the language", async (_, none) => {
    const given = { focus: "which port is opened?", path: "a.ts" };
    const pruned = await prune(text, { ...given, grammars: none });
    expect(pruned).toMatchObject({ status: "pruned", withoutGrammar: "typescript" });
    expect(renderPruned(text, pruned, { marker: shortMarker })).toContain("env.PORT");
    expect(await prune(text, { ...given, grammars })).not.toHaveProperty("withoutGrammar");
  });
});
