// what a question spells out is found as it is written, in every text file, before anything is ranked.
import { describe, expect, it } from "vitest";
import type { RoleResult } from "../../src/runtime/outcome.ts";
import { literalsOf } from "../../src/words/literals.ts";
import { askAbout } from "../asking.ts";
import { writeFiles } from "../made-project.ts";

const FILLER = "# a line of filler about shapes and items\n";
const FILES = {
  "src/geometry.py":
    "class _Shape:\n    def area(self):\n        return 0\n\n\nclass Circle(_Shape):\n    def area(self):\n        return 3\n",
  "src/shape.py": `shape = 1\n${"# shape shape shape\n".repeat(30)}\n\ndef shape_of(shape):\n    return shape\n`,
  "src/catalog.py":
    "class Catalog:\n    def everything(self):\n        return self.items._default().all()\n\n    def nothing(self):\n        return []\n",
  "src/items.py": `items = []\n\n\ndef default():\n    return items\n\n\ndef all_items():\n    return items\n${"# items default all self\n".repeat(20)}`,
  "src/words.py": 'MESSAGES = {\n    "fr": "Le fichier est introuvable",\n    "zh": "找不到文件",\n}\n',
  "lib/app.min.js": `var a=1;${"b(a);".repeat(3_000)}function tinyKeeper(){return 7}`,
  "poetry.lock": 'name = "left-padding"\nchecksum = "feedbeef"\n',
  "data/big.sql": `${FILLER.repeat(40_000)}insert into hidden_ledger values (1);\n`,
  "docs/guide.md": "# Guide\n\nA Circle has an area; see Circle and _Shape and Circle.\n",
  "tests/test_geometry.py":
    "from geometry import Circle, _Shape\n\n\ndef test_area():\n    assert Circle().area() == 3\n",
};

async function locate(question: string): Promise<RoleResult> {
  const { locator } = await askAbout(
    question,
    (dir) => writeFiles(dir, FILES),
    (researcher, asked) => researcher.locate(asked),
  );
  if (locator.status !== "ok") throw new Error(locator.status);
  return locator.value;
}

describe("exact search", () => {
  it.each([
    ["an underscore counts", "Where is `_Shape` defined?", "src/geometry.py:1"],
    ["case counts", "Where is the class Circle, `Circle`?", "src/geometry.py:6"],
    ["a plain word that is asked for as a name", "Where is default defined?", "src/items.py:4"],
    ["a member by its owner", "What does `Circle.area` do?", "src/geometry.py:7"],
    ["a whole expression", "Where is self.items._default().all() called?", "src/catalog.py:3"],
    ["a quoted line", 'Which file has the line "return self.items._default().all()"?', "src/catalog.py:3"],
    [
      "a quoted line, before what its names define",
      "Where is `assert Circle().area() == 3`?",
      "tests/test_geometry.py:5",
    ],
    ["a quoted line that begins with a name", "Where is `return items`?", "src/items.py:5"],
    ["a phrase in French", "Où est «Le fichier est introuvable» ?", "src/words.py:2"],
    ["a phrase in Chinese", "「找不到文件」在哪里？", "src/words.py:3"],
    ["a minified bundle", "Where is `tinyKeeper`?", "lib/app.min.js:1"],
    ["a lock file", "Which file has `feedbeef`?", "poetry.lock:2"],
    ["a file too large to read", "Where is hidden_ledger filled?", "data/big.sql:40001"],
  ])("X-69 %s: %s", async (_, question, reference) => {
    const { references, summary } = await locate(question);
    expect(summary).not.toMatch(/not found/i);
    expect(references[0]).toBe(reference);
  });

  it("C-33 a question in Chinese with one word of the code is answered; with none, it is not found", async () => {
    const { references } = await locate(
      "请问 catalog 里面的内容是怎么被全部列出来的，为什么要这样做，有没有别的办法？",
    );
    expect(references[0]).toMatch(/^src\/catalog\.py:\d+$/);
    expect(await locate("请问里面的内容是怎么被全部列出来的？")).toMatchObject({ references: [], confidence: "low" });
  });

  it("X-69 C-33 a name that only differs in an underscore or in case is another name", async () => {
    expect(await locate("Where is `_shape` defined?")).toMatchObject({ references: [], confidence: "low" });
    expect(await locate("Where is `_Circle` defined?")).toMatchObject({ references: [] });
  });
});

describe("literals", () => {
  it.each([
    ["where is `ab cd`?", ["ab cd"]],
    ["what is 'x = \"ab c\"' for", ['x = "ab c"']],
    ["see src/a.py and e.g. this, at https://example.com", []],
    ["std::mem::swap and node->next", ["std::mem::swap", "node->next"]],
    ["it's a dog's life", []],
    ["`..` alone", []],
    ['print("one") and print("two")', ['one") and print("two', "one", "two"]],
  ])("%s spells %j", (text, literals) => {
    expect(literalsOf(text, []).map((literal) => literal.text)).toEqual(literals);
  });

  it("a stack trace of 50 kB gives a few, and ends", () => {
    const trace = 'File "/srv/app/deep/module_name.py", line 12, in handle_request\n  self.inner.call(a, "b")\n'.repeat(
      500,
    );
    expect(literalsOf(trace, []).length).toBeLessThanOrEqual(12);
  });
});
