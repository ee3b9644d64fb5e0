import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { at, jeeves, json, put } from "./init-given.ts";

const SETTINGS = "project/.claude/settings.local.json";
const TOML = "project/.codex/config.toml";
const claude = (...more: readonly string[]) => jeeves("init", "claude-code", "--project", ...more);
const codex = (...more: readonly string[]) => jeeves("init", "codex", "--project", ...more);

describe("settings files as people have them", () => {
  it("a read-only file is left untouched, by --remove too, and the way out is named", () => {
    put(SETTINGS, '{"model":"x"}');
    chmodSync(at(SETTINGS), 0o444);
    const refused = claude();
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toContain(`${at(SETTINGS)} is read-only\n`);
    expect(refused.stderr).toContain(`chmod u+w ${at(SETTINGS)} and run this again`);
    expect(existsSync(at("home/.claude.json"))).toBe(false);
    chmodSync(at(SETTINGS), 0o644);
    expect(claude().status).toBe(0);
    chmodSync(at(SETTINGS), 0o444);
    expect(claude("--remove")).toMatchObject({ status: 2, stderr: expect.stringContaining("is read-only") });
    expect(readFileSync(at(SETTINGS), "utf8")).toContain("jeeves_hook");
  });

  it("paths of this machine were written into the .mcp.json that a project shares, with a backup beside it", () => {
    spawnSync("git", ["init", "-q"], { cwd: at("project") });
    const shared = put("project/.mcp.json", '{"mcpServers": {"other": {"command": "x"}}}');
    const old = put(SETTINGS, '{"model":"x"}');
    expect(claude().status).toBe(0);
    expect(readFileSync(at("project/.mcp.json"), "utf8")).toBe(shared);
    expect(readdirSync(at("project"))).toEqual([".claude", ".git", ".mcp.json"]);
    expect(readdirSync(at("project/.claude"))).toEqual(["settings.local.json"]);
    const { command } = json("home/.claude.json").projects[at("project")].mcpServers.jeeves;
    expect(command).toBe(at("home/.local/share/jeeves/bin/mcp-pruner"));
    const kept = readdirSync(at("home/.local/share/jeeves/settings")).filter((name) => name.endsWith(".backup"));
    expect(kept.map((name) => readFileSync(at(`home/.local/share/jeeves/settings/${name}`), "utf8"))).toEqual([old]);
    // What an earlier version wrote there goes.
    put("project/.mcp.json", JSON.stringify({ mcpServers: { other: { command: "x" }, jeeves: { command } } }));
    expect(claude().status).toBe(0);
    expect(json("project/.mcp.json")).toEqual(JSON.parse(shared));
  });

  it("a project's server and the user's are in one file, and each goes alone", () => {
    put("project/.git/HEAD", "ref: refs/heads/main\n");
    const before = put("home/.claude.json", '{"mine": 1}\n');
    expect(jeeves("init", "claude-code").status).toBe(0);
    expect(claude().status).toBe(0);
    expect(claude("--remove").status).toBe(0);
    expect(json("home/.claude.json")).toMatchObject({ mine: 1, mcpServers: { jeeves: {} } });
    expect(json("home/.claude.json")).not.toHaveProperty("projects");
    expect(claude().status).toBe(0);
    expect(jeeves("init", "claude-code", "--remove").status).toBe(0);
    expect(json("home/.claude.json")).toMatchObject({ projects: { [at("project")]: { mcpServers: { jeeves: {} } } } });
    expect(json("home/.claude.json")).not.toHaveProperty("mcpServers");
    expect(jeeves("uninstall", "--yes").status).toBe(0);
    expect(json("home/.claude.json")).toEqual(JSON.parse(before));
  });

  it("another tool's shell prefix in the user's settings was overruled by the project's, with words that it stays", () => {
    put("home/.claude/settings.json", '{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/opt/wrap"}}');
    const done = jeeves("init", "claude-code", "--project");
    expect(done.status).toBe(0);
    expect(done.stdout).toContain("names /opt/wrap as CLAUDE_CODE_SHELL_PREFIX");
    const local = json("project/.claude/settings.local.json");
    expect(local.hooks).toHaveProperty("PostToolUse");
    expect(local.env).not.toHaveProperty("CLAUDE_CODE_SHELL_PREFIX");
    // One that stands in this project alone does not keep ours out of the user's settings.
    put("project/.claude/settings.json", '{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/opt/wrap"}}');
    put("home/.claude/settings.json", "{}");
    jeeves("init", "claude-code");
    expect(json("home/.claude/settings.json").env.CLAUDE_CODE_SHELL_PREFIX).toMatch(/\/jeeves-exec$/);
  });

  it("the backup of an earlier version stayed beside a settings file that its user deleted", () => {
    put(SETTINGS, '{"model":"x"}');
    expect(claude().status).toBe(0);
    put(`${SETTINGS}.jeeves-backup`, '{"model":"x"}');
    rmSync(at(SETTINGS));
    expect(jeeves("uninstall", "--yes").stderr).not.toContain("Error");
    expect(existsSync(at(`${SETTINGS}.jeeves-backup`))).toBe(false);
  });

  it("a link that leads nowhere is named", () => {
    mkdirSync(at("project/.claude"));
    symlinkSync(at("dotfiles/none.json"), at(SETTINGS));
    const refused = claude();
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toContain(`is a link that leads nowhere (to ${at("dotfiles/none.json")})`);
  });

  it("a file under version control is written, and said not to be committed", () => {
    put(SETTINGS, "{}\n");
    for (const words of [
      ["init", "-q"],
      ["add", ".claude"],
    ])
      spawnSync("git", words, { cwd: at("project") });
    const done = claude();
    expect(done.status).toBe(0);
    expect(done.stderr).toBe(
      `jeeves: ${at(SETTINGS)} is under version control: what was written names paths of this machine, do not commit it\n`,
    );
    expect(codex().stderr).toBe("");
  });

  it("opencode.jsonc is the one that is changed where it is there, and ours leaves the other", () => {
    const opencode = (...more: readonly string[]) => jeeves("init", "opencode", "--tools", "--project", ...more);
    const both = [put("project/opencode.json", '{"theme": "x"}'), "{\n  // mine\n}\n"];
    expect(opencode().status).toBe(0);
    expect(json("project/opencode.json")).toHaveProperty("mcp");
    put("project/opencode.jsonc", both[1] ?? "");
    expect(opencode().stdout).toContain(`written  ${at("project/opencode.jsonc")}`);
    expect(readFileSync(at("project/opencode.json"), "utf8")).toBe(both[0]);
    expect(readFileSync(at("project/opencode.jsonc"), "utf8")).toMatch(/^\{\n {2}\/\/ mine\n {2}"mcp": \{\n/);
    expect(opencode("--remove").status).toBe(0);
    const texts = ["json", "jsonc"].map((end) => readFileSync(at(`project/opencode.${end}`), "utf8"));
    expect(texts).toEqual(both);
  });

  it("Codex' config.toml with CRLF gets CRLF", () => {
    put(TOML, "a = 1\r\n");
    expect(codex().status).toBe(0);
    expect(readFileSync(at(TOML), "utf8").replaceAll("\r\n", "")).not.toContain("\n");
  });

  it.each([
    ["[mcp_servers.jeeves]\ncommand = 'x'\n", "(line 1)"],
    ["a = 1\n[ mcp_servers . 'jeeves' ] # mine\ncommand = 'x'\n", "(line 2)"],
    ['[mcp_servers."jeeves".env]\nA = "b"\n', "(line 1)"],
    ["[mcp_servers]\njeeves = { command = 'x' }\n", "(line 2)"],
    ["mcp_servers.jeeves.command = 'x'\n", "(line 1)"],
    ["mcp_servers = { other = { command = 'x' } }\n", "(line 1)"],
  ])("a server of the user's own is found however TOML lets it be written, and left untouched: %j", (toml, where) => {
    put(TOML, toml);
    const done = codex();
    expect(done).toMatchObject({ status: 2, stdout: "" });
    expect(done.stderr).toContain(where);
    expect(readFileSync(at(TOML), "utf8")).toBe(toml);
  });

  it.each([
    '[projects."/home/me/app/[slug]"]\ntrust_level = "trusted"\n',
    'a = [\n  1, # ]\n  2,\n]\ns = """\n[no table\n"""\n[[list]]\nb.c = 2026-01-01\n',
    "[mcp_servers.other]\r\ncommand = 'x'\r\n",
    "\uFEFFmodel = 'x'",
    "\n\n",
    "",
  ])("sound TOML is added to, and --remove brings back every byte: %j", (toml) => {
    put(TOML, toml);
    expect(codex()).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(at(TOML), "utf8").startsWith(toml)).toBe(true);
    expect(codex("--remove").status).toBe(0);
    expect(readFileSync(at(TOML), "utf8")).toBe(toml);
  });

  it("JSON keeps its line ends, its first bytes and the lack of a last line end, also where it was changed since", () => {
    put(SETTINGS, '\uFEFF{\r\n    "model": "x"\r\n}');
    expect(claude().status).toBe(0);
    const ours = readFileSync(at(SETTINGS), "utf8");
    expect(ours).toMatch(/^\uFEFF\{\r\n {4}"model"/);
    expect(ours.replaceAll("\r\n", "")).not.toContain("\n");
    put(SETTINGS, ours.replace('"x"', '"y"'));
    expect(claude("--remove").status).toBe(0);
    expect(readFileSync(at(SETTINGS), "utf8")).toBe('\uFEFF{\r\n    "model": "y"\r\n}');
  });

  it.each([
    ["claude-code", "home/.claude.json", "mcpServers", "jeeves"],
    ["gemini", "home/.gemini/settings.json", "mcpServers", "jeeves"],
    ["opencode", "home/.config/opencode/opencode.json", "mcp", "jeeves"],
    ["lm-studio", "home/.lmstudio/mcp.json", "mcpServers", "jeeves"],
    ["lm-studio", "home/.lmstudio/mcp.json", "mcpServers", "jeeves-research"],
  ])(
    "%s: a server of the user's own that has our name is left untouched, by --remove too: %s",
    (client, path, key, name) => {
      const own = put(path, JSON.stringify({ [key]: { [name]: { command: "butler", args: ["--serve"] } } }));
      const refused = jeeves("init", client, "--both");
      expect(refused).toMatchObject({ status: 2, stdout: "" });
      expect(refused.stderr).toContain(`${at(path)} has a server "${name}" of its own`);
      expect(jeeves("init", client, "--remove")).toMatchObject({ status: 0, stderr: "" });
      expect(readFileSync(at(path), "utf8")).toBe(own);
    },
  );

  it.each([
    ["claude-code", "home/.claude.json", "mcpServers", { args: ["/old/mcp-pruner/dist/index.js"] }],
    ["opencode", "home/.config/opencode/opencode.json", "mcp", { command: ["node", "/old/mcp-pruner/dist/index.js"] }],
  ])("%s: a server that another copy of ours set up is taken over", (client, path, key, server) => {
    put(path, JSON.stringify({ mine: 1, [key]: { jeeves: server } }));
    expect(jeeves("init", client)).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(at(path), "utf8")).not.toContain("/old/");
    expect(jeeves("init", client, "--remove").status).toBe(0);
    expect(json(path)).toEqual({ mine: 1 });
  });

  it.each([
    '{"hooks":{}}',
    '{"hooks": {"PreToolUse": []},  "permissions":{}, "env":{ }}',
    '{"permissions": {"allow": []}, "enabledMcpjsonServers": []}\n\n',
    "{}",
    "",
  ])("empty settings of the user's own stay, byte for byte or beside what was changed since: %j", (own) => {
    put(SETTINGS, own);
    expect(claude("--remove").stdout).toContain("nothing to do");
    expect(readFileSync(at(SETTINGS), "utf8")).toBe(own);
    for (const flags of [[], ["--tools"], ["--shadow"]]) expect(claude(...flags).status).toBe(0);
    expect(claude("--remove").status).toBe(0);
    expect(readFileSync(at(SETTINGS), "utf8")).toBe(own);
    expect(claude().status).toBe(0);
    put(SETTINGS, JSON.stringify({ ...json(SETTINGS), theme: "dark" }));
    for (const flags of [["--tools"], ["--shadow"], ["--remove"]]) expect(claude(...flags).status).toBe(0);
    expect(json(SETTINGS)).toEqual({ ...JSON.parse(own || "{}"), theme: "dark" });
  });

  it("a file that was there stays where nothing is left in it, and one that was not goes", () => {
    put(SETTINGS, "{}\n");
    expect(claude().status).toBe(0);
    for (const path of [SETTINGS, "home/.claude.json"]) put(path, `${readFileSync(at(path), "utf8")} `);
    expect(claude("--remove").status).toBe(0);
    expect(json(SETTINGS)).toEqual({});
    expect(existsSync(at("home/.claude.json"))).toBe(false);
  });

  it("a directory that init made goes with --remove unless something else is in it, and one that was there stays", () => {
    mkdirSync(at("home/.codex"));
    expect(jeeves("init", "codex").status).toBe(0);
    expect(jeeves("init", "codex", "--remove").status).toBe(0);
    expect(readdirSync(at("home"))).toEqual([".codex"]);
    expect(codex("--tools").status).toBe(0);
    expect(codex("--shadow").status).toBe(0);
    rmSync(at(TOML));
    expect(codex("--remove").status).toBe(0);
    expect(claude().status).toBe(0);
    put("project/.claude/mine.md", "mine");
    expect(claude("--remove").status).toBe(0);
    expect(readdirSync(at("project"), { recursive: true })).toEqual([".claude", ".claude/mine.md"]);
  });

  it("a link that holds nothing of ours is no reason not to take ours out of the other file", () => {
    put("elsewhere.json", '{"model": "x"}');
    expect(claude().status).toBe(0);
    rmSync(at(SETTINGS));
    symlinkSync(at("elsewhere.json"), at(SETTINGS));
    expect(claude("--remove")).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(at("home/.claude.json"))).toBe(false);
    expect(readFileSync(at(SETTINGS), "utf8")).toBe('{"model": "x"}');
  });

  it("--remove needs no notes", () => {
    expect(claude().status).toBe(0);
    rmSync(at("home/.local/share/jeeves/settings"), { recursive: true });
    put("home/.local/share/jeeves/settings", "a file where the notes should be");
    expect(claude("--remove")).toMatchObject({ status: 0, stderr: "" });
    for (const path of [SETTINGS, "home/.claude.json"]) expect(existsSync(at(path))).toBe(false);
  });

  it("a hook that the user put beside ours stays when init is called again, and when ours goes", () => {
    expect(claude().status).toBe(0);
    const settings = json(SETTINGS);
    const own = { type: "command", command: "./mine.sh" };
    settings.hooks.PreToolUse[0].hooks.push(own);
    put(SETTINGS, JSON.stringify(settings));
    expect(claude().status).toBe(0);
    expect(JSON.stringify(json(SETTINGS)).split("./mine.sh")).toHaveLength(2);
    expect(claude("--remove").status).toBe(0);
    expect(json(SETTINGS).hooks.PreToolUse).toEqual([{ matcher: expect.any(String), hooks: [own] }]);
  });

  it("text that is not UTF-8 is left untouched: what was not understood cannot be brought back", () => {
    const bytes = put(SETTINGS, Buffer.from('{"model":"\xff"}', "latin1"));
    expect(claude()).toMatchObject({ status: 2, stdout: "" });
    expect(readFileSync(at(SETTINGS)).equals(bytes)).toBe(true);
  });

  it("a pipe in the place of a file is not waited for", () => {
    mkdirSync(at("project/.claude"));
    spawnSync("mkfifo", [at(SETTINGS)]);
    const done = claude();
    expect(done.status).toBe(2);
    expect(done.stderr).toContain("settings.local.json is not a file");
    expect(existsSync(at("home/.claude.json"))).toBe(false);
  });

  it("--print shows what to put where a link leads", () => {
    put("elsewhere.json", '{"model": "x"}');
    mkdirSync(at("project/.claude"));
    symlinkSync(at("elsewhere.json"), at(SETTINGS));
    const done = claude("--print");
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(done.stdout).toContain('"model": "x"');
    expect(done.stdout).toContain("jeeves_hook");
  });

  it("where the second file cannot be written, the first is as it was", () => {
    const servers = put("home/.claude.json", '{"mcpServers": {}}');
    put("project/.claude", "a file where a directory should be");
    const done = claude();
    expect(done).toMatchObject({ status: 2, stdout: "" });
    expect(done.stderr).toMatch(/^jeeves: the settings cannot be written: .*\.claude.*\n +nothing was changed\n$/);
    expect(readFileSync(at("home/.claude.json"), "utf8")).toBe(servers);
  });

  it("a refused init left the launchers behind and said that nothing was changed", () => {
    put("home/.gemini/settings.json", "[]");
    expect(jeeves("init", "gemini")).toMatchObject({ status: 2, stderr: expect.stringContaining("not a JSON object") });
    put("home/.codex", "a file where a directory should be");
    expect(jeeves("init", "codex")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("nothing was changed"),
    });
    expect(readdirSync(at("home"))).toEqual([".codex", ".gemini"]);
    // What --print shows for a read-only file names them.
    put("home/.gemini/settings.json", "{}");
    chmodSync(at("home/.gemini/settings.json"), 0o444);
    const { stderr } = jeeves("init", "gemini");
    expect(stderr).toContain("put in by hand what --print shows; it was left untouched");
    expect(existsSync(at("home/.local/share/jeeves/bin/jeeves-hook"))).toBe(true);
    // Launchers of another client stay.
    put("home/.claude.json", "[]");
    expect(jeeves("init", "claude-code").status).toBe(2);
    expect(existsSync(at("home/.local/share/jeeves/bin/jeeves-exec"))).toBe(true);
  });

  it.each([
    ["gemini", "home/.gemini/settings.json", { hooks: 3 }, '"hooks", which is not an object'],
    ["claude-code", "home/.claude/settings.json", { hooks: { PreToolUse: "x" } }, '"PreToolUse", which is not a list'],
  ])("the file of %s whose entries have another shape was not named", (client, path, settings, what) => {
    const text = put(path, JSON.stringify(settings));
    const { status, stderr } = jeeves("init", client);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `jeeves: ${at(path)} has ${what}\n        it was left untouched\n`,
    });
    expect(readFileSync(at(path), "utf8")).toBe(text);
  });

  it("an init that fails leaves no directory behind", () => {
    const hooks = createHash("sha256").update(at("project/.codex/hooks.json")).digest("hex").slice(0, 16);
    mkdirSync(at(`home/.local/share/jeeves/settings/${hooks}.json`), { recursive: true });
    expect(codex()).toMatchObject({ status: 2, stderr: expect.stringContaining("nothing was changed") });
    expect(readdirSync(at("project"))).toEqual([]);
  });

  it("an init that fails half way takes nothing from what --remove brings back", () => {
    const servers = put("home/.claude.json", '{"mcpServers": {} }');
    expect(claude().status).toBe(0);
    rmSync(at("project/.claude"), { recursive: true });
    put("project/.claude", "a file where a directory should be");
    expect(claude("--shadow").status).toBe(2);
    expect(claude("--remove").status).toBe(0);
    expect(readFileSync(at("home/.claude.json"), "utf8")).toBe(servers);
  });
});

