// what client settings name works, or does no harm, whatever happened to the installation behind it.
import { type SpawnSyncOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
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
import { dirname, join } from "node:path";
import { findSystemPerl } from "@jeeves/base";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { copyInstallation } from "./copy-installation.ts";

const hasPerl = (await findSystemPerl()) !== undefined;
/** Quotes, spaces, a line end and what a shell would run. */
const ODD = 'it\'s a "copy"\n$(touch pwned) `touch pwned`';
const LONG = "cat long.log";
const REQUEST = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const INITIALIZE = REQUEST(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

let base: string;
let dir: string;
let env: Record<string, string>;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-launcher-")));
  copyInstallation(join(base, "built"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));
beforeEach(() => {
  dir = mkdtempSync(join(base, "case-"));
  for (const name of ["home", "project", "tmp"]) mkdirSync(join(dir, name));
  env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: at("home"),
    XDG_DATA_HOME: at(ODD),
    JEEVES_STATE_DIR: at("state"),
    TMPDIR: at("tmp"),
    LANG: "C.UTF-8",
  };
  const lines = Array.from({ length: 3_000 }, (_, i) => ` ✓ test/area-${i % 23}.test.ts > case ${i} takes ${i % 13}ms`);
  lines[2_000] = "AssertionError: expected 200 to be 401";
  writeFileSync(at("project/long.log"), `${lines.join("\n")}\n`);
});
afterEach(() => {
  expect(readdirSync(at("project")).filter((name) => name === "pwned")).toEqual([]);
  rmSync(dir, { recursive: true, force: true });
});

const at = (...parts: readonly string[]) => join(dir, ...parts);
const data = (...parts: readonly string[]) => at(ODD, "jeeves", ...parts);

/** Only node_modules and what was built: as cheap as a move. */
function installation(name: string): { readonly dir: string; readonly jeeves: string } {
  cpSync(join(base, "built"), at(name), { recursive: true, verbatimSymlinks: true });
  return { dir: at(name), jeeves: at(name, "packages", "cli", "dist", "jeeves.js") };
}

function run(file: string, args: readonly string[], more: Omit<SpawnSyncOptions, "encoding"> = {}) {
  const done = spawnSync(file, args, { cwd: at("project"), env, maxBuffer: 1 << 26, timeout: 50_000, ...more });
  return { status: done.status, signal: done.signal, stdout: String(done.stdout), stderr: String(done.stderr) };
}

function init(jeeves: string, client = "claude-code") {
  const done = run(process.execPath, [jeeves, "init", client]);
  expect(done).toMatchObject({ status: 0, stderr: "" });
  return done;
}

const bare = (command: string, input = "") => run("/bin/bash", ["-c", command], { input });
const exec = (command: string, input = "") =>
  run(data("bin", "jeeves-exec"), ["--client=claude-code", command], { input });
const server = (name = "mcp-pruner") => run(data("bin", name), [], { input: INITIALIZE });

function emptied(path: string) {
  rmSync(path, { recursive: true });
  mkdirSync(path);
}

function cutOff(path: string) {
  const content = readFileSync(path);
  writeFileSync(path, content.subarray(0, content.length >> 1));
}

/** The bare command's bytes, exit code, stdin and signals. */
function expectBare(what = "") {
  for (const command of [
    `${LONG}; echo err >&2; exit 3`,
    "cat -; cat long.log",
    "echo small",
    "cat long.log; kill -TERM $$",
  ])
    expect(exec(command, "from stdin\n"), what).toEqual(bare(command, "from stdin\n"));
}

function expectNoServer(why: RegExp) {
  for (const name of ["mcp-pruner", "mcp-research"]) {
    const { status, stdout, stderr } = server(name);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(why);
    expect(stderr).toMatch(/^jeeves: .*jeeves-uninstall.*\n$/s);
    expect(stderr.replaceAll(ODD, "").split("\n")).toHaveLength(2);
  }
}

function expectWorks() {
  const cut = exec(LONG);
  expect(cut).toMatchObject({ status: 0, stdout: expect.stringContaining("AssertionError: expected 200 to be 401") });
  expect(cut.stdout).toMatch(/recover_text prn_[a-z2-7]{12}\]\n$/);
  for (const name of ["mcp-pruner", "mcp-research"]) {
    const started = server(name);
    expect(started).toMatchObject({ status: 0, stdout: expect.stringContaining('"serverInfo"') });
  }
}

