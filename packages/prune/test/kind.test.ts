// A text without a path: what it is taken for, and which grammar is tried on it.
import { describe, expect, it } from "vitest";
import { sniffKind } from "../src/kind.ts";
import { languageOf, sniffLanguage } from "../src/outline/sniff-language.ts";
import { splitLines } from "../src/text/lines.ts";

const kindOf = (text: string): string => sniffKind(splitLines(text), undefined);
const fenced = "```js\nconst a = require('a')\nmodule.exports = function (b) {\n  return a(b);\n}\n```\n";
const words = "This part says in plain words what the call above it does.\n";

describe("sniffKind", () => {
  it("a document that is mostly code in fences or under directives is a document", () => {
    expect(kindOf(`## Use\n\n${`${words}\n${fenced}\n`.repeat(9)}## More\n\n${words}`)).toBe("docs");
    const block =
      ".. code-block:: python\n\n    import os\n    class A:\n        def b(self):\n            return 1\n\n";
    expect(kindOf(`Use\n~~~\n\n${`${words}\n${block}`.repeat(9)}More\n~~~~\n\n${words}`)).toBe("docs");
  });

  it("one title at the top and a page of indented code is a document", () => {
    const code = "    from shop import Shop\n\n    def open_shop(name):\n        return Shop(name)\n\n";
    expect(kindOf(`Opening a shop\n==============\n\n${words}\n${words}::\n\n${code.repeat(12)}`)).toBe("docs");
    // A rule further down makes none.
    expect(kindOf(`import a from "a";\n\n${code.repeat(12)}title\n=====\n`)).toBe("code");
  });

  it("comments that look like titles make no document of a script", () => {
    const licence = Array.from({ length: 40 }, (_, i) => `# Line ${i} of the terms under which this may be used`).join(
      "\n",
    );
    const code = "from enum import Enum\nimport os\n\n\nclass A(Enum):\n    B = 1\n\n\ndef f(x):\n    return x\n";
    expect(kindOf(`${licence}\n\n${code}`)).toBe("code");
    expect(kindOf(`#!/bin/sh\n\n${"# Say what it does\n\nmake install\n\n".repeat(20)}`)).toBe("code");
  });

  it("a short source that speaks of logs is none, and a log that quotes code is one", () => {
    const ruby = "require 'logger'\nmodule A\n  def logger\n    Logger::DEBUG\n  end\nend\n";
    expect(kindOf(ruby)).toBe("code");
    const at = (i: number): string => `2026-03-01 10:00:${String(i).padStart(2, "0")}`;
    const log = Array.from({ length: 50 }, (_, i) => `${at(i)} INFO run: import os; def f(): return ${i}`).join("\n");
    expect(kindOf(log)).toBe("logs");
    const trace = `Traceback (most recent call last):\n${'  File "a.py", line 3, in f\n    return f(n)\n'.repeat(30)}ValueError: no\n`;
    expect(kindOf(trace)).toBe("logs");
  });

  it("one object of JSON a line is a log, and a file of JSON is none", () => {
    const record = (i: number): string =>
      `{"level":30,"time":${i},"pid":7,"msg":"request completed","req":{"id":${i}}}`;
    const records = Array.from({ length: 50 }, (_, i) => record(i));
    expect(kindOf(records.join("\n"))).toBe("logs");
    expect(kindOf(records.map((text) => text.replaceAll(":", ": ").replaceAll(",", ", ")).join("\n"))).toBe("logs");
    expect(sniffKind(splitLines(records.join("\n")), "app.ndjson")).toBe("logs");
    expect(kindOf(JSON.stringify(JSON.parse(`[${records.join(",")}]`), null, 2))).toBe("code");
  });

  it("styles are no script, and PHP says so itself", () => {
    const css = ".box {\n  background-color: red;\n  border-top: 1px solid;\n  color: blue;\n}\n".repeat(5);
    expect(sniffLanguage(splitLines(css))).toBe("css");
    const php = "<?php\nnamespace A;\n\ninterface B\n{\n    public function send(string $x): void;\n}\n";
    expect(sniffLanguage(splitLines(php))).toBe("php");
  });

  it("a path that names a language without a grammar keeps the text from the grammar of another", () => {
    const kotlin = "package a.b\nimport c.d\n\nprivate fun f() {\n}\npublic class A {\n}\n".repeat(9);
    expect(languageOf(splitLines(kotlin), "A.txt")).toBeDefined();
    expect(languageOf(splitLines(kotlin), "A.kt")).toBeUndefined();
    expect(languageOf(splitLines(kotlin), "a.py")).toBe("python");
    expect(sniffKind(splitLines("INFO = 1\n".repeat(9)), "a.lua")).toBe("code");
  });

  it.each([
    [
      "gcc",
      "a.c: In function 'f':\na.c:4:6: warning: unused 'b'\n    4 | int f(void) { int b; return 1; }\n      |     ^\n",
    ],
    ["javac", "A.java:7: warning: [rawtypes] raw type: List\n  int f(java.util.List l) { return 1; }\n        ^\n"],
    ["tsc", "src/a.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.\n"],
    ["tsc --pretty", "\u001b[96ma.ts\u001b[0m:3:7 - error TS1: no\n\n\u001b[7m3\u001b[0m export const a = {\n"],
    ["pylint", "a.py:1:0: C0114: Missing module docstring (missing-module-docstring)\n"],
    ["node --test", "✔ adds (0.1ms)\n"],
    ["a logger of records", '{"time":1,"level":"info","msg":"served","error":null}\n'],
  ])("K-29 what %s prints is a log", (_, text) => {
    // A test runner shows what it compared, which looks like code.
    const details = "  {\n    code: 'ERR',\n    actual: 1,\n  }\n".repeat(3);
    expect(kindOf(`${text.repeat(60)}${details}`)).toBe("logs");
  });

  it("K-29 a script's trace is a log, not a list", () => {
    expect(kindOf("+ echo 'unit is up'\nunit is up\n".repeat(60))).toBe("logs");
  });

  it("X-59 `=== RUN` is no heading: what go test prints is a log, whatever its name", () => {
    const lines = Array.from(
      { length: 200 },
      (_, i) => `=== RUN   TestTable/case_${i}\n    deep_test.go:12: checking ${i}`,
    );
    const text = `${lines.join("\n")}\n--- FAIL: TestTable (0.01s)\nFAIL\n`;
    for (const path of [undefined, "out", "out.csv"]) expect(sniffKind(splitLines(text), path)).toBe("logs");
  });

  it("sentences are a document, whatever they speak of, unless a program says what happens", () => {
    const parts = ["list", "loop", "shell", "pipe", "group", "script", "trap", "job", "word", "glob", "alias", "key"];
    const page = parts.map(
      (part) =>
        `DESCRIPTION\n       If  the ${part} that fails is part of another, the error is re‐\n       ported.\n\n`,
    );
    expect(kindOf(page.join(""))).toBe("docs");
    expect(kindOf(page.join("[INFO] ready\n"))).toBe("logs");
    expect(kindOf("Waiting for the other side to say that it is ready\n".repeat(60))).toBe("logs");
    expect(kindOf("a73bcb3 viewer: times of another day are told with their day\n".repeat(60))).toBe("logs");
  });

  it("data and markup are trees, whatever words stand in them; a page with headings is a document", () => {
    const yaml = "jobs:\n  lint:\n    name: no ERROR\n    steps:\n      - run: ls\n".repeat(9);
    for (const path of ["ci.yml", "a/values.yaml", "Cargo.toml", "en.json", "pom.xml", "App.vue"]) {
      expect(sniffKind(splitLines(yaml), path), path).toBe("code");
      expect(languageOf(splitLines("import a from 'a';\nexport const b = 1;\n".repeat(9)), path)).toBeUndefined();
    }
    const list = `<ul>\n${"  <li>ERROR</li>\n".repeat(20)}</ul>\n`;
    const page = `<!DOCTYPE html>\n<html>\n${`  <h2 id="a">A</h2>\n${list}`.repeat(2)}</html>\n`;
    expect(kindOf(`<?xml version="1.0"?>\n${list}`)).toBe("code");
    expect(kindOf(`<!DOCTYPE html>\n<html>\n${list}</html>\n`)).toBe("code");
    expect(kindOf(page)).toBe("docs");
    expect(sniffKind(splitLines(list), "list.html")).toBe("code");
    expect(sniffKind(splitLines(`<?xml version="1.0"?>\n${list}`), "a.policy")).toBe("code");
    expect(sniffKind(splitLines(page), "index.htm")).toBe("docs");
  });

  it.each([
    ["ruby", "class A < B\n  def initialize\n    @a = 1\n    @b = 2\n  end\nend\n"],
    ["cpp", "#include <a.h>\nstruct a {\n  int b;\n};\nenum c { D };\nstatic int f(struct a *x)\n{\n  return 1;\n}\n"],
    [
      "c-sharp",
      "namespace A;\n\npublic class B\n{\n    public int C(int d)\n    {\n        var e = d;\n        var g = e;\n    }\n}\n",
    ],
    ["go", "package a\n\nfunc F(x int) int {\n\ty := x\n\treturn y\n}\n\nfunc G() {\n}\n"],
    [
      "tsx",
      "export function A(p: B): C {\n  const d: string = p.d\n  return (\n    <div>\n      {d}\n    </div>\n  )\n}\nexport const E = 1\nexport type F = 2\n",
    ],
    [
      "kotlin",
      "package a\n\nimport b.c\n\nclass A {\n  private val d = 1\n  override fun e(): Int {\n    return d\n  }\n}\n",
    ],
    ["scala", "package a\n\nimport b.{c, d}\n\nobject A {\n  def e(x: Int): Int = {\n    val f = x\n    f\n  }\n}\n"],
    [
      "swift",
      "import Foundation\n\npublic struct A {\n    let b: Int\n    func c() -> Int {\n        guard b > 0 else { return 0 }\n        return b\n    }\n}\n",
    ],
    ["lua", "local a = require('a')\n\nlocal function b(c)\n  if c then\n    return a\n  end\nend\n"],
    ["elixir", "defmodule A do\n  @doc false\n  def b(c) do\n    c |> d()\n  end\n\n  defp d(e), do: e\nend\n"],
  ])("%s without a path is known by its signs", (language, text) => {
    expect(sniffLanguage(splitLines(text.repeat(3)))).toBe(language);
  });

  it.each(["\n", " ", " \t\n", "x do ", "private override ", "def a = (", "@a("])(
    "a text of nothing but %j is looked through once, not once a character",
    (unit) => {
      expect(["scala", undefined]).toContain(sniffLanguage(splitLines(unit.repeat(60_000))));
    },
  );
});
