// The database itself: migrations, errors in words that say what to do, limits on everything, and no password anywhere.
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import {
  createPostgresRecoveryStore,
  type Database,
  DatabaseError,
  databaseUrlOf,
  migrate,
  openDatabase,
  type Schema,
  tryDatabase,
  watchDatabase,
} from "../../packages/state/src/index.ts";
import { freshUrl, openForTest, run } from "./database-under-test.ts";
import { machineForTest } from "./machines.ts";

const PASSWORD = "s3cret&word";
const schema = (version: number, part = "test"): Schema => ({
  part,
  migrations: Array.from({ length: version }, (_, at) => `CREATE TABLE made_${at + 1} (id integer)`),
});

async function errorOf(work: Promise<unknown>): Promise<DatabaseError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DatabaseError)) throw new Error(`no DatabaseError: ${String(error)}`);
  expect(`${error.message} ${error.hint} ${String(error.stack)}`).not.toContain(PASSWORD);
  expect(`${error.message} ${error.hint}`).not.toContain(encodeURIComponent(PASSWORD));
  return error;
}

/** A user of the server that may do only so much, in a schema of the test. */
async function userWith(grants: (user: string, schema: string) => readonly string[]): Promise<string> {
  const base = await freshUrl();
  const name = `user_${Math.random().toString(36).slice(2, 10)}`;
  const own = decodeURIComponent(new URL(base).searchParams.get("options") ?? "").replace("-c search_path=", "");
  await run(base, `CREATE USER ${name} PASSWORD '${PASSWORD}'`);
  onTestFinished(async () => {
    await run(base, `DROP OWNED BY ${name}; DROP USER ${name}`);
  });
  for (const grant of grants(name, own)) await run(base, grant);
  const url = new URL(base);
  url.username = name;
  url.password = PASSWORD;
  return url.href.replaceAll("+", "%20");
}

describe("migrations", () => {
  it.each([true, false])(
    "X-65 of many that begin at once each is applied once (advisory locks: %s)",
    async (hasAdvisoryLocks) => {
      const url = await freshUrl();
      const databases = Array.from({ length: 6 }, () => openForTest(url));
      await Promise.all(databases.map((database) => migrate(database, schema(3), { hasAdvisoryLocks })));
      await Promise.all(databases.map((database) => migrate(database, schema(4), { hasAdvisoryLocks })));
      const { rows } = await run(url, "SELECT version FROM jeeves_schema WHERE part = 'test'");
      expect(rows).toEqual([{ version: 4 }]);
    },
  );

  it("X-65 one that fails leaves nothing of itself", async () => {
    const url = await freshUrl();
    const broken = {
      part: "test",
      migrations: ["CREATE TABLE made_1 (id integer)", "CREATE TABLE made_1 (id integer)"],
    };
    const database = openForTest(url);
    // It would be made again and again: the name is taken by itself.
    await expect(
      migrate(database, { ...broken, migrations: [...broken.migrations, "SELECT nonsense"].toSpliced(1, 1) }),
    ).rejects.toThrow("nonsense");
    expect((await run(url, "SELECT to_regclass('made_1') AS there")).rows).toEqual([{ there: null }]);
  });

  it("X-65 a database of a newer Jeeves is refused, and nothing in it is touched", async () => {
    const url = await freshUrl();
    await migrate(openForTest(url), schema(3));
    const error = await errorOf(migrate(openForTest(url), schema(2)));
    expect(error).toMatchObject({ code: "newer_schema", hint: "update Jeeves on this machine" });
    expect(error.message).toContain("version 3, and this one knows 2");
  });
});

