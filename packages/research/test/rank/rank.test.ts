// The order of files, and the lines in them.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Corpus } from "../../src/corpus/corpus.ts";
import { createCorpusKeeper } from "../../src/corpus/corpus-keeper.ts";
import { searchExact } from "../../src/exact/exact-search.ts";
import { bestLines } from "../../src/rank/best-lines.ts";
import { chanceOf, confidenceOf } from "../../src/rank/confidence.ts";
import { COLUMNS, leadersOf } from "../../src/rank/leaders.ts";
import { type RankedFile, rankFiles } from "../../src/rank/rank-files.ts";
import { RELATIONS, relationsOf } from "../../src/rank/relations.ts";
import { treeScores } from "../../src/rank/score-rows.ts";
import { askedTerms, signalsOf } from "../../src/rank/signals.ts";
import { TREES } from "../../src/rank/tree-weights.ts";
import { FIRST_WEIGHTS, REST_WEIGHTS } from "../../src/rank/weights.ts";
import { parseQuestion } from "../../src/words/question.ts";
import { type MadeDir, makeProject, makeTempDir, writeFiles } from "../made-project.ts";

let project: MadeDir;
let other: MadeDir;
let corpus: Corpus;
let second: Corpus;

beforeAll(async () => {
  [project, other] = await Promise.all([makeProject(), makeTempDir()]);
  await writeFiles(other.path, {
    "lib/telescope.ts": "export function pointTelescope(star: string) {\n  return star;\n}\n",
    "lib/stars.ts":
      'import { pointTelescope } from "./telescope";\nexport const look = (star: string) => pointTelescope(star);\n',
  });
  const keeper = createCorpusKeeper({ indexDir: undefined, deny: [], maxFileBytes: 100_000, maxFiles: 1_000 });
  const opening = {
    signal: new AbortController().signal,
    scanUntil: Number.POSITIVE_INFINITY,
    prefer: async () => new Map(),
  };
  corpus = (await keeper.open(project.path, opening)).corpus;
  second = (await keeper.open(other.path, opening)).corpus;
});
afterAll(() => Promise.all([project.remove(), other.remove()]));

async function rank(text: string, corpora: readonly Corpus[] = [corpus]): Promise<RankedFile[]> {
  const question = parseQuestion(text);
  const search = { deny: [], signal: new AbortController().signal };
  const rootOf = (one: Corpus): string => (one === corpus ? project.path : other.path);
  const exact = await Promise.all(corpora.map((one) => searchExact(rootOf(one), question.literals, search)));
  return rankFiles(corpora, question, { count: 20, exact });
}

async function order(text: string, corpora?: readonly Corpus[]): Promise<string[]> {
  return (await rank(text, corpora)).map(({ path }) => path);
}

