// The corpus store in SQLite: a table of files with their scans, and an FTS5 table of tokens. Every process of a user
// shares it; one writes at a time, readers never wait. Losing it costs time, never an answer.
import { setTimeout as sleep } from "node:timers/promises";
import { SQLITE_APPLICATION_ID } from "@jeeves/state";
import { type CorpusStore, type FileIdentity, type NewFile, StoreBusy, type StoredFile } from "./corpus-store.ts";
import type { Database, Sqlite, Statement } from "./load-sqlite.ts";
import { decodeScan, encodeScan } from "./record-codec.ts";

/** Changes whenever what a scan finds changes. */
const STORE_VERSION = 5;
const CACHE_KIB = 4_096;
const RETRY_MS = 15;
/** SQLite joins at most 500 selects into one. */
const MAX_TOKENS_OF_QUERY = 400;

const SCHEMA = `
  create table if not exists meta(version integer not null, root text not null);
  create table if not exists file(
    id integer primary key autoincrement, path text not null unique, kind text not null, hash text not null,
    size real not null, mtime real not null, ctime real not null, ino real not null,
    length integer not null, scopes integer not null, scan blob);
  create virtual table if not exists token using fts5(
    t, content='', contentless_delete=1, detail=none, tokenize='ascii');
`;
const COLUMNS = "id, path, kind, size, mtime as mtimeMs, ctime as ctimeMs, ino, length, scopes";

/** Thrown where a file is no store of this version; it is to be made anew. */
export class StoreUnusable extends Error {}