describe("X-62 the installation", () => {
  it.runIf(hasPerl)("settings of every client name launchers, and no path inside the installation", () => {
    const { jeeves, dir: clone } = installation(`${ODD} A`);
    for (const client of ["claude-code", "codex", "gemini", "opencode", "lm-studio"]) init(jeeves, client);
    const written = [".claude.json", ".claude/settings.json", ".codex/config.toml", ".codex/hooks.json"];
    written.push(".gemini/settings.json", ".config/opencode/plugin/jeeves.js", ".lmstudio/mcp.json");
    for (const name of written) {
      // A command for a shell has its quotes quoted.
      const text = readFileSync(at("home", name), "utf8").replaceAll(String.raw`'\\''`, "'");
      expect(text).toContain(JSON.stringify(data("bin")).slice(1, -1));
      for (const path of [clone, process.execPath]) expect(text).not.toContain(JSON.stringify(path).slice(1, -1));
    }
    expectWorks();
  });

  it("is moved or deleted: commands run bare, and a server says in one line what to do", () => {
    const { jeeves, dir: clone } = installation(`${ODD} A`);
    init(jeeves);
    renameSync(clone, at("moved"));
    expectBare();
    expectNoServer(/moved, deleted or not built/);
    rmSync(at("moved"), { recursive: true });
    expectBare();
  });

  it.each([
    [
      "without dist",
      (packages: string) => ["cli", "mcp-pruner", "research"].map((name) => join(packages, name, "dist")),
    ],
    [
      "without chunks",
      (packages: string) => ["cli", "mcp-pruner", "research"].map((name) => join(packages, name, "dist", "chunks")),
    ],
  ])("is half built, %s: commands run bare, and a server says in one line what to do", (_what, parts) => {
    const { jeeves, dir: clone } = installation("A");
    init(jeeves);
    for (const path of parts(join(clone, "packages"))) rmSync(path, { recursive: true });
    expectBare();
    expectNoServer(/not built|incomplete \(ENOENT\)/);
  });

  it.each<[string, (dist: string) => void]>([
    ["no chunks", (dist) => rmSync(join(dist, "chunks"), { recursive: true })],
    ["an empty folder of chunks", (dist) => emptied(join(dist, "chunks"))],
    ["one chunk too few", (dist) => rmSync(join(dist, "chunks", readdirSync(join(dist, "chunks"))[0] ?? ""))],
    ["a chunk that is cut off", (dist) => cutOff(join(dist, "chunks", readdirSync(join(dist, "chunks"))[0] ?? ""))],
    ["an empty entry", (dist) => writeFileSync(join(dist, "index.js"), "")],
    ["an entry that is cut off", (dist) => cutOff(join(dist, "index.js"))],
  ])("X-62 has a server with %s: commands run bare, because what is cut could not be recovered", (_what, breakIt) => {
    const { jeeves, dir: clone } = installation("A");
    init(jeeves);
    breakIt(join(clone, "packages/mcp-pruner/dist"));
    expectBare();
  });

  it("holds files that are empty, no JavaScript, or not executable: commands run bare", () => {
    const { jeeves, dir: clone } = installation("A");
    init(jeeves);
    const entries = ["cli/dist/jeeves-exec-cut.js", "mcp-pruner/dist/index.js", "research/dist/mcp-research.js"];
    for (const entry of entries) writeFileSync(join(clone, "packages", entry), "<<<<<<< HEAD\n");
    for (const name of readdirSync(join(clone, "packages/cli/bin")))
      writeFileSync(join(clone, "packages/cli/bin", name), "");
    expectBare();
    expectNoServer(/incomplete \(SyntaxError\)/);
    // A build that is under way: a file that is cut off, and ends without a word.
    for (const start of ["", 'import "node:fs";\n']) {
      for (const entry of entries) writeFileSync(join(clone, "packages", entry), start);
      expectBare();
      expectNoServer(/incomplete/);
    }
    // One that neither reads nor ends.
    writeFileSync(join(clone, "packages/cli/dist/jeeves-exec-cut.js"), "setInterval(() => {}, 1e6);\n");
    env.JEEVES_EXEC_CUT_MS = "1000";
    const long = "cat long.log long.log long.log";
    expect(exec(long)).toEqual(bare(long));
    for (const entry of entries) chmodSync(join(clone, "packages", entry), 0o000);
    expectBare();
  });

  it("is rebuilt while a server runs from it: the server goes on, and what it cannot load it lets through", async () => {
    const { jeeves, dir: clone } = installation("A");
    init(jeeves);
    const child = spawn(data("bin", "mcp-pruner"), [], {
      cwd: at("project"),
      env: { ...env, PRUNER_ENGINE: "embedded" },
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    const answered = async (id: number) => {
      const answer = () =>
        out
          .split("\n")
          .slice(0, -1)
          .find((line) => line.includes(`"id":${id}`));
      while (answer() === undefined) await once(child.stdout, "data");
      return JSON.parse(answer() ?? "{}");
    };
    child.stdin.write(INITIALIZE);
    await answered(1);
    rmSync(join(clone, "packages"), { recursive: true });
    const arguments_ = { file_path: "long.log", context_focus_question: "which assertion failed?" };
    child.stdin.write(REQUEST(2, "tools/call", { name: "read", arguments: arguments_ }));
    const { result, error } = await answered(2);
    expect(error).toBeUndefined();
    expect(JSON.stringify(result)).toContain("AssertionError: expected 200 to be 401");
    const content = Array.from({ length: 3_000 }, (_, i) => `export const value${i} = ${i};`).join("\n");
    const file = { filePath: at("project/a.ts"), content, numLines: 3_000, startLine: 1, totalLines: 3_000 };
    const event = {
      hook_event_name: "PostToolUse",
      tool_name: "Read",
      tool_input: { file_path: file.filePath },
      tool_response: { type: "text", file },
      session_id: "s",
    };
    child.stdin.write(REQUEST(3, "tools/call", { name: "jeeves_hook", arguments: event }));
    expect((await answered(3)).result.content).toEqual([{ type: "text", text: "{}" }]);
    child.stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
  });

  it.runIf(hasPerl)("is one of two: the last init wins, and says so", () => {
    const [a, b] = [installation("A"), installation("B")];
    init(a.jeeves);
    expect(init(b.jeeves).stdout).toContain(
      `${data("bin")} now starts ${join(b.dir, "packages")}, no longer ${join(a.dir, "packages")}\n`,
    );
    rmSync(a.dir, { recursive: true });
    expectWorks();
    rmSync(b.dir, { recursive: true });
    expectBare();
    const c = installation("C");
    init(c.jeeves);
    expectWorks();
  });

  it.runIf(hasPerl)("is gone, and another one is on PATH: that one is used, but not one of the project's", () => {
    const [a, b] = [installation("A"), installation("B")];
    init(a.jeeves);
    rmSync(a.dir, { recursive: true });
    mkdirSync(at("project/node_modules/.bin"), { recursive: true });
    mkdirSync(at("usr bin"));
    const link = (path: string) => symlinkSync(b.jeeves, at(path));
    link("project/jeeves");
    link("project/node_modules/.bin/jeeves");
    const usual = env.PATH;
    env.PATH = `:.:node_modules/.bin:${at("project")}:${at("project/node_modules/.bin")}:${usual}`;
    expectNoServer(/moved, deleted or not built/);
    expectBare();
    link("usr bin/jeeves");
    env.PATH = `${at("usr bin")}:${usual}`;
    expectWorks();
  });
});

describe("X-62 the record beside the launchers", () => {
  const HOSTILE: readonly (readonly [string, (path: string) => void])[] = [
    ["missing", (path) => symlinkSync("/nowhere/at/all", path)],
    ["empty", (path) => writeFileSync(path, "")],
    ["text for a shell", (path) => writeFileSync(path, "$(touch pwned)\n; touch pwned\n", { mode: 0o755 })],
    ["a directory", (path) => mkdirSync(path)],
    ["a link to itself", (path) => symlinkSync(path, path)],
    ["an endless device", (path) => symlinkSync("/dev/zero", path)],
    ["a pipe that no process writes to", (path) => spawnSync("mkfifo", [path])],
    ["a name for a shell", (path) => symlinkSync("$(touch pwned);`touch pwned`", path)],
  ];

  it("names no installation: commands run bare, whatever is in its place", () => {
    init(installation("A").jeeves);
    for (const [what, put] of HOSTILE) {
      rmSync(data("installation"), { recursive: true });
      put(data("installation"));
      expectBare(what);
      expectNoServer(/moved, deleted or not built/);
    }
  });

  it.runIf(hasPerl)("names no Node: one on PATH is used, whatever is in its place", () => {
    init(installation("A").jeeves);
    for (const [what, put] of HOSTILE) {
      rmSync(data("node"), { recursive: true });
      put(data("node"));
      expect(server(), what).toMatchObject({ status: 0, stdout: expect.stringContaining('"serverInfo"') });
    }
    expectWorks();
  });

  it.runIf(hasPerl)("names a Node that was upgraded away: one on PATH that is new enough is used, or none", () => {
    init(installation("A").jeeves);
    rmSync(data("node"));
    symlinkSync(at("nvm/v20.19.0/bin/node"), data("node"));
    mkdirSync(at("old"));
    writeFileSync(at("old/node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    env.PATH = `${at("old")}:${env.PATH}`;
    expectWorks();
    mkdirSync(at("few"));
    for (const name of ["cat", "perl", "sh", "readlink"]) symlinkSync(join("/usr/bin", name), at("few", name));
    env.PATH = `${at("old")}:${at("few")}`;
    expectBare();
    expectNoServer(/no Node 20\.19 or newer/);
  });
});

describe("X-62 the surroundings", () => {
  const ODD_ENVIRONMENTS: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
    ["HOME unset", {}, ["HOME"]],
    ["HOME not writable", { HOME: "/proc/none" }, []],
    ["TMPDIR missing", { TMPDIR: "/nowhere/tmp" }, []],
    ["TMPDIR not writable", { TMPDIR: "/proc" }, []],
    ["nothing but PATH", {}, ["HOME", "TMPDIR", "LANG", "XDG_DATA_HOME"]],
    ["no state directory", { JEEVES_STATE_DIR: "/proc/none", TMPDIR: "/proc" }, []],
  ];

  it("in an odd environment a command is cut as ever or runs bare, and its exit code is its own", () => {
    init(installation("A").jeeves);
    const usual = env;
    for (const [what, more, without] of ODD_ENVIRONMENTS) {
      const entries = Object.entries({ ...usual, ...more }).filter(([name]) => !without.includes(name));
      env = Object.fromEntries(entries);
      const done = exec(`${LONG}; exit 3`);
      // A bash without SHLVL that reads from a socket loads its user's .bashrc: with us as without.
      const { stderr } = bare(`${LONG}; exit 3`);
      const stdout = expect.stringContaining("expected 200 to be 401");
      expect(done, what).toMatchObject({ status: 3, stderr, stdout });
      expect(exec("echo small; exit 4"), what).toEqual(bare("echo small; exit 4"));
      expect(server(), what).toMatchObject({ status: 0, stdout: expect.stringContaining('"serverInfo"') });
    }
  });

  it("a full disk: commands run bare, init changes nothing", () => {
    const { jeeves } = installation("A");
    init(jeeves);
    mkdirSync(at("state"));
    env.JEEVES_STATE_DIR = at("state");
    env.TMPDIR = at("state");
    const isMounted = run("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", at("state")]).status === 0;
    // Without the right to mount, a limit of the process stands for the disk's.
    const limited = (words: readonly string[]) =>
      isMounted ? words : ["/bin/bash", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "bash", ...words];
    try {
      if (isMounted) run("/bin/bash", ["-c", `head -c 1M /dev/zero > '${at("state")}/filler'`]);
      const [file = "", ...args] = limited([data("bin", "jeeves-exec"), "--client=claude-code", `${LONG}; exit 3`]);
      expect(run(file, args)).toEqual(bare(`${LONG}; exit 3`));
      const settings = readFileSync(at("home/.claude/settings.json"), "utf8");
      env.XDG_DATA_HOME = at("state");
      const [node = "", ...words] = limited([process.execPath, jeeves, "init", "claude-code", "--shadow"]);
      const refused = run(node, words);
      expect(refused).toMatchObject({ status: 2, stdout: "" });
      expect(refused.stderr).toMatch(/^jeeves: .*(?:ENOSPC|EFBIG).*\n +nothing was changed\n$/s);
      expect(readFileSync(at("home/.claude/settings.json"), "utf8")).toBe(settings);
    } finally {
      if (isMounted) expect(run("umount", [at("state")]).status).toBe(0);
    }
    expect(existsSync(at("state/filler"))).toBe(false);
  });

  it("a launcher that cannot run commands is found by init, which then changes nothing", () => {
    const { jeeves } = installation("A");
    mkdirSync(at("noexec"));
    writeFileSync(at("bash"), "#!/bin/sh\nexit 9\n", { mode: 0o755 });
    const isMounted = run("mount", ["-t", "tmpfs", "-o", "noexec", "tmpfs", at("noexec")]).status === 0;
    try {
      for (const more of [{ SHELL: at("bash") }, ...(isMounted ? [{ XDG_DATA_HOME: at("noexec") }] : [])]) {
        const done = run(process.execPath, [jeeves, "init", "claude-code"], { env: { ...env, ...more } });
        expect(done).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("does not run commands") });
        expect([...readdirSync(at("home")), ...readdirSync(at("noexec"))]).toEqual([]);
        expect(existsSync(data())).toBe(false);
      }
    } finally {
      if (isMounted) expect(run("umount", [at("noexec")]).status).toBe(0);
    }
  });

  it("a limit on the size of files: commands run bare", () => {
    init(installation("A").jeeves);
    const words = ["-c", 'ulimit -f 0; exec "$@"', "bash", data("bin", "jeeves-exec"), "--client=claude-code", LONG];
    expect(run("/bin/bash", words)).toEqual(bare(LONG));
  });
});
