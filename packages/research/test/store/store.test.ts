// What holds for every corpus store, and what only the one on disk can go through.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, open, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCorpusKeeper } from "../../src/corpus/corpus-keeper.ts";
import { tokensOf } from "../../src/corpus/file-tokens.ts";
import { scanFile } from "../../src/corpus/scan-file.ts";
import { rankFiles } from "../../src/rank/rank-files.ts";
import { type CorpusStore, type NewFile, token } from "../../src/store/corpus-store.ts";
import { loadSqlite } from "../../src/store/load-sqlite.ts";
import { createMemoryStore } from "../../src/store/memory-store.ts";
import { indexPath, openStore } from "../../src/store/open-store.ts";
import { openSqliteStore } from "../../src/store/sqlite-store.ts";
import { parseQuestion } from "../../src/words/question.ts";
import { termId, wholeId } from "../../src/words/term-ids.ts";
import { type MadeDir, makeProject, makeTempDir } from "../made-project.ts";

const signal = new AbortController().signal;
/** What says that a file is SQLite's. */
const HEADER_BYTES = 100;
const sqlite = await loadSqlite();
if (sqlite === undefined) throw new Error("the tests need SQLite");

function fileOf(path: string, text: string): NewFile {
  const scanned = scanFile(path, text);
  const identity = { size: text.length, mtimeMs: 1, ctimeMs: 2, ino: 3 };
  return {
    path,
    ...identity,
    kind: "text",
    hash: text,
    length: 9,
    scopes: 1,
    scanned,
    tokens: tokensOf(path, scanned),
  };
}

async function write(store: CorpusStore, change: () => void): Promise<void> {
  await store.begin(Number.POSITIVE_INFINITY, signal);
  change();
  store.commit();
}

describe.each([
  ["memory", createMemoryStore],
  ["SQLite", () => openSqliteStore(sqlite, ":memory:", "/root")],
])("the store in %s", (_, create) => {
  const FILES = { "a/one.py": "def send_mail(x):\n    return retry(x)\n", "a/two.py": "import one\n\nretry = 1\n" };
  let store: CorpusStore;
  beforeEach(async () => {
    store = create();
    await write(store, () => {
      for (const [path, text] of Object.entries(FILES)) store.put(fileOf(path, text));
    });
  });
  afterEach(() => store.close());
  const paths = (ids: readonly number[]): string[] =>
    [...store.files().values()]
      .filter(({ id }) => ids.includes(id))
      .map(({ path }) => path)
      .sort();

  it("C-45 finds files by their tokens, and gives scans back as they were", () => {
    expect(paths(store.filesWith(token.text(termId("retry"))))).toEqual(["a/one.py", "a/two.py"]);
    expect(paths(store.filesWith(token.defines(wholeId("send_mail"))))).toEqual(["a/one.py"]);
    expect(store.countOf(token.text(termId("retry")))).toBe(2);
    for (const [path, text] of Object.entries(FILES)) {
      const id = store.files().get(path)?.id ?? -1;
      expect(store.scanned(id)).toEqual(scanFile(path, text));
      expect(store.hashOf(id)).toBe(text);
    }
  });

  it("C-48 gives the best first, equal ones by path, and no more than asked for", () => {
    const asked = [
      { token: token.text(termId("retry")), worth: 2 },
      { token: token.defines(wholeId("retry")), worth: 1 },
    ];
    const byId = new Map([...store.files().values()].map(({ id, path }) => [id, path]));
    expect(store.best(asked, 9).map((id) => byId.get(id))).toEqual(["a/two.py", "a/one.py"]);
    expect(store.best(asked.slice(0, 1), 9).map((id) => byId.get(id))).toEqual(["a/one.py", "a/two.py"]);
    expect(store.best(asked, 1)).toHaveLength(1);
  });

  it("C-45 a changed or removed file is found by nothing that it had", async () => {
    const before = store.version();
    await write(store, () => {
      store.put(fileOf("a/one.py", "nothing = 1\n"));
      store.remove(store.files().get("a/two.py")?.id ?? -1);
    });
    expect(store.version()).not.toBe(before);
    expect(store.filesWith(token.text(termId("retry")))).toEqual([]);
    expect(store.countOf(token.text(termId("retry")))).toBe(0);
    expect([...store.files().keys()]).toEqual(["a/one.py"]);
  });
});

