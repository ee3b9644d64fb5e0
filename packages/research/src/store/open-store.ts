// The store of one root: its file in the index directory, or one in memory where there is none or it cannot be used.
// A file that cannot be used causes one warning; a damaged one is made anew.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { makeDirs } from "@jeeves/state";
import type { CorpusStore } from "./corpus-store.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { createMemoryStore } from "./memory-store.ts";
import { openSqliteStore, StoreUnusable } from "./sqlite-store.ts";

const MAX_INDEXES = 40;
const ENDING = ".sqlite";

/** What a store is opened with; `onWarning` hears why a file was not used. */
interface OpenStoreOptions {
  /** undefined: nothing is kept on disk. */
  readonly dir: string | undefined;
  readonly root: string;
  /** What else decides which files are in it: indexes of other settings are other indexes. */
  readonly settings: readonly unknown[];
  readonly onWarning: (error: unknown) => void;
}

/** Never rejects: without a usable file the store is in memory. */
export async function openStore(options: OpenStoreOptions): Promise<CorpusStore> {
  const sqlite = await loadSqlite();
  if (sqlite === undefined) return createMemoryStore();
  if (options.dir === undefined) return openSqliteStore(sqlite, ":memory:", options.root);
  const file = indexPath(options.dir, options);
  try {
    await makeDirs(options.dir, { mode: 0o700 });
    // A store that is only read does not change its file, and would pass for an old one.
    if (existsSync(file)) await utimes(file, new Date(), new Date()).catch(() => {});
    else await dropOldest(options.dir);
    try {
      return openSqliteStore(sqlite, file, options.root);
    } catch (error) {
      if (!isDamage(error)) throw error;
      options.onWarning(new Error("the index was of another version or damaged, and is made anew", { cause: error }));
      await removeStore(file);
      return openSqliteStore(sqlite, file, options.root);
    }
  } catch (error) {
    options.onWarning(error);
    return openSqliteStore(sqlite, ":memory:", options.root);
  }
}

/** Whether an error means that the file cannot be read as an index. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof StoreUnusable ||
    (error instanceof Error &&
      /malformed|not a database|corrupt|no such table|no such column|file is encrypted/i.test(error.message))
  );
}

/** The path of a root's index; other roots and other settings have other paths. */
export function indexPath(dir: string, { root, settings }: Pick<OpenStoreOptions, "root" | "settings">): string {
  const key = createHash("sha256")
    .update(JSON.stringify([root, settings]))
    .digest("hex")
    .slice(0, 24);
  return join(dir, `${key}${ENDING}`);
}

/** Removes an index and what SQLite keeps beside it. */
export async function removeStore(file: string): Promise<void> {
  for (const each of filesOf(file)) await rm(each, { force: true });
}

function filesOf(file: string): readonly string[] {
  return [file, `${file}-wal`, `${file}-shm`];
}

/** Makes room for a new index: keeps those that were opened or written last. */
async function dropOldest(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(ENDING));
  if (names.length < MAX_INDEXES) return;
  const dated = await Promise.all(
    names.map(async (name) => {
      const file = join(dir, name);
      const timeOf = (path: string) => stat(path).then(({ mtimeMs }) => mtimeMs);
      // Another process may have removed it, or may be writing: SQLite writes to the log first.
      const times = await Promise.all(filesOf(file).map((path) => timeOf(path).catch(() => 0)));
      return times[0] === 0 ? [] : [{ file, at: Math.max(...times) }];
    }),
  );
  const newest = dated.flat().sort((a, b) => b.at - a.at);
  for (const { file } of newest.slice(MAX_INDEXES - 1)) await removeStore(file);
}
