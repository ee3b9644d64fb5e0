// SQLite, where this installation has it: Node's own, else the package with its prebuilt binaries. The types are the part
// of their common interface that the store uses.

export interface Statement {
  run(...values: readonly SqlValue[]): { readonly lastInsertRowid: number | bigint };
  get(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): unknown[];
}

type SqlValue = string | number | Uint8Array | null;

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** The module; opening a file creates it. */
export interface Sqlite {
  readonly DatabaseSync: new (file: string) => Database;
}

let loaded: Promise<Sqlite | undefined> | undefined;

/** undefined: there is none, or it lacks FTS5. */
export function loadSqlite(): Promise<Sqlite | undefined> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Sqlite | undefined> {
  for (const source of [nodeSqlite, packageSqlite]) {
    try {
      const sqlite = await source();
      if (sqlite !== undefined && hasFts5(sqlite)) return sqlite;
    } catch {
      // Not installed, or not for this platform.
    }
  }
  return undefined;
}

/** Suppresses Node's warning that its own is experimental, because stderr is for our events. */
async function nodeSqlite(): Promise<Sqlite | undefined> {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const name: string = "node:sqlite";
    return await import(name);
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function packageSqlite(): Promise<Sqlite | undefined> {
  return import("@photostructure/sqlite");
}

function hasFts5({ DatabaseSync }: Sqlite): boolean {
  const probe = new DatabaseSync(":memory:");
  try {
    probe.exec("create virtual table probe using fts5(t, content='', contentless_delete=1, detail=none)");
    return true;
  } finally {
    probe.close();
  }
}