it("a state directory that cannot be written is said in one line", () => {
  put("state", "");
  const done = jeeves("off");
  expect(done).toMatchObject({ status: 1, stdout: "" });
  expect(done.stderr).toMatch(/^jeeves: E\w+: .*state.*; JEEVES_STATE_DIR names another directory\n$/);
});

it("a path that only begins like the state directory is not taken for one in it", () => {
  const done = jeeves("look", "--markdown", at("state-of-things/none/look.md"));
  expect(done.status).toBe(1);
  expect(done.stderr).toMatch(/^jeeves: cannot write .*state-of-things.*: ENOENT$/m);
  expect(done.stderr).not.toContain("JEEVES_STATE_DIR");
});

it("a worktree's server is the repository's, as Claude Code has it", () => {
  const git = (...words: readonly string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: at("project") });
  mkdirSync(at("main"));
  spawnSync("git", ["init", "-q"], { cwd: at("main") });
  for (const words of [
    ["commit", "-q", "--allow-empty", "-m", "x"],
    ["worktree", "add", "-q", "--force", at("project")],
  ])
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: at("main") });
  expect(git("status").status).toBe(0);
  expect(claude().status).toBe(0);
  expect(Object.keys(json("home/.claude.json").projects)).toEqual([at("main")]);
});