/** `file` may be ":memory:". Throws StoreUnusable, or what SQLite throws. */
export function openSqliteStore({ DatabaseSync }: Sqlite, file: string, root: string): CorpusStore {
  const db = new DatabaseSync(file);
  try {
    db.exec("pragma busy_timeout = 0");
    if (file !== ":memory:") {
      mark(db);
      db.exec("pragma journal_mode = wal; pragma synchronous = normal");
    }
    db.exec(`pragma cache_size = -${CACHE_KIB}; pragma temp_store = memory`);
    claim(db, root);
    return createStore(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Marks a new file as ours, before its pages go to the log beside it: `jeeves uninstall` removes no other. */
function mark(db: Database): void {
  if (first(db.prepare("select count(*) as n from sqlite_master").get()) > 0) return;
  db.exec(`pragma application_id = ${SQLITE_APPLICATION_ID}`);
}

/** Makes the tables of an empty file; refuses those of another version or root. */
function claim(db: Database, root: string): void {
  const tables = first(db.prepare("select count(*) as n from sqlite_master").get());
  if (tables === 0) {
    db.exec(`begin immediate; ${SCHEMA}`);
    db.prepare("insert into meta select ?, ? where not exists (select 1 from meta)").run(STORE_VERSION, root);
    db.exec("commit");
  }
  const meta: unknown = db.prepare("select version, root from meta").get();
  const isOurs =
    typeof meta === "object" && meta !== null && "version" in meta && "root" in meta && meta.version === STORE_VERSION;
  if (!isOurs || meta.root !== root) throw new StoreUnusable("the index is of another version");
}

function createStore(db: Database): CorpusStore {
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  let byPath: Map<string, StoredFile> | undefined;
  let counts = new Map<string, number>();
  let seen = -1;
  let changes = 0;
  let isWriting = false;
  let isChanged = false;
  /** Other processes write, too: their commits change data_version. */
  const refresh = (): void => {
    const version = first(prepared("pragma data_version").get());
    if (version === seen) return;
    seen = version;
    changes++;
    byPath = undefined;
    counts = new Map();
  };
  const files = (): Map<string, StoredFile> => {
    byPath ??= new Map(
      prepared(`select ${COLUMNS} from file`)
        .all()
        .map((row) => [toFile(row).path, toFile(row)]),
    );
    return byPath;
  };
  const forget = (id: number): void => {
    prepared("delete from file where id = ?").run(id);
    prepared("delete from token where rowid = ?").run(id);
  };

  return {
    files() {
      if (!isWriting) refresh();
      return files();
    },
    version() {
      if (!isWriting) refresh();
      return changes;
    },
    hashOf(id) {
      const row: unknown = prepared("select hash from file where id = ?").get(id);
      return typeof row === "object" && row !== null && "hash" in row ? String(row.hash) : undefined;
    },
    async begin(until, signal) {
      for (;;) {
        try {
          db.exec("begin immediate");
          isWriting = true;
          refresh();
          return;
        } catch (error) {
          if (!isBusy(error)) throw error;
          if (performance.now() >= until)
            throw new StoreBusy("another process keeps writing the index", { cause: error });
          await sleep(RETRY_MS, undefined, { signal });
        }
      }
    },
    put({ scanned, tokens, hash, ...file }: NewFile) {
      const before = files().get(file.path);
      if (before !== undefined) forget(before.id);
      const { lastInsertRowid } = prepared(
        "insert into file(path, kind, hash, size, mtime, ctime, ino, length, scopes, scan) values (?,?,?,?,?,?,?,?,?,?)",
      ).run(
        file.path,
        file.kind,
        hash,
        file.size,
        file.mtimeMs,
        file.ctimeMs,
        file.ino,
        file.length,
        file.scopes,
        scanned === undefined ? null : encodeScan(scanned),
      );
      const id = Number(lastInsertRowid);
      if (tokens.length > 0) prepared("insert into token(rowid, t) values (?, ?)").run(id, tokens.join(" "));
      files().set(file.path, { ...file, id });
      counts.clear();
      isChanged = true;
    },
    touch(id, identity: FileIdentity) {
      prepared("update file set size = ?, mtime = ?, ctime = ?, ino = ? where id = ?").run(
        identity.size,
        identity.mtimeMs,
        identity.ctimeMs,
        identity.ino,
        id,
      );
      byPath = undefined;
    },
    remove(id) {
      forget(id);
      byPath = undefined;
      counts.clear();
      isChanged = true;
    },
    commit() {
      db.exec("commit");
      isWriting = false;
      if (isChanged) changes++;
      isChanged = false;
    },
    rollback() {
      isWriting = false;
      changes++;
      byPath = undefined;
      counts.clear();
      try {
        db.exec("rollback");
      } catch {
        // SQLite rolled it back itself, as it does when the disk is full.
      }
    },
    scanned(id) {
      const row: unknown = prepared("select scan from file where id = ?").get(id);
      const scan = typeof row === "object" && row !== null && "scan" in row ? row.scan : undefined;
      if (!(scan instanceof Uint8Array)) return undefined;
      const scanned = decodeScan(scan);
      if (scanned === undefined) throw new StoreUnusable("the index is damaged");
      return scanned;
    },
    filesWith: (token) => prepared("select rowid as id from token where token match ?").all(token).map(first),
    countOf(token) {
      const known = counts.get(token);
      if (known !== undefined) return known;
      const count = first(prepared("select count(*) as n from token where token match ?").get(token));
      counts.set(token, count);
      return count;
    },
    best(tokens, limit) {
      const asked = tokens.slice(0, MAX_TOKENS_OF_QUERY);
      if (asked.length === 0) return [];
      const arms = asked.map(() => "select rowid as id, ? as worth from token where token match ?").join(" union all ");
      return db
        .prepare(
          `select found.id as id from (select id, sum(worth) as worth from (${arms}) group by id) as found
           join file on file.id = found.id order by found.worth desc, file.path limit ?`,
        )
        .all(...asked.flatMap(({ token, worth }) => [worth, token]), limit)
        .map(first);
    },
    snapshot(read) {
      if (isWriting) return read();
      db.exec("begin");
      try {
        refresh();
        return read();
      } finally {
        db.exec("rollback");
      }
    },
    close: () => db.close(),
  };
}

function toFile(row: unknown): StoredFile {
  return row as StoredFile; // its columns are COLUMNS
}

/** The one number of a row. */
function first(row: unknown): number {
  return typeof row === "object" && row !== null ? Number(Object.values(row)[0]) : 0;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /\b(?:busy|locked)\b/i.test(error.message);
}
