// Which files come first where not every file can be scanned in time.
import { expect, it } from "vitest";
import type { CorpusLease } from "../src/corpus/corpus-keeper.ts";
import { openRoots } from "../src/open-roots.ts";
import { labelRoots } from "../src/roots.ts";
import { parseQuestion } from "../src/words/question.ts";
import { makeTempDir, writeFiles } from "./made-project.ts";

it("C-39 a denied file and git's own are not searched for the words of the question", async () => {
  const dir = await makeTempDir();
  try {
    const text = "backoff of invoices\n";
    await writeFiles(dir.path, { "src/a.py": text, ".git/note": text, "secrets/key.txt": text, ".hidden/b.py": text });
    let preferred: ReadonlyMap<string, number> = new Map();
    const keeper: Pick<CorpusLease, "open"> = {
      async open(_, { prefer }) {
        preferred = await prefer([]);
        throw new Error("seen enough");
      },
    };
    const opening = openRoots(labelRoots([dir.path]), parseQuestion("how does backoff of invoices work?"), {
      ...{ keeper, deny: ["secrets/**"], scanUntil: 0 },
      signal: new AbortController().signal,
    });
    await expect(opening).rejects.toThrow("seen enough");
    expect([...preferred.keys()].sort()).toEqual([".hidden/b.py", "src/a.py"]);
  } finally {
    await dir.remove();
  }
});