describe("a database that cannot be used", () => {
  it.each([
    ["mysql://u:s3cret@h/db", "mysql:"],
    ["postgres://u:s3cret@host", "names no database"],
    ["not an address s3cret", "is no address"],
  ])("X-65 a wrong address is refused without its password: %s", (url, words) => {
    const wrong = () => databaseUrlOf({ JEEVES_DATABASE_URL: url });
    expect(wrong).toThrow(words);
    expect(wrong).not.toThrow("s3cret");
  });

  it("X-65 a wrong password, an unknown database and a port where nothing listens say which", async () => {
    const url = new URL(inject("databaseUrl"));
    url.password = PASSWORD;
    expect(await errorOf(openForTest(url.href).query("SELECT 1"))).toMatchObject({ code: "refused" });
    const other = new URL(inject("databaseUrl"));
    other.pathname = "/nowhere";
    expect(await errorOf(openForTest(other.href).query("SELECT 1"))).toMatchObject({ code: "refused" });
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const address = probe.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    probe.close();
    await once(probe, "close");
    const closed = await errorOf(
      openForTest(`postgres://u:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/db`).query("SELECT 1"),
    );
    expect(closed).toMatchObject({ code: "unreachable" });
    expect(closed.message).toContain(`127.0.0.1:${port}`);
  });

  it("X-65 without the right to make tables it says which right is missing", async () => {
    const url = await userWith((user, own) => [`GRANT USAGE ON SCHEMA ${own} TO ${user}`]);
    const error = await errorOf(tryDatabase(openForTest(url)));
    expect(error).toMatchObject({ code: "not_permitted", sqlState: "42501" });
    expect(error.hint).toContain("GRANT");
  });

  it("X-65 a database that takes no writes is named as such, and a cut goes raw", async () => {
    const url = new URL(await freshUrl());
    url.searchParams.set("options", `${url.searchParams.get("options")} -c default_transaction_read_only=on`);
    const readOnly = url.href.replaceAll("+", "%20");
    expect(await errorOf(tryDatabase(openForTest(readOnly)))).toMatchObject({ code: "read_only" });
    const store = createPostgresRecoveryStore({ database: openForTest(readOnly) });
    await expect(store.put({ text: "x", focus: "", options: {} })).rejects.toMatchObject({ code: "store_unavailable" });
  });

  it("X-65 a full disk at the server loses nothing and says so", async () => {
    const url = await freshUrl();
    const database = openForTest(url);
    await tryDatabase(database);
    // The server's own error for a full disk.
    await run(
      url,
      `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER no_room BEFORE INSERT ON jeeves_texts FOR EACH ROW EXECUTE FUNCTION no_room()`,
    );
    const store = createPostgresRecoveryStore({ database });
    const refused = store.put({ text: "x", focus: "", options: {} });
    await expect(refused).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("No space"),
    });
    await run(url, "DROP TRIGGER no_room ON jeeves_texts");
    const { pruneId } = await store.put({ text: "x", focus: "", options: {} });
    expect((await store.get(pruneId))?.text).toBe("x");
  });

  it("X-65 a network that drops packets ends the wait at its limit, and the next answer does not wait again", async () => {
    // Takes connections and never answers.
    const sockets: Socket[] = [];
    const hole = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    await once(hole, "listening");
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      hole.close();
    });
    const address = hole.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const url = `postgres://u:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/db`;
    expect(await errorOf(openForTest(url, { connectMs: 200 }).query("SELECT 1"))).toMatchObject({ code: "stalled" });
    const database = openForTest(url, { connectMs: 200 });
    const store = createPostgresRecoveryStore({ database });
    await expect(store.put({ text: "x", focus: "", options: {} })).rejects.toMatchObject({ code: "store_unavailable" });
    const tried = sockets.length;
    await expect(store.get("prn_aaaaaaaaaaaa")).rejects.toMatchObject({ code: "store_unavailable" });
    expect(sockets.length).toBe(tried);
  });

  it("X-65 a statement that never ends is ended by the server", async () => {
    const database = openForTest(await freshUrl(), { statementMs: 200 });
    expect(await errorOf(database.query("SELECT pg_sleep(600)"))).toMatchObject({ code: "stalled", sqlState: "57014" });
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("X-65 rudder and its errors name the database without its password", async () => {
    const url = new URL(inject("databaseUrl"));
    url.password = PASSWORD;
    const machine = machineForTest(url.href);
    const refused = await machine.run(["--json", "init"]);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "no_database" } } });
    expect(JSON.stringify(refused)).not.toContain(PASSWORD);
  });
});

describe("watching", () => {
  const notice = (database: Database) => database.query("SELECT pg_notify('test_watch', 'said')");

  it("X-65 notices come in by LISTEN, and again after the connection was killed", async () => {
    const url = await freshUrl();
    const database = openForTest(url);
    const heard: (string | undefined)[] = [];
    const stop = watchDatabase({ database, channel: "test_watch", onNotice: (payload) => heard.push(payload) });
    onTestFinished(stop);
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await notice(database);
    await expect.poll(() => heard).toContain("said");
    heard.length = 0;
    await run(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN test_watch%'");
    await expect
      .poll(async () => (await notice(database)) && heard.includes("said"), { timeout: 15_000, interval: 500 })
      .toBe(true);
  });

  it("X-65 where there is no LISTEN it polls", async () => {
    const heard: (string | undefined)[] = [];
    const database = openForTest(await freshUrl());
    const stop = watchDatabase({
      database,
      channel: "test_watch",
      onNotice: (payload) => heard.push(payload),
      hasListen: false,
      pollMs: 20,
    });
    onTestFinished(stop);
    await expect.poll(() => heard.length).toBeGreaterThan(2);
    expect(new Set(heard)).toEqual(new Set([undefined]));
  });
});

it("X-65 a program without the variable opens no database, and loads nothing for it", () => {
  expect(databaseUrlOf({})).toBeUndefined();
  expect(databaseUrlOf({ JEEVES_DATABASE_URL: "  " })).toBeUndefined();
  expect(() => openDatabase("x")).toThrow("JEEVES_DATABASE_URL is no address");
});
