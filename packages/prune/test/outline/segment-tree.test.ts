// One row per language table: the grammar loads, and classes, functions, imports and closers are where they are.
import { describe, expect, it, vi } from "vitest";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";
import { LANGUAGE_TABLES } from "../../src/outline/languages.ts";
import { type Outline, ROLE } from "../../src/outline/outline.ts";
import { segmentByTree } from "../../src/outline/segment-tree.ts";
import { segment } from "../../src/segment.ts";
import { splitLines } from "../../src/text/lines.ts";

const grammars = createTreeSitterGrammars();

async function outlineOf(language: string, text: string): Promise<Outline> {
  const grammar = await grammars.load(language);
  const outline = grammar && segmentByTree(splitLines(text), grammar, () => false);
  if (outline === undefined) throw new Error(`no outline for ${language}`);
  return outline;
}
const named = (outline: Outline): string[] =>
  outline.scopes.filter((s) => s.name !== "").map((s) => `${s.kind} ${s.name} ${s.start + 1}-${s.end + 1}`);

const SAMPLES: Record<string, { text: string; scopes: string[]; imports?: number[] }> = {
  python: {
    text: "import os\n\n@cached\ndef load(\n    path,\n):\n    return 1\n\nclass Box:\n    def put(self):\n        pass\n",
    scopes: ["function load 4-7", "class Box 9-11", "function put 10-11"],
    imports: [1],
  },
  javascript: {
    text: "import a from 'a'\nexport const load = async (x) => {\n  return x\n}\nclass Box {\n  put() {\n    return 1\n  }\n}\n",
    scopes: ["function load 2-4", "class Box 5-9", "function put 6-8"],
    imports: [1],
  },
  typescript: {
    text: "import type { A } from 'a'\nexport interface Box {\n  a: string\n}\nexport function load(x: A): A {\n  return x\n}\n",
    scopes: ["class Box 2-4", "function load 5-7"],
    imports: [1],
  },
  tsx: {
    text: "export function View() {\n  return (\n    <p>\n      hi\n    </p>\n  )\n}\n",
    scopes: ["function View 1-7"],
  },
  go: {
    text: 'package a\n\nimport "fmt"\n\ntype Box struct {\n\tA int\n}\n\nfunc (b *Box) Put(x int) error {\n\treturn nil\n}\n',
    scopes: ["function Put 9-11"],
    imports: [1, 3],
  },
  rust: {
    text: "use std::io;\n\nimpl Box {\n    fn put(&self) -> u8 {\n        1\n    }\n}\n",
    scopes: ["class Box 3-7", "function put 4-6"],
    imports: [1],
  },
  java: {
    text: "import a.B;\nclass Box {\n  int put(int x) {\n    return x;\n  }\n}\n",
    scopes: ["class Box 2-6", "function put 3-5"],
    imports: [1],
  },
  "c-sharp": {
    text: "using System;\nclass Box {\n  int Put(int x) {\n    return x;\n  }\n}\n",
    scopes: ["class Box 2-6", "function Put 3-5"],
    imports: [1],
  },
  cpp: {
    text: "#include <a.h>\nstatic int put(int x)\n{\n  return x;\n}\nstruct Box {\n  int a;\n};\n",
    scopes: ["function put 2-5", "class Box 6-8"],
    imports: [1],
  },
  ruby: { text: "class Box\n  def put(x)\n    x\n  end\nend\n", scopes: ["class Box 1-5", "function put 2-4"] },
  php: {
    text: "<?php\nuse A\\B;\nclass Box {\n  function put($x) {\n    return $x;\n  }\n}\n",
    scopes: ["class Box 3-7", "function put 4-6"],
    imports: [2],
  },
  bash: { text: "put() {\n  echo hi\n}\n", scopes: ["function put 1-3"] },
  css: { text: ".box {\n  color: red;\n}\n", scopes: [] },
  ini: { text: "[box]\na = 1\nb = 2\n", scopes: [] },
  powershell: { text: "function Put-Box {\n  param($x)\n  Write-Output $x\n}\n", scopes: [] },
};

describe("segmentByTree", () => {
  it("every language table has a sample here", () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(Object.keys(LANGUAGE_TABLES).sort());
  });

  it.each(Object.entries(SAMPLES))(
    "%s: scopes with their names and lines, and imports",
    async (language, { text, scopes, imports }) => {
      const outline = await outlineOf(language, text);
      expect(named(outline)).toEqual(expect.arrayContaining(scopes));
      for (const line of imports ?? []) expect((outline.role[line - 1] ?? 0) & ROLE.import).toBe(ROLE.import);
      expect(outline.scopes.length).toBeGreaterThan(1);
    },
  );

  it("a signature of several lines is one header, decorators lead, and a brace alone closes", async () => {
    const python = await outlineOf("python", SAMPLES.python?.text ?? "");
    expect(python.scopes.find((s) => s.name === "load")).toMatchObject({ lead: 2, start: 3, headerEnd: 5, end: 6 });
    const script = await outlineOf("javascript", SAMPLES.javascript?.text ?? "");
    expect(script.scopes.find((s) => s.name === "put")).toMatchObject({ start: 5, headerEnd: 5, closer: 7, end: 7 });
  });

  it("a statement over several lines is one unit", async () => {
    const outline = await outlineOf("python", "def f():\n    x = call(\n        1,\n        2,\n    )\n    return x\n");
    expect([outline.unitStart[2], outline.unitEnd[2]]).toEqual([1, 4]);
  });

  it("refuses a text that is mostly beyond the grammar", async () => {
    const grammar = await grammars.load("java");
    expect(
      grammar && segmentByTree(splitLines("))) ((( what\n%% no ]]\n".repeat(30)), grammar, () => false),
    ).toBeUndefined();
  });

  it("knows no grammar for an unknown language, and says so without throwing", async () => {
    expect(await grammars.load("cobol")).toBeUndefined();
  });
});

it("a text that the parser cannot get through is cut by its indentation, in bounded time", async () => {
  // Each line opens a comment that nothing closes, which costs a parse the square of their number.
  const text = `${"/* a\n".repeat(12_000)}export function last(): void {\n  go();\n}\n`;
  const options = { kind: "code", path: "a.ts", grammars, shouldStop: () => false } as const;
  const outline = await segment(splitLines(text), options);
  expect(outline.role).toHaveLength(12_003);
});

it("a text that took all of the parser's memory left none for the texts after it", async () => {
  const own = createTreeSitterGrammars();
  const greedy = "a<b,\n".repeat(20_000);
  const usual = splitLines("class A {\n  b(): void {\n    go();\n  }\n}\n");
  const options = { kind: "code", path: "a.ts", grammars: own, shouldStop: () => false } as const;
  const before = await segment(usual, options);
  expect((await segment(splitLines(greedy), options)).role).toHaveLength(20_000);
  expect(await segment(usual, options)).toEqual(before);
  expect(before.language).toBe("typescript");
});

it("a slow machine gave up a parse: the same text has the same outline whatever the clock shows", async () => {
  const text = `${"/* a\n".repeat(1_000)}*/\nclass A {\n  b(): void {\n    go();\n  }\n}\n`;
  const options = { kind: "code", path: "a.ts", grammars, shouldStop: () => false } as const;
  const outline = await segment(splitLines(text), options);
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 3_600_000));
  const late = await segment(splitLines(text), options).finally(() => clock.mockRestore());
  expect(late).toEqual(outline);
  expect(outline.language).toBe("typescript");
});
