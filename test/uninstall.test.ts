// everything that was ever written is taken out again, also when the installation is gone.
import { spawn, spawnSync } from "node:child_process";
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
import { findSystemPerl, PROC } from "@jeeves/base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyInstallation } from "./copy-installation.ts";

const CLIENTS = ["claude-code", "codex", "gemini", "opencode", "lm-studio"] as const;
/** Settings as people have them, by client; `DIR` is the project or the home. */
const OWN: Readonly<Record<string, string>> = {
  "home/.claude.json": '{"numStartups":   7, "mcpServers": {}}\n',
  "home/.claude/settings.json": '{\n\t"model": "opus", "env": {"MINE": "1"}}',
  "home/.codex/config.toml": '# mine\nmodel = "x"\n',
  "one/.claude/settings.local.json": '{"permissions": {"allow": ["Bash(ls)"]}}\n',
  "two/opencode.json": '{ "theme":"dark" }\n',
};

let dir: string;
let env: Record<string, string>;
let jeevesFile: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-uninstall-")));
  for (const name of ["home", "one", "two", "tmp"]) mkdirSync(at(name));
  env = { PATH: process.env.PATH ?? "", HOME: at("home"), TMPDIR: at("tmp") };
  jeevesFile = copyInstallation(at("clone")).jeeves;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const at = (...parts: readonly string[]) => join(dir, ...parts);
const data = (...parts: readonly string[]) => at("home/.local/share/jeeves", ...parts);
const read = (path: string) => readFileSync(at(path), "utf8");

function put(path: string, content: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
}

function run(file: string, args: readonly string[], cwd = "one") {
  const done = spawnSync(file, args, { cwd: at(cwd), env, encoding: "utf8", timeout: 50_000 });
  return { status: done.status, stdout: done.stdout, stderr: done.stderr };
}
const jeeves = (args: readonly string[], cwd?: string) => run(process.execPath, [jeevesFile, ...args], cwd);
const leave = (...args: readonly string[]) => run(data("bin/jeeves-uninstall"), args, "two");

function init(client: string, ...args: readonly string[]) {
  expect(jeeves(["init", client, ...args])).toMatchObject({ status: 0, stderr: "" });
}

