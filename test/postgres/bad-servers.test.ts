// Servers as they are on bad days: a replica, a disk that is full, a move that is killed; and a password that is nowhere.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, inject, it, onTestFinished } from "vitest";
import { createHavenSource } from "../../packages/cli/src/viewer-data/haven.ts";
import {
  closeDatabases,
  createPostgresRecoveryStore,
  openDatabase,
  tryDatabase,
} from "../../packages/state/src/index.ts";
import { cuttingProxy } from "./cutting-proxy.ts";
import { freshUrl, run } from "./database-under-test.ts";
import { fill, type Machine, machineForTest } from "./machines.ts";
import { startPostgres } from "./start-postgres.ts";

const RUDDER = join(import.meta.dirname, "../../packages/rudder/dist/rudder.js");
const JEEVES = join(import.meta.dirname, "../../packages/cli/dist/jeeves.js");

it("X-65 a read-only replica: reads go on, writes are refused by name, and a cut goes raw", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const a = machineForTest(postgres.url);
  await a.json(["init"]);
  await fill(a, 2);
  const own = openDatabase(postgres.url);
  const stored = await createPostgresRecoveryStore({ database: own }).put({ text: "kept", focus: "", options: {} });
  await own.close();
  await closeDatabases();
  const replica = await postgres.replica();
  onTestFinished(() => replica.remove());
  const there = { JEEVES_DATABASE_URL: replica.url };
  expect(await a.json(["task", "list"], there)).toHaveLength(2);
  const refused = await a.run(["--json", "assign", "claim", "T001", "--quiet"], { ...there, RUDDER_AGENT: "ada" });
  expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "not_writable" } } });
  expect(refused.text).toContain("name the primary");
  const database = openDatabase(replica.url);
  onTestFinished(() => database.close());
  await expect(tryDatabase(database)).rejects.toMatchObject({ code: "read_only" });
  const store = createPostgresRecoveryStore({ database });
  await expect(store.put({ text: "new", focus: "", options: {} })).rejects.toMatchObject({ code: "store_unavailable" });
  expect((await store.get(stored.pruneId))?.text).toBe("kept");
});

const canMount = process.platform === "linux" && process.getuid?.() === 0;

