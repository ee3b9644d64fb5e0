// What is left of a text still parses, whichever lines were asked for: with tree-sitter itself as the judge.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Language, Parser } from "web-tree-sitter";
import { prune } from "../../src/index.ts";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";
import { completeParts, type Parts } from "../../src/outline/parts.ts";
import { TANGLED } from "./tangled.ts";

const require = createRequire(import.meta.url);
const grammars = createTreeSitterGrammars();
const parsers = new Map<string, Parser>();

beforeAll(async () => {
  await Parser.init({ locateFile: () => require.resolve("web-tree-sitter/web-tree-sitter.wasm") });
  for (const language of Object.keys(TANGLED)) {
    const wasm = await readFile(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`));
    const parser = new Parser();
    parser.setLanguage(await Language.load(wasm));
    parsers.set(language, parser);
  }
}, 60_000);

function hasError(language: string, text: string): boolean {
  const tree = parsers.get(language)?.parse(text);
  if (!tree) throw new Error(`nothing parsed ${language}`);
  const wrong = tree.rootNode.hasError;
  tree.delete();
  return wrong;
}
async function partsOf(language: string, text: string): Promise<Parts> {
  const parts = (await grammars.load(language))?.parse(text, () => false)?.parts;
  if (parts === undefined) throw new Error(`no parts for ${language}`);
  return parts;
}
const only = (text: string, kept: Uint8Array): string =>
  text
    .split("\n")
    .filter((_, i) => kept[i] !== 0)
    .join("\n");

describe("parts", () => {
  it.each(Object.entries(TANGLED))("%s: any choice of lines, completed, parses", async (language, text) => {
    expect(hasError(language, text)).toBe(false);
    const parts = await partsOf(language, text);
    const lines = parts.partOf.length;
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: lines - 1 }), { minLength: 1, maxLength: 12 }), (asked) => {
        const kept = new Uint8Array(lines);
        for (const i of asked) kept[i] = 1;
        completeParts(parts, kept, 2);
        const shown = `${only(text, kept)}\n`;
        if (hasError(language, shown)) throw new Error(`does not parse:\n${shown}`);
        for (const i of asked) expect(kept[i]).toBe(1);
        const again = kept.slice();
        completeParts(parts, again, 3);
        expect(again).toEqual(kept);
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it.each(Object.entries(TANGLED))(
    "%s: one line brings its frame and no more than half of the text",
    async (language, text) => {
      const parts = await partsOf(language, text);
      for (let i = 0; i < parts.partOf.length; i++) {
        const kept = new Uint8Array(parts.partOf.length);
        kept[i] = 1;
        completeParts(parts, kept, 2);
        expect(kept.filter((k) => k !== 0).length).toBeLessThan(parts.partOf.length / 2);
      }
    },
  );

  it("a link of an else-if chain may go, and the chain stays closed", async () => {
    const text = TANGLED.typescript ?? "";
    const rows = text.split("\n");
    const at = (needle: string): number => rows.findIndex((line) => line.includes(needle));
    const parts = await partsOf("typescript", text);
    const kept = new Uint8Array(parts.partOf.length);
    kept[at("return 'third'")] = 1;
    completeParts(parts, kept, 2);
    expect([kept[at("else if (n === 2)")], kept[at("else if (n === 3)")], kept[at("if (n === 1)")]]).toEqual([0, 2, 2]);
  });

  it("an empty Python block gets its first statement, a try one of its excepts", async () => {
    const text =
      "def f():\n    try:\n        a()\n        b()\n    except KeyError:\n        c()\n    except ValueError as e:\n        d()\n    else:\n        e()\n    finally:\n        g()\n";
    const parts = await partsOf("python", text);
    const kept = new Uint8Array(parts.partOf.length);
    const header = kept.slice();
    header[0] = 1;
    completeParts(parts, header, 2);
    expect(only(text, header)).toBe("def f():\n    try:\n        a()\n    except KeyError:\n        c()\n");
    kept[3] = 1;
    completeParts(parts, kept, 2);
    expect(only(text, kept)).toBe("def f():\n    try:\n        b()\n    except KeyError:\n        c()\n");
  });

  it("a statement of hundreds of lines is torn, its ends kept, rather than taken whole", async () => {
    const text = `const sum = 1\n${Array.from({ length: 300 }, (_, i) => `  + value${i}\n`).join("")}\nconst b = 2\n`;
    const parts = await partsOf("javascript", text);
    const kept = new Uint8Array(parts.partOf.length);
    kept[150] = 1;
    completeParts(parts, kept, 2);
    expect([...kept.keys()].filter((i) => kept[i] !== 0)).toEqual([0, 150, 300]);
    const pruned = await prune(text, {
      focus: "value77",
      path: "a.js",
      kind: "code",
      amount: { mode: "share", keep: 0.1 },
      grammars,
    });
    expect(pruned.status).toBe("pruned");
  });

  it("a byte order mark is no neighbour: what begins behind it still ends where it ends", async () => {
    const text = "\uFEFFexport function first(x) {\n  a()\n  b()\n}\nexport const c = 1\n";
    const parts = await partsOf("javascript", text);
    const kept = new Uint8Array(parts.partOf.length);
    kept[2] = 1;
    completeParts(parts, kept, 2);
    expect([...kept]).toEqual([2, 0, 1, 2, 0]);
  });

  it("columns count as the text does, whatever the script, and \\r\\n ends a line too", async () => {
    const text =
      'table = {\n    "ключ": "😀日本",\n    "日本": 2,  # 😀\n    "é": [\n        3,\n    ],\n    "x": 4,\n}\n';
    for (const written of [text, text.replaceAll("\n", "\r\n")]) {
      const parts = await partsOf("python", written);
      const kept = new Uint8Array(parts.partOf.length);
      kept[2] = 1;
      completeParts(parts, kept, 2);
      expect([...kept]).toEqual([2, 0, 1, 0, 0, 0, 0, 2]);
    }
  });

  it.each([0.05, 0.2, 0.45])("a cut to %d of many such texts parses in every language", async (keep) => {
    for (const [language, text] of Object.entries(TANGLED)) {
      const extension =
        { "c-sharp": "cs", python: "py", typescript: "ts", javascript: "js", rust: "rs" }[language] ?? language;
      const long = text.repeat(language === "java" || language === "go" ? 1 : 4);
      const amount = { mode: "share", keep } as const;
      const focus = "which name is read from the third branch of the table?";
      const pruned = await prune(long, { focus, path: `a.${extension}`, kind: "code", amount, grammars });
      expect([language, pruned.status]).toEqual([language, "pruned"]);
      expect([language, hasError(language, `${only(long, pruned.kept)}\n`)]).toEqual([language, false]);
    }
  });
});
