// The corpus: what a scan finds, and that the index on disk never changes an answer.
import { appendFile, mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCorpusKeeper } from "../../src/corpus/corpus-keeper.ts";
import { scanDefinitions } from "../../src/corpus/scan-definitions.ts";
import { scanFile } from "../../src/corpus/scan-file.ts";
import { loadSettings } from "../../src/load-settings.ts";
import { rankFiles } from "../../src/rank/rank-files.ts";
import { createResearcher } from "../../src/researcher.ts";
import { DEFAULT_DENY } from "../../src/settings.ts";
import { parseQuestion } from "../../src/words/question.ts";
import { type MadeDir, makeProject, makeTempDir, writeFiles } from "../made-project.ts";

let project: MadeDir;
let index: MadeDir;
beforeEach(async () => {
  [project, index] = await Promise.all([makeProject(), makeTempDir()]);
});
afterEach(() => Promise.all([project.remove(), index.remove()]));

const keeperOf = (indexDir: string | undefined, onSaveFailed = (_: unknown): void => {}) =>
  createCorpusKeeper({ indexDir, deny: DEFAULT_DENY, maxFileBytes: 100_000, maxFiles: 10_000, onSaveFailed });
const opening = {
  signal: new AbortController().signal,
  scanUntil: Number.POSITIVE_INFINITY,
  prefer: async () => new Map(),
};
const QUESTION = parseQuestion("How does send_invoice send an invoice again with backoff?");

async function rank(keeper: ReturnType<typeof keeperOf>): Promise<[string, number][]> {
  const { corpus } = await keeper.open(project.path, opening);
  const ranked = rankFiles([corpus], QUESTION, { count: 20 });
  await keeper.settle();
  return ranked.map(({ path, score }) => [path, score]);
}

/** Old enough that size and time tell whether a file has changed. */
async function age(): Promise<void> {
  const names = await readdir(project.path, { recursive: true, withFileTypes: true });
  for (const entry of names) if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), 1e9, 1e9);
}