it.skipIf(!canMount)(
  "X-65 a disk that is full: refused by name, nothing half done, and all of it goes on when there is room",
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const disk = mkdtempSync(join(tmpdir(), "jeeves-small-disk-"));
    const owner = postgres.user === undefined ? "" : `,uid=${postgres.user.uid},gid=${postgres.user.gid}`;
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=6m,mode=0700${owner}`, "tmpfs", disk], {
      encoding: "utf8",
    });
    expect(mounted.stderr).toBe("");
    onTestFinished(() => {
      spawnSync("umount", ["-l", disk]);
      rmSync(disk, { recursive: true, force: true });
    });
    await run(postgres.url, `CREATE TABLESPACE small LOCATION '${disk}'`);
    const url = new URL(postgres.url);
    // Only what grows lies on the small disk: the catalogue alone is larger than it.
    url.searchParams.set("options", "-c default_tablespace=small");
    const href = url.href.replaceAll("+", "%20");
    const a = machineForTest(href);
    await a.json(["init"]);
    await fill(a, 1);
    const database = openDatabase(href);
    onTestFinished(() => database.close());
    const store = createPostgresRecoveryStore({ database });
    const kept: string[] = [];
    const textOf = (n: number): string =>
      Array.from({ length: 4_000 }, (_, at) => Math.sin(n * 10_000 + at).toString(36)).join("\n");
    let fault: unknown;
    for (let n = 0; fault === undefined && n < 400; n++) {
      await store.put({ text: textOf(n), focus: "", options: {} }).then(
        ({ pruneId }) => void kept.push(pruneId),
        (error: unknown) => {
          fault = error;
        },
      );
    }
    expect(fault).toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("No space left on device"),
    });
    for (const [n, id] of kept.entries()) expect((await store.get(id))?.text).toBe(textOf(n));
    const env = { RUDDER_AGENT: "ada" };
    const said: string[] = [];
    let refused: Awaited<ReturnType<Machine["run"]>> | undefined;
    for (let n = 0; refused === undefined && n < 400; n++) {
      const line = `line ${n} ${"x".repeat(8_000)}`;
      const outcome = await a.run(["--json", "task", "log", "T001", line], env);
      if (outcome.exitCode === 0) said.push(line);
      else refused = outcome;
    }
    expect(refused?.text).toContain("No space left on device");
    expect(refused?.text).toContain("free space");
    const logged = async () =>
      ((await run(href, "SELECT line FROM jeeves_log ORDER BY position")).rows as { line: string }[]).map(
        ({ line }) => /line \d+ x+/.exec(line)?.[0],
      );
    expect((await logged()).filter((line) => line !== undefined)).toEqual(said);
    expect(spawnSync("mount", ["-o", "remount,size=64m", disk], { encoding: "utf8" }).stderr).toBe("");
    await a.json(["task", "log", "T001", "there is room again"], env);
    const again = await store.put({ text: "room", focus: "", options: {} });
    expect((await store.get(again.pruneId))?.text).toBe("room");
  },
);

it("X-65 haven move is killed at any moment, there and back: finished by the same command, with everything", async () => {
  const url = await freshUrl();
  const a = machineForTest(undefined, { remote: "https://example.org/team/shop.git" });
  await a.json(["init"]);
  await fill(a, 6);
  await a.json(["task", "log", "T001", "a tip", "--tip"]);
  await a.json(["assign", "claim", "T002", "--quiet"], { RUDDER_AGENT: "ada" });
  const shared = { JEEVES_DATABASE_URL: url };
  const before = (await a.run(["export"])).text;
  const move = async (to: string, killMs: number | undefined): Promise<number | null> => {
    const child = spawn(process.execPath, [RUDDER, "haven", "move", "--to", to], {
      cwd: a.project,
      env: { ...a.env, ...shared },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    if (killMs !== undefined) void delay(killMs).then(() => child.kill("SIGKILL"));
    return (await ended)[0] as number | null;
  };
  // How long a move takes depends on the machine: a kill that came too late is followed by an earlier one.
  let killMs = 500;
  for (const to of ["postgres", "files", "postgres", "files"]) {
    for (let killed = 0; killed < 2 && killMs > 1; killMs *= 0.7) if ((await move(to, killMs)) === null) killed += 1;
    expect(killMs, "no move was killed").toBeGreaterThan(1);
    killMs = Math.min(500, killMs * 3);
    expect(await move(to, undefined), to).toBe(0);
    expect((await a.run(["export"], to === "postgres" ? shared : {})).text).toBe(before);
  }
});

it("X-65 the password is in no command line, no environment of a child, no file and no output of ours", async () => {
  const password = `Pw${Math.random().toString(36).slice(2)}`;
  const base = await freshUrl();
  const user = `u_${password.toLowerCase()}`;
  const schema = decodeURIComponent(new URL(base).searchParams.get("options") ?? "").replace("-c search_path=", "");
  await run(base, `CREATE USER ${user} PASSWORD '${password}'; GRANT CREATE, USAGE ON SCHEMA ${schema} TO ${user}`);
  onTestFinished(async () => {
    await run(inject("databaseUrl"), `DROP OWNED BY ${user}; DROP USER ${user}`);
  });
  const url = new URL(base);
  url.username = user;
  url.password = password;
  const machine = machineForTest(url.href.replaceAll("+", "%20"));
  await machine.json(["init"]);
  await fill(machine, 1);
  const server = spawn(
    process.execPath,
    [
      join(import.meta.dirname, "../../packages/rudder/dist/rudder-server.js"),
      "--socket",
      join(machine.home, "s.sock"),
    ],
    {
      cwd: machine.project,
      env: machine.env,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  onTestFinished(() => void server.kill("SIGKILL"));
  let said = "";
  server.stdout.on("data", (chunk) => {
    said += chunk;
  });
  await new Promise<void>((resolve) => {
    server.stderr.on("data", (chunk) => {
      said += chunk;
      if (said.includes("Project root")) resolve();
    });
  });
  const commandLines = (existsSync("/proc") ? readdirSync("/proc") : [])
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    });
  expect(commandLines.filter((line) => line.includes(password))).toEqual([]);
  const doctor = spawnSync(process.execPath, [JEEVES, "doctor"], {
    cwd: machine.project,
    env: machine.env,
    encoding: "utf8",
  });
  expect(doctor.stdout).toContain("PostgreSQL");
  expect(`${said}${doctor.stdout}${doctor.stderr}`).not.toContain(password);
  const files = spawnSync("grep", ["-rl", password, machine.home], { encoding: "utf8" });
  expect(files.stdout).toBe("");
});

it("X-65 the page says that the database cannot be reached, without its password, and shows the haven once it can", async () => {
  const url = await freshUrl();
  const a = machineForTest(url);
  await a.json(["init"]);
  await fill(a, 2);
  const proxy = await cuttingProxy(url);
  onTestFinished(() => proxy.close());
  const b = machineForTest(proxy.url);
  cpSync(join(a.project, ".sailing"), join(b.project, ".sailing"), { recursive: true });
  const source = createHavenSource({ env: b.env, cwd: b.project });
  const asked = { signal: new AbortController().signal };
  proxy.refuse(true);
  const stamp = await source.stamp(asked);
  const view = await source.view(asked);
  expect(view).toMatchObject({ kind: "none", message: expect.stringContaining("postgres://jeeves@127.0.0.1") });
  expect(JSON.stringify(view)).not.toContain(new URL(url).password);
  proxy.refuse(false);
  expect(await source.view(asked)).toMatchObject({ kind: "board", tasks: [{ id: "T001" }, { id: "T002" }] });
  expect(await source.stamp(asked)).not.toBe(stamp);
});