describe("the index on disk", () => {
  let project: MadeDir;
  let index: MadeDir;
  let warnings: unknown[];
  beforeEach(async () => {
    [project, index] = await Promise.all([makeProject(), makeTempDir()]);
    warnings = [];
  });
  afterEach(() => Promise.all([project.remove(), index.remove()]));

  const keeperOf = (indexDir: string | undefined) =>
    createCorpusKeeper({
      indexDir,
      deny: [],
      maxFileBytes: 100_000,
      maxFiles: 10_000,
      onSaveFailed: (error) => warnings.push(error),
    });
  const opening = { signal, scanUntil: Number.POSITIVE_INFINITY, prefer: async () => new Map<string, number>() };
  const QUESTION = parseQuestion("How does send_invoice send an invoice again with backoff?");
  async function rank(keeper: ReturnType<typeof keeperOf>): Promise<[string, number][]> {
    const { corpus } = await keeper.open(project.path, opening);
    return rankFiles([corpus], QUESTION, { count: 20 }).map(({ path, score }) => [path, score]);
  }
  async function askOnce(indexDir: string | undefined): Promise<[string, number][]> {
    const keeper = keeperOf(indexDir);
    const ranked = await rank(keeper);
    await keeper.settle();
    return ranked;
  }
  const theIndex = async (): Promise<string> =>
    join(index.path, (await readdir(index.path)).find((name) => name.endsWith(".sqlite")) ?? "");

  it("C-45 an index is made though another process removes an old one at the same moment", async () => {
    const names = Array.from({ length: 40 }, (_, n) => `${n}.sqlite`);
    for (const name of names) await writeFile(join(index.path, name), "");
    // Listed, and not there when it is looked at.
    await symlink(join(index.path, "removed"), join(index.path, "gone.sqlite"));
    const onWarning = (error: unknown) => void warnings.push(error);
    const store = await openStore({ dir: index.path, root: project.path, settings: [], onWarning });
    store.close();
    expect(warnings).toEqual([]);
    expect(await readdir(index.path)).toContain(basename(indexPath(index.path, { root: project.path, settings: [] })));
  });

  it("C-45 to make room for a new index, none is removed that was opened or written just now", async () => {
    const onWarning = (error: unknown) => void warnings.push(error);
    const open = (root: string) => openStore({ dir: index.path, root, settings: [], onWarning });
    const fileOfRoot = (root: string) => indexPath(index.path, { root, settings: [] });
    (await open("/read")).close();
    const age = (path: string) => utimes(path, 1e9, 1e9);
    await age(fileOfRoot("/read"));
    (await open("/read")).close();
    // A writer: only its log changes.
    for (const name of ["written.sqlite", "written.sqlite-wal"]) await writeFile(join(index.path, name), "");
    await age(join(index.path, "written.sqlite"));
    for (let n = 0; n < 40; n++) {
      await writeFile(join(index.path, `${n}.sqlite`), "");
      await utimes(join(index.path, `${n}.sqlite`), 1.1e9, 1.1e9);
    }
    (await open("/new")).close();
    const left = (await readdir(index.path)).filter((name) => name.endsWith(".sqlite"));
    expect(left).toEqual(
      expect.arrayContaining([basename(fileOfRoot("/read")), basename(fileOfRoot("/new")), "written.sqlite"]),
    );
    expect(left).toHaveLength(40);
    expect(warnings).toEqual([]);
  });

  it("C-45 an edit with the same size and time is seen", async () => {
    const file = join(project.path, "src/ledger/store.py");
    await utimes(file, 1e9, 1e9);
    const keeper = keeperOf(index.path);
    await rank(keeper);
    await writeFile(file, (await readFile(file, "utf8")).replace("load_record", "lade_record"));
    await utimes(file, 1e9, 1e9);
    const { corpus } = await keeper.open(project.path, opening);
    expect(corpus.definersOf("lade_record")).toHaveLength(1);
    expect(corpus.definersOf("load_record")).toEqual([]);
    await keeper.settle();
  });

  it("C-45 of another version: made anew, and said", async () => {
    const before = await askOnce(index.path);
    const db = new sqlite.DatabaseSync(await theIndex());
    db.exec("update meta set version = 1");
    db.close();
    expect(await askOnce(index.path)).toEqual(before);
    expect(String(warnings)).toMatch(/another version or damaged/);
    warnings = [];
    expect(await askOnce(index.path)).toEqual(before);
    expect(warnings).toEqual([]);
  });

  it("C-45 torn in the middle: the answer is the same, and it is said", async () => {
    const before = await askOnce(index.path);
    const names = await readdir(index.path);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const file = join(index.path, name);
      const { size } = await stat(file);
      const handle = await open(file, "r+");
      if (size > HEADER_BYTES)
        await handle.write(Buffer.alloc(size - HEADER_BYTES, 0xa5), 0, size - HEADER_BYTES, HEADER_BYTES);
      await handle.close();
    }
    expect(await askOnce(index.path)).toEqual(before);
    expect(warnings.length).toBeGreaterThan(0);
  });

  it("C-45 two processes index one root at once, one is killed, and nothing is lost or doubled", async () => {
    const expected = await askOnce(undefined);
    const program = join(import.meta.dirname, "../../dist/mcp-research.js");
    const children = [0, 1].map(() =>
      spawn(process.execPath, [program, "--root", project.path], {
        env: { PATH: process.env.PATH, HOME: index.path, JEEVES_STATE_DIR: index.path },
        stdio: ["pipe", "pipe", "ignore"],
      }),
    );
    const call = { name: "locate_in_codebase", arguments: { question: QUESTION.text } };
    for (const child of children)
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call })}\n`);
    const [first, second] = children;
    if (first === undefined || second === undefined) throw new Error("two were started");
    await Promise.race(children.map((child) => once(child.stdout, "data")));
    first.kill("SIGKILL");
    second.stdin.end();
    await Promise.all(children.map((child) => (child.exitCode ?? child.signalCode) === null && once(child, "exit")));
    expect(await askOnce(join(index.path, "research-index"))).toEqual(expected);
  });

  it.runIf(process.getuid?.() !== 0)("C-45 a read-only index directory costs nothing but a warning", async () => {
    await chmod(index.path, 0o500);
    expect((await askOnce(index.path))[0]?.[0]).toBe("src/ledger/invoices.py");
    expect(warnings).toHaveLength(1);
    await chmod(index.path, 0o700);
  });

  it.runIf(process.platform !== "win32")("C-45 a full disk costs the index and no answer", async () => {
    const expected = await askOnce(undefined);
    const program = join(import.meta.dirname, "../../dist/mcp-research.js");
    // No file may grow beyond 16 blocks: SQLite hears what it hears from a full disk.
    const child = spawn(
      "sh",
      ["-c", 'ulimit -f 16; exec "$@"', "sh", process.execPath, program, "--root", project.path],
      {
        env: { PATH: process.env.PATH, HOME: index.path, JEEVES_STATE_DIR: index.path },
        stdio: ["pipe", "pipe", "pipe"],
      },
    );
    const call = { name: "locate_in_codebase", arguments: { question: QUESTION.text } };
    child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call })}\n`);
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    await once(child, "close");
    const references: string[] = JSON.parse(JSON.parse(out).result.content[0].text).locator.value.references;
    expect(references[0]?.replace(/:\d+$/, "")).toBe(expected[0]?.[0]);
    expect(err).toMatch(/index/);
  });
});