describe("index", () => {
  it("C-45 X-33 without it, with it, and with a saved one the answer is the same", async () => {
    await age();
    const without = await rank(keeperOf(undefined));
    const keeper = keeperOf(index.path);
    const [first, second] = [await rank(keeper), await rank(keeper)];
    const saved = await rank(keeperOf(index.path));
    expect(without[0]?.[0]).toBe("src/ledger/invoices.py");
    expect([first, second, saved]).toEqual([without, without, without]);
    expect((await readdir(index.path)).filter((name) => name.endsWith(".sqlite"))).toHaveLength(1);
  });

  it("C-45 the corpora of the last few roots are held, not those of every directory that was ever asked about", async () => {
    await age();
    const keeper = keeperOf(index.path);
    const corpusOf = async (dir: string) => (await keeper.open(join(project.path, dir), opening)).corpus;
    const first = await corpusOf("src");
    expect(await corpusOf("src")).toBe(first);
    for (let n = 0; n < 8; n++) {
      await mkdir(join(project.path, `d${n}`));
      await corpusOf(`d${n}`);
    }
    expect(await corpusOf("src")).not.toBe(first);
    await keeper.settle();
  });

  it("C-45 a lease keeps its corpora open, however many roots are opened meanwhile", async () => {
    const keeper = keeperOf(index.path);
    const lease = keeper.lease();
    const { corpus } = await lease.open(join(project.path, "src"), opening);
    for (let n = 0; n < 9; n++) {
      await mkdir(join(project.path, `d${n}`));
      await keeper.open(join(project.path, `d${n}`), opening);
    }
    const ranked = rankFiles([corpus], QUESTION, { count: 1 });
    expect(ranked.map(({ path }) => path)).toEqual(["ledger/invoices.py"]);
    lease.end();
    await keeper.settle();
  });

  it("C-45 X-32 a question about more roots than are held is answered from each of them", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `part${n}`);
    const files = names.map((name) => [`${name}/send.py`, `def send_${name}():\n    return 1\n`] as const);
    await writeFiles(project.path, Object.fromEntries(files));
    const roots = names.map((name) => join(project.path, name));
    const settings = loadSettings({ env: { HOME: "/nowhere" }, cwd: project.path, roots });
    const researcher = createResearcher({ settings, env: { JEEVES_STATE_DIR: index.path } });
    const { signal } = opening;
    const asked = { roots: researcher.choose(undefined).roots, constraints: {}, signal };
    for (const name of ["part0", "part11"]) {
      const { locator } = await researcher.locate({ ...asked, question: `Where is send_${name} defined?` });
      expect(locator.status === "ok" ? locator.value.references[0] : locator.error).toBe(`${name}/send.py:1`);
    }
    await researcher.close();
  });

  it("C-45 a change is seen: a file written, added, removed, or changed within the same size and moment", async () => {
    const keeper = keeperOf(index.path);
    await rank(keeper);
    const file = join(project.path, "src/ledger/store.py");
    await writeFile(file, (await readFile(file, "utf8")).replace("load_record", "lade_record"));
    await writeFile(join(project.path, "src/added.py"), "def send_invoice_again():\n    backoff = 1\n");
    await rm(join(project.path, "tests/test_invoices.py"));
    expect(await rank(keeper)).toEqual(await rank(keeperOf(undefined)));
  });

  it("C-45 a damaged index is no index", async () => {
    const before = await rank(keeperOf(index.path));
    const [name = ""] = await readdir(index.path);
    await appendFile(join(index.path, name), "damage");
    expect(await rank(keeperOf(index.path))).toEqual(before);
    await writeFile(join(index.path, name), "");
    expect(await rank(keeperOf(index.path))).toEqual(before);
  });

  it("C-45 an index that cannot be saved costs nothing but a warning", async () => {
    const warnings: unknown[] = [];
    await writeFile(join(index.path, "file"), "");
    const keeper = keeperOf(join(index.path, "file"), (error) => warnings.push(error));
    expect((await rank(keeper))[0]?.[0]).toBe("src/ledger/invoices.py");
    expect(warnings).toHaveLength(1);
  });

  it("C-46 X-33 what time does not allow to scan is counted", async () => {
    const opened = await keeperOf(undefined).open(project.path, { ...opening, scanUntil: 0 });
    expect(opened.unscannedFiles).toBe(opened.listedFiles);
    expect(opened.corpus.paths).toEqual([]);
  });

  it("C-19 a cancelled scan stops", async () => {
    const cancel = new AbortController();
    cancel.abort(new Error("stop"));
    await expect(keeperOf(undefined).open(project.path, { ...opening, signal: cancel.signal })).rejects.toThrow("stop");
  });
});

describe("scan", () => {
  it.each([
    ["a.py", "class A:\n    def b(self):\n        pass\nC = 1\n", ["A", "b", "C"]],
    ["a.ts", "export class A {\n  run(x) {\n  }\n}\nexport const f = (x) => x;\n", ["A", "run", "f"]],
    ["a.go", "type T struct {\n}\nfunc (t *T) Run() {\n}\n", ["T", "Run"]],
    ["a.rs", "pub struct S {\n}\nimpl S {\n    pub fn go(&self) {\n    }\n}\n", ["S", "S", "go"]],
    ["a.java", "public class A {\n  public void run(int x) {\n  }\n}\n", ["A", "run"]],
    ["a.md", "# One\ntext\n## Two\n", ["One", "Two"]],
    ["a.rst", "Title\n=====\n\ntext\n", ["Title"]],
  ])("definitions of %s", (path, text, names) => {
    const family = {
      py: "python",
      ts: "script",
      go: "go",
      rs: "rust",
      java: "braces",
      md: "docs",
      rst: "docs",
    } as const;
    const extension = path.slice(2) as keyof typeof family;
    expect(scanDefinitions(text.split("\n"), family[extension]).map(({ name }) => name)).toEqual(names);
  });

  it("any text gives scopes inside the file and counts that add up", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("def a(x):", "  class B:", "    return a", "", "}", "x = (", ")", "# c"), {
          maxLength: 40,
        }),
        (lines) => {
          const { scopes, rowStart, rowTerm, lineCount } = scanFile("a.py", lines.join("\n"));
          expect(rowStart.at(-1)).toBe(rowTerm.length);
          for (const [s, scope] of scopes.entries()) {
            expect(scope.start).toBeLessThanOrEqual(scope.end);
            expect(scope.end).toBeLessThan(Math.max(1, lineCount));
            expect(scope.parent).toBeLessThan(s);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
