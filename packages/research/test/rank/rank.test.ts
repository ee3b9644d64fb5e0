// The order of files, and the lines in them.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Corpus } from "../../src/corpus/corpus.ts";
import { createCorpusKeeper } from "../../src/corpus/corpus-keeper.ts";
import { createInterner } from "../../src/corpus/interner.ts";
import { bestLines } from "../../src/rank/best-lines.ts";
import { rankFiles, withRelatives } from "../../src/rank/rank-files.ts";
import { RELATIONS, relationsOf } from "../../src/rank/relations.ts";
import { askedTerms, SIGNALS, signalsOf } from "../../src/rank/signals.ts";
import { FIT_WEIGHTS, RELATED_WEIGHTS, RELATIVE } from "../../src/rank/weights.ts";
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

const order = (question: string, corpora: readonly Corpus[] = [corpus]): string[] =>
  rankFiles(corpora, parseQuestion(question), { count: 20 }).map(({ path }) => path);

describe("rank", () => {
  it("there is a weight for every signal and every relation", () => {
    const fit = SIGNALS.length + RELATIVE.length;
    expect(FIT_WEIGHTS).toHaveLength(fit);
    expect(RELATED_WEIGHTS).toHaveLength(fit + RELATIONS.length + 1);
  });

  it("the file that defines a named identifier comes first, the file that tests it is near", () => {
    const paths = order("What does load_record do?");
    expect(paths[0]).toBe("src/ledger/store.py");
    expect(order("How does send_invoice retry?").slice(0, 3)).toContain("tests/test_invoices.py");
  });

  it("a paraphrase finds the file as well", () => {
    expect(order("How does the mail delivery function use its token?")[0]).toBe("src/ledger/mailer.py");
  });

  it("C-48 files of several roots are ranked together", () => {
    const paths = order("Where is pointTelescope defined?", [corpus, second]);
    expect(paths[0]).toBe("lib/telescope.ts");
    expect(order("What does load_record do?", [second, corpus])[0]).toBe("src/ledger/store.py");
  });

  it("imports are followed, relative and by module name", () => {
    const at = (path: string, of: Corpus): number => of.files.findIndex((file) => file.path === path);
    expect(second.imports[at("lib/stars.ts", second)]).toEqual([at("lib/telescope.ts", second)]);
    expect(corpus.imports[at("src/ledger/accounts.py", corpus)]).toEqual([at("src/ledger/store.py", corpus)]);
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
    expect(withRelatives(candidates)[0]).toHaveLength(SIGNALS.length + RELATIVE.length);
  });

  it("an earlier question changes nothing about a later one", () => {
    const before = rankFiles([corpus], parseQuestion("How is a stored record read?"), { count: 9 }).map(
      ({ path, score }) => [path, score],
    );
    order("Where do purple elephants and quantum walruses meet `zyzzyva`?");
    const after = rankFiles([corpus], parseQuestion("How is a stored record read?"), { count: 9 }).map(
      ({ path, score }) => [path, score],
    );
    expect(after).toEqual(before);
  });

  it("nothing asked, nothing found", () => {
    expect(order("zyzzyva")).toEqual([]);
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
        const found = bestLines("a.py", lines.join("\n"), { terms, count: 4, interner: createInterner() });
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
    expect(bestLines("a.py", text, { terms, count: 1, interner: createInterner() })).toMatchObject([
      { line: 4, scope: "Client.send", scopeLine: 3, scopeEnd: 4 },
    ]);
  });
});
