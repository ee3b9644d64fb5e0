// What stays whatever the amount: on top of what was chosen, never instead of it.
import { expect, it } from "vitest";
import { prune } from "../../src/index.ts";
import { createTreeSitterGrammars } from "../../src/outline/grammars.ts";

const grammars = createTreeSitterGrammars();

it("K-28 the frame comes on top of the lines chosen by relevance, not instead of them", async () => {
  const functions = Array.from({ length: 60 }, (_, index) =>
    index === 40
      ? "def wait_before_retry(attempt):\n    exponential_backoff = 2 ** attempt\n    return exponential_backoff\n"
      : `def load_${index}(path):\n    record = open(path).read()\n    return record\n`,
  );
  const text = `import os\nimport sys\n\n${functions.join("\n")}`;
  const lines = text.split("\n").length - 1;
  const pruned = await prune(text, {
    focus: "how long is the exponential backoff before a retry?",
    kind: "code",
    path: "a.py",
    amount: { mode: "ratio", maxPruneRatio: 0.95, minKeepLines: 0 },
    protectFrame: true,
  });
  const kept = text.split("\n").filter((_, index) => (pruned.kept[index] ?? 0) !== 0);
  expect(kept.filter((line) => /^(?:import|def) /.test(line))).toHaveLength(62);
  expect(kept).toContain("    exponential_backoff = 2 ** attempt");
  expect(kept.length).toBeLessThanOrEqual(62 + Math.ceil(lines * 0.05) + 1);
});

it.each([
  [
    "a.ts",
    [
      "export interface Place { x: number }",
      "export type Name = string;",
      "export default abstract class Y extends X { z = 1 }",
      "export async function stop(): Promise<void> {}",
      "declare function start(): void;",
      "export const next = (x: number): number => x + 1;",
      "const twice = (x) => x * 2;",
      'const fs = require("node:fs");',
      'export * from "./other.ts";',
    ],
    "console.log(next(1));",
  ],
  ["a.rs", ["use std::fs;", "pub(crate) type Bytes = Vec<u8>;"], "const SIZE: u32 = 1;"],
  ["a.c", ["#include <stdio.h>", "typedef struct { int x; } Place;"], "int size = 1;"],
  ["a.rb", ['require "json"', "require_relative 'other'"], "puts 1"],
])("K-28 headers and imports of one line stay, too: %s", async (path, frame, other) => {
  const text = `${[...frame, ...Array(12).fill(other)].join("\n")}\n`;
  const pruned = await prune(text, {
    focus: "nothing of it",
    kind: "code",
    path,
    grammars,
    amount: { mode: "ratio", maxPruneRatio: 1, minKeepLines: 0 },
    protectFrame: true,
  });
  const kept = text.split("\n").filter((_, index) => (pruned.kept[index] ?? 0) !== 0);
  expect(kept).toEqual(frame);
});

async function keptOf(text: string, path?: string): Promise<string[]> {
  const pruned = await prune(text, {
    focus: "nothing of it",
    kind: "code",
    ...(path === undefined ? {} : { path }),
    grammars,
    amount: { mode: "ratio", maxPruneRatio: 1, minKeepLines: 0 },
    protectFrame: true,
  });
  return text.split("\n").filter((_, index) => (pruned.kept[index] ?? 0) !== 0);
}

it("K-28 an import or a header that is all of a block stays", async () => {
  const frame = [
    "    import ujson",
    "    import json",
    "    from typing import Any",
    "        import late",
    "    def get(self): ...",
  ];
  const text = `import os
try:
    import ujson
except ImportError:
    import json
if TYPE_CHECKING:
    from typing import Any
def load():
    if os:
        import late
class Box:
    def get(self): ...
size = 1
`;
  const kept = await keptOf(text, "a.py");
  expect(kept).toEqual(expect.arrayContaining(frame));
  expect(kept).not.toContain("size = 1");
});

it.each([
  ["a.ts", "import {\n  a,\n} from 'a';\nexport {\n  b,\n  c,\n} from './b';\nconst {\n  d,\n} = require('d');"],
  ["a.js", "var a = require('a'),\n    b = require('b');\nconst { c,\n  d } = require('d');"],
  ["long.ts", `export {\n${"  name,\n".repeat(30)}} from "./names.ts";`],
  ["a.d.ts", "declare function start(\n  first: string,\n  second: number,\n): void;"],
  ["a.php", "<?php\nuse A\\B;\nrequire_once __DIR__ . '/c.php';\ninclude 'd.php';"],
  ["a.kt", "import a.b\ninternal typealias Name = String"],
])("K-28 imports and headers of several lines stay whole: %s", async (path, frame) => {
  const kept = await keptOf(`${frame}\n${"log(1);\n".repeat(12)}`, path);
  expect(kept).toEqual(frame.split("\n").filter((line) => line !== "<?php"));
});

