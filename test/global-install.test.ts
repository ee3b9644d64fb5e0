// `npm install --global .` on a bare clone gives `jeeves`, `mcp-pruner` and `rudder`, with the real npm and a
// prefix of its own. Only the registry is missing: packages are linked, and the npm of the first call's set-up is a
// stand-in that records the call.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = resolve(fileURLToPath(import.meta.url), "../..");
let dir: string;
let clone: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-global-")));
  clone = join(dir, "a clone");
  mkdirSync(join(dir, "bin"));
  mkdirSync(join(dir, "home"));
  env = {
    PATH: `${join(dir, "prefix", "bin")}${delimiter}${process.env.PATH}`,
    HOME: join(dir, "home"),
    JEEVES_STATE_DIR: join(dir, "state"),
    npm_config_prefix: join(dir, "prefix"),
    npm_config_cache: join(dir, "cache"),
    npm_config_ignore_scripts: "true",
    npm_config_offline: "true",
  };
  const tracked = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", tracked, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 }).split("\0");
  for (const file of files.filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(root, file), join(clone, file), { verbatimSymlinks: true });
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function run(command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const done = spawnSync(command, args, { cwd: clone, env: { ...env, ...more }, encoding: "utf8", timeout: 100_000 });
  return { status: done.status ?? done.error, stdout: done.stdout, stderr: done.stderr };
}

/** What the registry would have brought. */
function linkDependencies(from: string, to: string): void {
  mkdirSync(join(to, "node_modules", "@jeeves"), { recursive: true });
  for (const name of readdirSync(join(from, "node_modules")).filter((each) => !/^\.|^@jeeves$/.test(each)))
    symlinkSync(join(from, "node_modules", name), join(to, "node_modules", name));
  for (const name of readdirSync(join(from, "node_modules", "@jeeves")))
    symlinkSync(join(to, "packages", name), join(to, "node_modules", "@jeeves", name));
  for (const name of readdirSync(join(from, "packages"))) {
    const own = join(from, "packages", name, "node_modules");
    if (existsSync(own)) symlinkSync(own, join(to, "packages", name, "node_modules"));
  }
}

it("X-62 npm install --global . on a bare clone gives jeeves, mcp-pruner and rudder, which set themselves up at the first call", () => {
  expect(existsSync(join(clone, "node_modules"))).toBe(false);
  expect(run("npm", ["install", "--global", "."])).toMatchObject({ status: 0 });
  expect(readdirSync(join(dir, "prefix", "bin")).sort()).toEqual(["jeeves", "mcp-pruner", "rudder"]);
  writeFileSync(join(dir, "bin", "npm"), `#!/bin/sh\necho "$*" >> '${join(dir, "asked")}'\n`, { mode: 0o755 });
  linkDependencies(root, clone);
  const first = run("jeeves", ["--version"], { PATH: `${join(dir, "bin")}${delimiter}${env.PATH}` });
  expect(first).toMatchObject({ status: 0, stderr: expect.stringContaining("jeeves: building\n") });
  expect(readFileSync(join(dir, "asked"), "utf8")).toMatch(/^install --no-save .*\n$/);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(run("jeeves", ["--version"])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  expect(run("mcp-pruner", ["--version"])).toMatchObject({ status: 0, stderr: "" });
  expect(run("rudder", ["--help"])).toMatchObject({ status: 0, stderr: "" });
  expect(run("jeeves", ["init", "claude-code"])).toMatchObject({ status: 0, stderr: "" });

  // A launcher whose installation is not where it was finds the global one.
  const launchers = join(dir, "home", ".local", "share", "jeeves");
  rmSync(join(launchers, "installation"));
  expect(spawnSync(join(launchers, "bin", "mcp-pruner"), { cwd: dir, env, input: "" }).status).toBe(0);

  // The global commands are links: once the clone is gone they are, too, and the clients' commands run bare.
  renameSync(clone, join(dir, "moved"));
  const bare = spawnSync(join(launchers, "bin", "jeeves-exec"), ["echo bare; exit 3"], {
    cwd: dir,
    env,
    encoding: "utf8",
  });
  expect({ status: bare.status, stdout: bare.stdout }).toEqual({ status: 3, stdout: "bare\n" });
});