describe("rank", () => {
  it("there is a weight for every number of a row", () => {
    const question = parseQuestion("How does send_invoice retry?");
    const { rows } = leadersOf([corpus], question, { direct: [[]], rankOf: () => 0 });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toHaveLength(COLUMNS.length);
    expect(FIRST_WEIGHTS).toHaveLength(COLUMNS.length);
    expect(REST_WEIGHTS).toHaveLength(COLUMNS.length);
    expect(TREES.features).toEqual(COLUMNS);
  });

  it("the trees score a row by itself, whatever stands beside it and however large its numbers are", () => {
    const row = fc.array(fc.double({ noNaN: true }), { minLength: COLUMNS.length, maxLength: COLUMNS.length });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
        const scores = [...treeScores(rows)];
        expect(scores).toEqual(rows.map((one) => treeScores([one])[0]));
        expect(scores.every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it("the file that defines a named identifier comes first, the file that tests it is near", async () => {
    const paths = await order("What does load_record do?");
    expect(paths[0]).toBe("src/ledger/store.py");
    expect((await order("How does send_invoice retry?")).slice(0, 3)).toContain("tests/test_invoices.py");
  });

  it("X-72 the further the first file leads the surer it is; the only definition of a name is sure", async () => {
    const ranked = await rank("How does send_invoice retry?");
    const chances = [0, 1, 3, 6].map((lead) => chanceOf(ranked.map((file) => ({ ...file, lead }))));
    expect(chances).toEqual(chances.toSorted((a, b) => a - b));
    expect(new Set(chances)).toHaveProperty("size", 4);
    expect(ranked[0]?.lead).toBeGreaterThan(0);
    expect(confidenceOf(await rank("Where is `load_record` defined?"))).toBe("high");
  });

  it("a paraphrase finds the file as well", async () => {
    expect((await order("How does the mail delivery function use its token?"))[0]).toBe("src/ledger/mailer.py");
  });

  it("C-48 files of several roots are ranked together", async () => {
    const paths = await order("Where is pointTelescope defined?", [corpus, second]);
    expect(paths[0]).toBe("lib/telescope.ts");
    expect((await order("What does load_record do?", [second, corpus]))[0]).toBe("src/ledger/store.py");
  });

  it("imports are followed, relative and by module name", () => {
    const at = (name: string, of: Corpus): number => of.definersOf(name)[0] ?? -1;
    const pathsOf = (files: readonly number[], of: Corpus): string[] => files.map((file) => of.pathOf(file)).sort();
    expect(pathsOf(second.importsOf(at("look", second)), second)).toEqual(["lib/telescope.ts"]);
    expect(pathsOf(second.importedBy(at("pointTelescope", second)), second)).toEqual(["lib/stars.ts"]);
    expect(pathsOf(corpus.importsOf(at("open_account", corpus)), corpus)).toEqual(["src/ledger/store.py"]);
    expect(pathsOf(corpus.importedBy(at("open_account", corpus)), corpus)).toEqual([
      "src/ledger/__main__.py",
      "tests/test_accounts.py",
    ]);
  });

  it("the pair of a leading file is told to be one", () => {
    const question = parseQuestion("How does send_invoice retry?");
    const terms = askedTerms(corpus, question);
    const candidates = signalsOf(corpus, question, { terms, total: 10 });
    const ordered = [...candidates].sort((a) => (a.path === "src/ledger/invoices.py" ? -1 : 1));
    const rows = relationsOf(
      ordered,
      ordered.map((_, i) => -i),
    );
    const pair = ordered.findIndex(({ path }) => path === "tests/test_invoices.py");
    expect(rows[pair]?.[RELATIONS.indexOf("pairOfFirst")]).toBe(1);
  });

  it("an earlier question changes nothing about a later one", async () => {
    const before = rankFiles([corpus], parseQuestion("How is a stored record read?"), { count: 9 }).map(
      ({ path, score }) => [path, score],
    );
    await order("Where do purple elephants and quantum walruses meet `zyzzyva`?");
    const after = rankFiles([corpus], parseQuestion("How is a stored record read?"), { count: 9 }).map(
      ({ path, score }) => [path, score],
    );
    expect(after).toEqual(before);
  });

  it("nothing asked, nothing found", async () => {
    expect(await order("zyzzyva")).toEqual([]);
  });
});

describe("best lines", () => {
  const terms = ["retry", "backoff"].map((term) => ({ term, worth: 2 }));

  it("any text gives lines that are in it, apart from each other, best first", () => {
    const line = fc.constantFrom(
      "",
      "retry with backoff",
      "def retry(x):",
      "    return backoff",
      "}",
      "other words",
      "\t",
      "# retry",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), (lines) => {
        const found = bestLines("a.py", lines.join("\n"), { terms, count: 4 });
        for (const [n, one] of found.entries()) {
          expect(lines[one.line - 1]).toBe(one.text);
          expect(one.text).toMatch(/retry|backoff/);
          for (const two of found.slice(n + 1)) {
            expect(Math.abs(one.line - two.line)).toBeGreaterThanOrEqual(12);
            expect(one.score).toBeGreaterThanOrEqual(two.score);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("a line names the scope that it stands in, and where that begins and ends", () => {
    const text =
      "class Client:\n    # send again\n    def send(self):\n        return retry(backoff)\n\n    def stop(self):\n        return 1\n";
    expect(bestLines("a.py", text, { terms, count: 1 })).toMatchObject([
      { line: 4, scope: "Client.send", scopeLine: 3, scopeEnd: 4 },
    ]);
  });
});