it.each([
  ["a.ts", "@function read(path: string): string;\n@function read(path: any): string {\n  log(1);\n  return '';\n}"],
  [
    "b.ts",
    "@abstract class File {\n  size = 1;\n@  open(path: string): void;\n@  open(path: any) {\n    log(1);\n  }\n@  abstract close(\n@    force: boolean,\n@  ): Promise<void>;\n}",
  ],
  ["a.rs", "@trait File {\n    const SIZE: u8;\n@    type Path: AsRef<str>;\n@    fn read(&self) -> u8;\n}"],
  ["b.rs", "@fn read() -> u8 {\n    #[cfg(unix)]\n    {\n@        use std::os::unix;\n        unix::read()\n    }\n}"],
  ["a.cs", "@class File\n@{\n    int size = 1;\n@    public delegate int Read(string path);\n}"],
])("K-28 headers without a body and imports inside of one stay: %s", async (path, marked) => {
  const lines = marked.split("\n");
  const kept = await keptOf(`${lines.map((line) => line.replace("@", "")).join("\n")}\n`, path);
  expect(kept).toEqual(lines.filter((line) => line.startsWith("@")).map((line) => line.slice(1)));
});

const LICENCE = ["/*", ...Array.from({ length: 16 }, (_, line) => ` * Term ${line} of the licence.`), " */"];

it.each([
  ["a.java", LICENCE, "\npackage a;\n\n/** Says so. */\nclass A {}"],
  ["a.kt", LICENCE, "\nfun log() {}"],
  ["a.go", ["// Copyright.", "", "// Package a logs."], "package a\n\n// main logs.\nfunc main() {}"],
  ["a.py", ["#!/usr/bin/env python3", "# -*- coding: utf-8 -*-", "", "# Copyright."], "\nimport os"],
  ["b.py", ['"""Logs.', "", "At length.", '"""'], "import os\n"],
  ["a.ts", ["", "// Copyright."], "\n// Logs.\nexport function log() {\n  return 1;\n}"],
])("K-28 the comment that opens the file stays whole, and no other: %s", async (path, opening, rest) => {
  const kept = await keptOf(`${[...opening, rest].join("\n")}\n${"log(1);\n".repeat(12)}`, path);
  const comments = kept.filter((line) => /^\s*(?:\/|\*|#|"""|At )/.test(line));
  expect(comments).toEqual(opening.filter((line) => line !== ""));
});

it.each([
  ["a.php", "<?php", "class A {}"],
  ["a.js", "'use strict';", "class A {}"],
])("K-28 a file may say what it is before its opening comment: %s", async (path, first, last) => {
  const kept = await keptOf(`${first}\n\n/**\n * Copyright.\n */\n\n${last}\n${"log(1);\n".repeat(12)}`, path);
  expect(kept).toEqual(["/**", " * Copyright.", " */", last]);
});

it("K-28 a class of plain JavaScript is known without its file's name", async () => {
  const text = `const { Base } = require("./base.js");

class Box {
  /** Makes it. */
  constructor(name) {
    this.name = name;
  }

  /** Tells it. */
  name() {
    return this.name;
  }
}

exports.Box = Box;
`;
  expect(await keptOf(text)).toEqual([
    'const { Base } = require("./base.js");',
    "class Box {",
    "  constructor(name) {",
    "  name() {",
  ]);
});

it("X-38 a ratio over logs keeps trouble and what was asked for, and drops as much else as it allows", async () => {
  const calm = (from: number) =>
    Array.from({ length: 50 }, (_, index) => `INFO step ${from + index} is done, all is well`);
  const text = `${[...calm(0), "ERROR the disk is full", ...calm(50)].join("\n")}\n`;
  const pruned = await prune(text, {
    focus: "disk",
    kind: "logs",
    amount: { mode: "ratio", maxPruneRatio: 0.95, minKeepLines: 0 },
  });
  const kept = pruned.kept.filter((why) => why !== 0).length;
  expect(pruned.kept[50]).not.toBe(0);
  expect(kept).toBeGreaterThanOrEqual(6);
  expect(kept).toBeLessThanOrEqual(8);
});