/** Every file below, by name. */
function files(name: string): string[] {
  return readdirSync(at(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

/** Bytes, exit code, signals, stdin and the choice of the shell are those of the command alone. */
function expectRunsBare(file: string): void {
  const ran = (name: string, args: readonly string[], shell: string) => {
    const options = { cwd: at("two"), env: { ...env, SHELL: shell }, input: "from stdin\n", timeout: 50_000 };
    const { status, signal, stdout, stderr } = spawnSync(name, args, options);
    return { status, signal, stdout: String(stdout), stderr: String(stderr) };
  };
  const wrapped = "true && eval 'cat; echo \"it is\" $((40 + 2)); exit 5' < /dev/null && pwd -P >| /dev/null";
  const options = ["--client=codex", "--session=a b", "--transcript=/x", "--mode=on", "--state-dir=/y"];
  for (const command of ["cat -; echo err >&2; exit 3", wrapped, "kill -TERM $$", "", "echo $0; shopt | head -1"]) {
    for (const shell of ["/bin/bash", "/bin/sh", "/nowhere/zsh", ""]) {
      const bare = ran("/bin/bash", ["-c", command], shell);
      for (const args of [[command], [...options, command]]) expect(ran(file, args, shell)).toEqual(bare);
    }
  }
  expect(ran(file, [], "/bin/bash")).toMatchObject({ status: 2, stderr: expect.stringContaining("usage:") });
}

const hasPerl = (await findSystemPerl()) !== undefined;

/** Lets every part of ours write its state into the directory that the environment names. */
function makeState(): void {
  expect(jeeves(["shadow"]).status).toBe(0);
  expect(jeeves(["on"]).status).toBe(0);
  expect(jeeves(["token"]).status).toBe(0);
  const lines = Array.from({ length: 3_000 }, (_, i) => `export const value${i} = "a value of some length";`);
  put("one/long.ts", `${lines.join("\n")}\n`);
  if (hasPerl)
    expect(run(at("clone/packages/cli/bin/jeeves-exec"), ["--client=codex", "cat long.ts"]).stdout).toContain("prn_");
  // An order: its record lies in a file of its own, which once stayed.
  expect(jeeves(["prune", "long.ts", "--focus", "value 7"]).stderr).toContain("prn_");
  put("one/script.json", JSON.stringify({ steps: [{ say: "done" }] }));
  env.JEEVES_SCRIPT = at("one/script.json");
  expect(jeeves(["run", "--no-pruner", "--provider", "scripted", "task"])).toMatchObject({ status: 0 });
  delete env.JEEVES_SCRIPT;
  const ask = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const question = { question: "Where is value77 defined?", artifact: true };
  const input = [
    ask(1, "initialize", hello),
    ask(2, "tools/call", { name: "research_codebase", arguments: question }),
    "",
  ].join("\n");
  const server = at("clone/packages/research/dist/mcp-research.js");
  const done = spawnSync(process.execPath, [server, "--root", at("one")], {
    cwd: at("one"),
    env,
    input,
    timeout: 50_000,
  });
  expect(String(done.stdout)).toContain("artifacts");
  for (const name of ["one/long.ts", "one/script.json"]) rmSync(at(name));
  const state = env.JEEVES_STATE_DIR ?? join(env.XDG_STATE_HOME ?? join(env.HOME ?? "", ".local/state"), "jeeves");
  const parts = ["artifacts", "meter", "mode", "research-index", "runs", "store", "token", "token.lock"];
  expect(readdirSync(state)).toEqual(expect.arrayContaining(parts));
}

describe("X-62 jeeves uninstall", () => {
  it("all clients, user and projects, the installation deleted: every byte is as before, twice the same", () => {
    for (const [path, content] of Object.entries(OWN)) put(path, content);
    for (const client of CLIENTS) init(client);
    for (const client of CLIENTS.slice(0, 4)) {
      init(client, "--project");
      expect(jeeves(["init", client, "--project"], "two").status).toBe(0);
    }
    put("home/.local/state/jeeves/store/aa/text", "stored");
    rmSync(at("clone"), { recursive: true });
    const done = leave("--yes", "--force");
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect([...files("home"), ...files("one"), ...files("two")]).toEqual(Object.keys(OWN).sort());
    for (const [path, content] of Object.entries(OWN)) expect(read(path)).toBe(content);
    expect(readdirSync(at("one"))).toEqual([".claude"]);
    jeevesFile = copyInstallation(at("again")).jeeves;
    expect(jeeves(["uninstall", "--yes"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^nothing to do/),
    });
  });

  it("edits of the user stay, also where the file was only ours", () => {
    put("home/.claude/settings.json", '{"model": "opus"}');
    init("claude-code");
    init("gemini");
    for (const path of ["home/.claude/settings.json", "home/.gemini/settings.json"])
      put(path, JSON.stringify({ ...JSON.parse(read(path)), theme: "dark" }));
    expect(leave("--yes").status).toBe(0);
    expect(JSON.parse(read("home/.claude/settings.json"))).toEqual({ model: "opus", theme: "dark" });
    expect(JSON.parse(read("home/.gemini/settings.json"))).toEqual({ theme: "dark" });
  });

  it("a file that cannot be parsed is named and left alone, with the launchers that it may name; the others go", () => {
    init("claude-code");
    init("gemini");
    const broken = `${read("home/.claude/settings.json")} oops`;
    put("home/.claude/settings.json", broken);
    put("home/.config/opencode/opencode.json", "{ broken, but without a word of ours");
    const done = leave("--yes");
    expect(done.status).toBe(1);
    expect(done.stderr).toContain(`${at("home/.claude/settings.json")} is not valid JSON`);
    expect(done.stderr).toContain(`${data("bin")} stays`);
    expect(done.stderr).not.toContain("opencode.json");
    expect(read("home/.claude/settings.json")).toBe(broken);
    expect(existsSync(at("home/.gemini"))).toBe(false);
    expect(run(data("bin/jeeves-exec"), ["--client=claude-code", "echo still; exit 5"])).toMatchObject({
      status: 5,
      stdout: "still\n",
    });
    put("home/.claude/settings.json", broken.replace(/ oops$/, ""));
    expect(leave("--yes").status).toBe(0);
    expect(existsSync(data())).toBe(false);
    expect(existsSync(at("home/.claude"))).toBe(false);
  });

  it("without a terminal and without --yes: says what it would do, exit code 2, nothing touched; --dry-run likewise", () => {
    put("home/.local/state/jeeves/mode", "on");
    init("claude-code");
    const contents = () => files("home").map((path) => [path, read(path)]);
    const before = contents();
    const asked = leave();
    expect(asked).toMatchObject({ status: 2, stderr: expect.stringContaining("--yes") });
    expect(leave("--dry-run")).toMatchObject({ status: 0, stderr: "", stdout: asked.stdout });
    const paths = [at("home/.claude/settings.json"), at("home/.claude.json"), data(), at("home/.local/state/jeeves")];
    for (const path of paths) expect(asked.stdout).toMatch(new RegExp(`^would .*  ${path}$`, "m"));
    expect(contents()).toEqual(before);
    expect(leave("--frobnicate")).toMatchObject({ status: 2, stderr: expect.stringContaining("usage:") });
  });

  it("--keep-state keeps stored texts and the meter, and asks nothing", () => {
    put("home/.local/state/jeeves/store/aa/text", "stored");
    init("codex");
    expect(leave("--keep-state")).toMatchObject({ status: 0, stderr: "" });
    expect(files("home")).toEqual(["home/.local/state/jeeves/store/aa/text"]);
  });

  it("a state directory of the user's own choice: only what is recognisably ours goes, the rest is named", () => {
    const own = {
      "thesis.txt": "mine",
      "artifacts/app.bin": "USER BUILD",
      "artifacts/notes/handoff.md": "# Research Handoff of my team\n",
      "init/0123456789abcdef.json": JSON.stringify({ path: at("not-there") }),
      "meter/2020-01.jsonl": '{"kWh": 3}\n',
      mode: "user mode",
      "research-index/0123456789abcdef01234567.sqlite": "mine",
      "runs/r1": "USER RUN",
      "runs/20261117T101112Z-0123abcd/run.json": '{"id": "mine"}',
      "runs/20261117T101112Z-0123abcd/events.jsonl": "mine",
      "store/aa/text": "mine",
      "store/a/prn_bbbbbbbbbbbb.txt": "in the wrong place",
      "store/locks/a/1": "mine",
      "store/usage": "80 %",
      token: "usertoken",
      "token.lock/1": "mine",
      "up/0123456789abcdef.html": "<h1>mine</h1>",
    };
    mkdirSync(at("two/mixed"));
    env.JEEVES_STATE_DIR = at("two/mixed");
    init("codex");
    makeState();
    delete env.JEEVES_STATE_DIR;
    for (const [name, content] of Object.entries(own)) put(`two/mixed/${name}`, content);
    const before = files("two").length;
    expect(leave("--dry-run").stdout).toMatch(
      new RegExp(`^would remove  our \\d+ files in  ${at("two/mixed/store")}$`, "m"),
    );
    expect(files("two")).toHaveLength(before);
    const done = leave("--yes");
    expect(done).toMatchObject({ status: 0, stderr: "" });
    const named = ["artifacts", "init", "meter", "mode", "runs", "store", "token", "up"];
    for (const name of named) expect(done.stdout).toContain(`left in place, not ours:  ${at("two/mixed", name)}\n`);
    expect(files("two")).toEqual(
      Object.keys(own)
        .map((name) => `two/mixed/${name}`)
        .sort(),
    );
    for (const [name, content] of Object.entries(own)) expect(read(`two/mixed/${name}`)).toBe(content);
    expect(files("home")).toEqual([]);
  });

  it("a state directory that init or its first use made goes with all that is ours; one of the user's stays, empty", () => {
    mkdirSync(at("two/empty"));
    for (const name of ["two/empty", "two/made/for/us"]) {
      env.JEEVES_STATE_DIR = at(name);
      init("codex");
      makeState();
      expect(files(name).length).toBeGreaterThan(12);
    }
    delete env.JEEVES_STATE_DIR;
    expect(leave("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(at("two"), { recursive: true })).toEqual(["empty"]);
  });

  it("links in a state directory of the user's are not followed, and all by our names in the default directory goes", () => {
    const text = "store/a/prn_abcdefghijkl.txt";
    put(`two/elsewhere/${text}`, "mine");
    mkdirSync(at("two/mixed"));
    symlinkSync(at("two/elsewhere/store"), at("two/mixed/store"));
    env.JEEVES_STATE_DIR = at("two/mixed");
    init("codex");
    delete env.JEEVES_STATE_DIR;
    init("codex");
    makeState();
    put("home/.local/state/jeeves/artifacts/app.bin", "x");
    expect(leave("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(read(`two/mixed/${text}`)).toBe("mine");
    expect(files("home")).toEqual([]);
    expect(existsSync(at("home/.local/state/jeeves"))).toBe(false);
  });

  it("X-62 files of the user beside the launchers stay, and are named before and after", () => {
    init("claude-code");
    const own = {
      "bin/my-tool": "#!/bin/sh\n",
      "bin/mcp-research": "#!/bin/sh\n# a tool of mine with the same name\n",
      "lib/notes.txt": "mine",
      "settings/0123456789abcdef.json": '{"mine": true}',
      "thesis.txt": "mine",
    };
    for (const [name, content] of Object.entries(own)) put(`home/.local/share/jeeves/${name}`, content);
    const dry = leave("--dry-run");
    expect(dry.stdout).toMatch(new RegExp(`^would remove  our \\d+ files in  ${data()}$`, "m"));
    for (const name of Object.keys(own))
      expect(dry.stdout).toContain(`would leave in place, not ours:  ${data(name)}\n`);
    const done = leave("--yes");
    expect(done).toMatchObject({ status: 0, stderr: "" });
    for (const [name, content] of Object.entries(own)) {
      expect(done.stdout).toContain(`left in place, not ours:  ${data(name)}\n`);
      expect(readFileSync(data(name), "utf8")).toBe(content);
    }
    expect(files("home")).toHaveLength(Object.keys(own).length);
    expect(jeeves(["uninstall", "--yes"]).stdout).toMatch(/^nothing to do/);
  });

  it.each(["bin", "lib", "."])("X-62 a link in the place of %s is not followed: nothing behind it goes", (name) => {
    put("home/bin/mine", "mine");
    mkdirSync(dirname(data(name)), { recursive: true });
    symlinkSync(at("home/bin"), data(name));
    init("claude-code", "--project");
    // The notes are removed with the entries that they are about.
    const behind = files("home/bin").filter((path) => !path.includes("/settings/"));
    expect(behind.length).toBeGreaterThan(2);
    expect(leave("--dry-run").stdout).toContain(`would leave in place, a link:  ${join(data(name))}\n`);
    expect(leave("--yes")).toMatchObject({ stderr: expect.stringContaining(`${join(data(name))} stays with all`) });
    expect(files("home/bin")).toEqual(behind);
    expect(existsSync(at("one/.claude"))).toBe(false);
    expect(run(data("bin/jeeves-exec"), ["echo still; exit 5"])).toMatchObject({ status: 5, stdout: "still\n" });
  });

  it("X-62 files of the user in the default state directory stay, and links in it are not followed", () => {
    init("codex");
    makeState();
    const state = (name: string) => at("home/.local/state/jeeves", name);
    put("home/.local/state/jeeves/prices.json", "{}");
    put("home/.local/state/jeeves/backup/a", "mine");
    put("two/elsewhere/a", "mine");
    symlinkSync(at("two/elsewhere"), state("up"));
    const dry = leave("--dry-run");
    const done = leave("--yes");
    expect(done).toMatchObject({ status: 0, stderr: "" });
    for (const name of ["prices.json", "backup", "up"]) {
      expect(dry.stdout).toContain(`would leave in place, not ours:  ${state(name)}\n`);
      expect(done.stdout).toContain(`left in place, not ours:  ${state(name)}\n`);
    }
    expect(readdirSync(state(".")).sort()).toEqual(["backup", "prices.json", "up"]);
    expect(read("two/elsewhere/a")).toBe("mine");
  });

  it.runIf(hasPerl)(
    "X-62 what was left in directories for temporary files goes, whichever TMPDIR it was; empty directories go, too",
    () => {
      init("codex");
      const lines = Array.from({ length: 3_000 }, (_, i) => `export const value${i} = "a value of some length";`);
      put("one/long.ts", `${lines.join("\n")}\n`);
      mkdirSync(at("other-tmp"));
      // Neither its store nor its meter can be written: both go to the fallback directory.
      for (const name of ["store", "meter"]) put(`home/.local/state/jeeves/${name}`, "in the way");
      const printed = spawnSync(at("clone/packages/cli/bin/jeeves-exec"), ["--client=codex", "cat long.ts"], {
        cwd: at("one"),
        env: { ...env, TMPDIR: at("other-tmp") },
        encoding: "utf8",
      });
      expect(printed.stdout).toContain("prn_");
      expect(files("other-tmp").length).toBeGreaterThan(1);
      const { pid } = spawnSync("true");
      for (const name of [
        `jeeves-${pid}-7`,
        `jeeves-so-far-${pid}-6`,
        `jeeves-so-far-${process.pid}-8`,
        "jeeves-so-far-mine",
      ]) {
        put(`tmp/${name}`, "copied");
        put(`other-tmp/${name}`, "copied");
      }
      for (const tmp of ["tmp", "other-tmp"]) {
        mkdirSync(at(`${tmp}/jeeves-held-${process.getuid?.()}`), { mode: 0o700 });
        put(`${tmp}/jeeves-held-${process.getuid?.()}/1a2b3c4d-77`, "held");
      }
      expect(leave("--yes")).toMatchObject({ status: 0, stderr: "" });
      // Of a command that runs, and what has another name.
      const kept = [`jeeves-so-far-${process.pid}-8`, "jeeves-so-far-mine"].sort();
      for (const name of ["tmp", "other-tmp"]) expect(readdirSync(at(name)).sort()).toEqual(kept);
      expect(readdirSync(at("home"))).toEqual([]);
    },
  );

  it("a default state directory that is a link or holds the home directory loses only what is ours", () => {
    mkdirSync(at("home/.local/state"), { recursive: true });
    mkdirSync(at("two/target"));
    put("two/target/artifacts/app.bin", "mine");
    symlinkSync(at("two/target"), at("home/.local/state/jeeves"));
    init("codex");
    makeState();
    expect(leave("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(files("two")).toEqual(["two/target/artifacts/app.bin"]);
    env.XDG_STATE_HOME = at();
    env.HOME = at("jeeves/me");
    put("jeeves/me/thesis.txt", "mine");
    init("codex");
    makeState();
    expect(run(at("jeeves/me/.local/share/jeeves/bin/jeeves-uninstall"), ["--yes"]).status).toBe(0);
    expect(files("jeeves")).toEqual(["jeeves/me/thesis.txt"]);
  });

  it("a state directory that is the home directory: common names in it stay", () => {
    env.JEEVES_STATE_DIR = at("home");
    put("home/store/mine.txt", "mine");
    init("codex");
    makeState();
    expect(leave("--yes").status).toBe(0);
    expect(files("home")).toEqual(["home/store/mine.txt"]);
  });

  it("settings of earlier versions, with paths inside a clone and no record, are found where the clients look", () => {
    const clone = "/gone/jeeves/packages";
    const server = { type: "stdio", command: "/usr/bin/node", args: [`${clone}/mcp-pruner/dist/index.js`] };
    const hook = { type: "mcp_tool", server: "jeeves", tool: "jeeves_hook", input: {} };
    const settings = {
      permissions: { allow: ["mcp__jeeves__read", `Read(/${at("home/.local/state/jeeves/store")}/**)`, "Bash(ls)"] },
      hooks: { PostToolUse: [{ matcher: "Read|Grep", hooks: [hook] }] },
      env: { CLAUDE_CODE_SHELL_PREFIX: `${clone}/cli/bin/jeeves-exec` },
    };
    const toml = `model = "x"\n\n[mcp_servers.jeeves]\ncommand = "/usr/bin/node"\nargs = ["${clone}/mcp-pruner/dist/index.js"]\n`;
    // Claude Code remembers the directories that it was started in; `two` is where uninstall is called.
    put("home/.claude.json", JSON.stringify({ mcpServers: { jeeves: server }, projects: { [at("one")]: {} } }));
    put("home/.claude/settings.json", JSON.stringify(settings));
    put("home/.codex/config.toml", toml);
    put("one/.claude/settings.local.json", JSON.stringify({ ...settings, enabledMcpjsonServers: ["jeeves"] }));
    put("two/.gemini/settings.json", JSON.stringify({ mcpServers: { jeeves: server, mine: { command: "x" } } }));
    expect(jeeves(["uninstall", "--yes"], "two")).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(read("home/.claude.json"))).toEqual({ projects: { [at("one")]: {} } });
    for (const path of ["home/.claude/settings.json", "one/.claude/settings.local.json"])
      expect(JSON.parse(read(path))).toEqual({ permissions: { allow: ["Bash(ls)"] } });
    expect(read("home/.codex/config.toml")).toBe('model = "x"\n');
    expect(JSON.parse(read("two/.gemini/settings.json"))).toEqual({ mcpServers: { mine: { command: "x" } } });
  });

  it("started from a directory that is gone, through a link, with another XDG_DATA_HOME: it knows its own place", () => {
    init("claude-code");
    rmSync(at("clone"), { recursive: true });
    symlinkSync(data("bin/jeeves-uninstall"), at("leave"));
    env.XDG_DATA_HOME = at("elsewhere");
    const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" --yes';
    expect(run("/bin/sh", ["-c", line, at("leave")])).toMatchObject({ status: 0 });
    expect(files("home")).toEqual([]);
  });

  it("a project that was moved: its settings are named, and the launcher that they name still runs commands", () => {
    init("claude-code");
    init("claude-code", "--project");
    const settings = at("one/.claude/settings.local.json");
    renameSync(at("one"), at("renamed"));
    const first = leave("--yes");
    expect(first.status).toBe(1);
    expect(first.stderr).toContain(`${settings} was not found`);
    expect(first.stderr).toContain(`still name ${data("bin/jeeves-exec")}, which stays`);
    expect(first.stderr).toContain("jeeves uninstall --force");
    expect(files("home")).toEqual(["home/.local/share/jeeves/bin/jeeves-exec"]);
    const moved: { env: Record<string, string> } = JSON.parse(read("renamed/.claude/settings.local.json"));
    expectRunsBare(moved.env.CLAUDE_CODE_SHELL_PREFIX ?? "");
    const stub = readFileSync(data("bin/jeeves-exec"), "utf8");
    expect(jeeves(["uninstall", "--yes"], "two")).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringContaining(`${data("bin/jeeves-exec")} stays`),
    });
    expect(readFileSync(data("bin/jeeves-exec"), "utf8")).toBe(stub);
    expect(jeeves(["uninstall", "--yes", "--force"], "two")).toMatchObject({ status: 0, stderr: "" });
    expect(files("home")).toEqual([]);
  });

  it("a project that was copied: the launcher stays as a stub, also after init --remove and another init", () => {
    init("claude-code", "--project");
    cpSync(at("one"), at("copy"), { recursive: true });
    const stays = expect.stringContaining(`${data("bin/jeeves-exec")} stays`);
    expect(jeeves(["init", "claude-code", "--project", "--remove"])).toMatchObject({ status: 0, stdout: stays });
    expect(files("home")).toEqual(["home/.local/share/jeeves/bin/jeeves-exec"]);
    expectRunsBare(data("bin/jeeves-exec"));
    init("claude-code");
    expect(leave("--dry-run").stdout).toContain(`would remove  ${data()}, all but ${data("bin/jeeves-exec")}\n`);
    expect(leave("--yes")).toMatchObject({ status: 0, stderr: "", stdout: stays });
    expect(files("home")).toEqual(["home/.local/share/jeeves/bin/jeeves-exec"]);
    expectRunsBare(data("bin/jeeves-exec"));
    expect(jeeves(["doctor"]).stdout).not.toContain(data("installation"));
    init("claude-code");
    expect(leave("--yes", "--force")).toMatchObject({ status: 0, stderr: "" });
    expect(files("home")).toEqual([]);
  });

  it("the settings of a project are gone and another file cannot be changed: a second call still leaves the stub", () => {
    init("claude-code", "--project");
    init("gemini");
    put("home/.local/share/jeeves/record.json", "{}"); // as earlier versions wrote it
    renameSync(at("one"), at("renamed"));
    const gemini = read("home/.gemini/settings.json");
    put("home/.gemini/settings.json", `${gemini} oops`);
    expect(leave("--yes").status).toBe(1);
    put("home/.gemini/settings.json", gemini);
    expect(leave("--yes").status).toBe(0);
    expectRunsBare(data("bin/jeeves-exec"));
  });

  it("launchers that a running session uses stay, and go when it has ended", async () => {
    init("claude-code");
    const server = spawn(data("bin/mcp-pruner"), [], { cwd: at("one"), env, stdio: ["pipe", "ignore", "pipe"] });
    await once(server.stderr, "data"); // mcp_pruner.ready
    const first = leave("--yes");
    expect(first).toMatchObject({ status: 1, stderr: expect.stringContaining("a running session uses it") });
    expect(existsSync(at("home/.claude"))).toBe(false);
    expect(jeeves(["init", "claude-code", "--remove"]).status).toBe(0);
    server.stdin.end();
    await once(server, "close");
    expect(existsSync(data("bin/jeeves-exec"))).toBe(true);
    env.CLAUDE_CODE_SHELL_PREFIX = data("bin/jeeves-exec");
    expect(leave("--yes").status).toBe(1);
    delete env.CLAUDE_CODE_SHELL_PREFIX;
    expect(leave("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(files("home")).toEqual([]);
  });

  it("X-62 a session that took the prefix from its settings goes on, with the installation gone", async () => {
    init("claude-code");
    rmSync(at("clone"), { recursive: true });
    // As Claude Code does: the prefix is never in the environment that the process was started with.
    put("two/claude", `#!/bin/sh\necho started\nread word\n'${data("bin/jeeves-exec")}' "echo $word"\nread word\n`);
    chmodSync(at("two/claude"), 0o755);
    const session = spawn(at("two/claude"), [], { cwd: at("one"), env, stdio: ["pipe", "pipe", "inherit"] });
    const said = async () => String((await once(session.stdout, "data"))[0]);
    expect(await said()).toBe("started\n");
    const first = leave("--yes");
    expect(first).toMatchObject({ status: 1, stderr: expect.stringContaining("Claude Code is running") });
    expect(existsSync(at("home/.claude"))).toBe(false);
    session.stdin.write("alive\n");
    expect(await said()).toBe("alive\n");
    session.stdin.end();
    await once(session, "close");
    expect(leave("--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(files("home")).toEqual([]);
  });

  // Whose home a process has is known by /proc; elsewhere any session of a client counts.
  it.runIf(existsSync(PROC))("X-62 a session of another home directory keeps nothing", async () => {
    init("claude-code");
    put("two/claude", "#!/bin/sh\necho started\nread word\n");
    chmodSync(at("two/claude"), 0o755);
    const elsewhere = { ...env, HOME: at("two") };
    const session = spawn(at("two/claude"), [], { env: elsewhere, stdio: ["pipe", "pipe", "inherit"] });
    await once(session.stdout, "data");
    expect(leave("--yes")).toMatchObject({ status: 0, stderr: "" });
    session.stdin.end();
    await once(session, "close");
  });

  it.each([
    ["is lost", () => rmSync(data("record.json"))],
    ["is broken", () => writeFileSync(data("record.json"), "{")],
    [
      "was lost before another init",
      () => {
        rmSync(data("record.json"));
        init("gemini");
      },
    ],
  ])("X-62 the record of a project's set-up %s: the stub stays", (_what, lose) => {
    init("claude-code", "--project");
    cpSync(at("one"), at("copy"), { recursive: true });
    rmSync(at("one/.claude"), { recursive: true });
    rmSync(data("settings"), { recursive: true });
    lose();
    leave("--yes");
    expectRunsBare(data("bin/jeeves-exec"));
  });

  it.runIf(existsSync(PROC))(
    "init --remove of the last client removes the launchers; before, and where a pasted entry names them, they stay",
    () => {
      init("claude-code");
      init("gemini", "--project");
      expect(jeeves(["init", "claude-code", "--remove"]).status).toBe(0);
      expect(existsSync(data("bin/mcp-pruner"))).toBe(true);
      const pasted = `{\n  // mine\n  "env": {"CLAUDE_CODE_SHELL_PREFIX": "${data("bin/jeeves-exec")}"}\n}\n`;
      put("one/.claude/settings.json", pasted);
      expect(jeeves(["init", "gemini", "--project", "--remove"]).status).toBe(0);
      expect(existsSync(data("bin/jeeves-exec"))).toBe(true);
      rmSync(at("one/.claude"), { recursive: true });
      expect(jeeves(["init", "gemini", "--project"]).status).toBe(0);
      expect(jeeves(["init", "gemini", "--project", "--remove"]).stdout).toContain(`removed  ${data()}\n`);
      expect(readdirSync(at("home"))).toEqual([]);
    },
  );
});
