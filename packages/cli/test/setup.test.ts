// `jeeves setup` and the words that were mistyped, on the built bin, with stand-ins for the clients' own programs.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findSystemPerl } from "@jeeves/base";
import { describe, expect, it } from "vitest";
import { at, json, put } from "./init-given.ts";

const JEEVES = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
const RUDDER = fileURLToPath(new URL("../../rudder/dist/rudder.js", import.meta.url));
const FILES = {
  "claude-code": ["home/.claude.json", "home/.claude/settings.json"],
  codex: ["home/.codex/config.toml", "home/.codex/hooks.json"],
  gemini: ["home/.gemini/settings.json"],
  opencode: ["home/.config/opencode/plugin/jeeves.js"],
};

/** Programs that say a version, by their names. */
function install(versions: Readonly<Record<string, string>>): void {
  for (const [name, version] of Object.entries(versions)) {
    put(`bin/${name}`, `#!/bin/sh\necho "${name} ${version}"\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  }
}

function envOf(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  mkdirSync(at("tmp"), { recursive: true });
  const own = { HOME: at("home"), JEEVES_STATE_DIR: at("state"), TMPDIR: at("tmp") };
  return { PATH: `${at("bin")}:/usr/bin:/bin`, ...own, ...extra };
}

function run(words: readonly string[], { file = JEEVES, env = {} } = {}) {
  const options = { cwd: at("project"), env: envOf(env), encoding: "utf8", timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], options);
  return { status, stdout, stderr };
}
const setup = (...words: readonly string[]) => run(["setup", ...words]);
const ALL = { claude: "2.1.325", codex: "0.166.0", gemini: "0.61.1", opencode: "1.18.4" };

const hasPerl = (await findSystemPerl()) !== undefined;

describe("jeeves setup", () => {
  it("shows the plan, and without a terminal and --yes writes nothing: exit code 2", () => {
    install(ALL);
    const done = setup();
    expect(done.status).toBe(2);
    for (const path of Object.values(FILES).flat())
      expect(done.stdout).toContain(`+ ${at(path).replace(at("home"), "~")} `);
    expect(done.stdout).toContain("hooks for Read and Grep");
    expect(done.stderr).toBe(
      "jeeves: nothing was written: there is no terminal to ask on; jeeves setup --yes writes it\n",
    );
    expect(setup("--print")).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(at("home"))).toEqual([]);
  });

  it.runIf(hasPerl)(
    "--yes writes for every client, shows a real cut through each one's own path, and says what is next",
    () => {
      install(ALL);
      const own = put("home/.config/opencode/opencode.json", '{\n  // mine\n  "theme": "x",\n}\n');
      const done = setup("--yes");
      expect(done).toMatchObject({ status: 0, stderr: "" });
      for (const path of Object.values(FILES).flat()) expect(existsSync(at(path))).toBe(true);
      for (const title of ["Claude Code", "Codex", "Gemini CLI", "opencode"])
        expect(done.stdout).toMatch(new RegExp(`✓ ${title}: 2,008 lines of .* → 1\\d, the failure among them`));
      expect(done.stdout).toContain("not ok 1208 - login sets the session cookie");
      expect(done.stdout).toContain("restart Claude Code");
      expect(done.stdout).toContain("/hooks");
      // What it showed counts for no agent, and nothing of it stays.
      expect(existsSync(at("state"))).toBe(false);
      expect(readdirSync(at("tmp"))).toEqual([]);
      // Codex waits for a yes in its /hooks.
      expect(setup()).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("Nothing to write, and not everything"),
      });
      expect(run(["uninstall", "--yes"]).status).toBe(0);
      expect(readFileSync(at("home/.config/opencode/opencode.json"), "utf8")).toBe(own);
      expect(readdirSync(at("home"), { recursive: true })).toEqual([
        ".config",
        ".config/opencode",
        ".config/opencode/opencode.json",
      ]);
    },
  );

  it.runIf(hasPerl)("--client takes some, --shadow counts only; versions that were not tried are said", () => {
    install({ ...ALL, codex: "0.170.0", gemini: "0.40.1" });
    const done = setup("--client", "gemini", "-c", "codex", "--shadow", "--yes");
    expect(done.status).toBe(0);
    expect(done.stdout).toContain("Codex 0.170.0  newer than 0.166, the newest that was tried");
    expect(done.stdout).toContain("Gemini CLI 0.40.1  older than 0.61, the oldest that was tried: update it");
    expect(done.stdout).toContain("would see it without --shadow");
    expect(json("home/.gemini/settings.json").hooks.AfterTool[0].hooks[0].command).toContain("JEEVES_MODE=shadow ");
    expect(existsSync(at("home/.claude.json"))).toBe(false);
  });

  it("a client that is not installed is named with the line that installs it", () => {
    install({ codex: "0.166.0" });
    const done = setup("--client", "claude-code", "--yes");
    expect(done).toMatchObject({ status: 1, stdout: "" });
    expect(done.stderr).toContain("Claude Code is not installed here: there is no claude on PATH; nothing was written");
    expect(done.stderr).toContain("npm install --global @anthropic-ai/claude-code");
  });

  it("without any client it names those that it knows; a program of the project's own is none", () => {
    put("project/codex", "#!/bin/sh\necho 0.166.0\n");
    chmodSync(at("project/codex"), 0o755);
    const done = run(["setup", "--yes"], { env: { PATH: ".:" } });
    expect(done).toMatchObject({ status: 1, stdout: "" });
    expect(done.stderr).toContain("no client was found on PATH; known are Claude Code, Codex");
  });

  it("a client whose settings are broken is named and left; the others are set up: exit code 1", () => {
    install(ALL);
    const broken = put("home/.gemini/settings.json", '{\n  "a": 1\n  "b": 2\n}\n');
    const done = setup("--yes", "-c", "gemini", "-c", "opencode");
    expect(done.status).toBe(1);
    expect(done.stdout).toContain("Comma expected in line 3, column 3");
    expect(done.stdout).toContain("✓ opencode: 2,008 lines");
    expect(readFileSync(at("home/.gemini/settings.json"), "utf8")).toBe(broken);
  });

  it("a client of its own way, and one that does not answer --version, were not named", () => {
    install({ copilot: "1.0.102" });
    const alone = setup("--print");
    expect(alone).toMatchObject({ status: 1, stdout: "" });
    expect(alone.stderr).toContain("Copilot CLI\n        copilot mcp add jeeves --env");
    put("bin/codex", "#!/bin/sh\nexit 5\n");
    chmodSync(at("bin/codex"), 0o755);
    const { stdout } = setup("--print");
    expect(stdout).toContain("  Codex  does not say its version\n");
    expect(stdout).toContain("  By their own ways:\n    Copilot CLI: copilot mcp add jeeves --env");
    const copilot = () =>
      JSON.parse(run(["doctor", "--json"]).stdout).checks.find(({ name }: { name: string }) => name === "copilot cli");
    expect(copilot()).toMatchObject({ state: "note", mend: expect.stringContaining("copilot mcp add") });
    put("home/.copilot/mcp-config.json", '{"mcpServers": {"jeeves": {"command": "mcp-pruner"}}}');
    expect(copilot()).toMatchObject({ state: "good" });
    expect(setup("--print").stdout).not.toContain("Copilot");
  });

  it("another tool in the place of our launcher stays, and is said once", () => {
    install(ALL);
    put("home/.claude/settings.json", '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/wrap"}}');
    const done = setup("--yes", "-c", "claude-code");
    expect(done.status).toBe(0);
    expect(done.stderr).toBe(
      `jeeves: ${at("home/.claude/settings.json")} has a CLAUDE_CODE_SHELL_PREFIX of its own, which stays: commands are not cut\n`,
    );
    expect(done.stdout).toContain("✓ Claude Code: 2,008 lines of a Read, by its hook");
    expect(done.stdout).toContain("settings.json names /opt/wrap as CLAUDE_CODE_SHELL_PREFIX");
    expect(json("home/.claude/settings.json").env.CLAUDE_CODE_SHELL_PREFIX).toBe("/opt/wrap");
  });

  it("Codex, which does nothing until its hooks are trusted, is not done", () => {
    install(ALL);
    expect(setup("--yes", "-c", "codex").stdout).toContain("trust the hooks with /hooks");
    const again = setup("--yes", "-c", "codex");
    expect(again).toMatchObject({ status: 0, stderr: "" });
    expect(again.stdout).toContain("· its hooks are not trusted: nothing is cut until they are: start codex");
    expect(again.stdout).not.toContain("Nothing to do.");
  });

  it("a client that has the plugin is left alone", () => {
    install(ALL);
    put("home/.claude/plugins/installed_plugins.json", '{"version":2,"plugins":{"jeeves@jeeves":[{"scope":"user"}]}}');
    const done = setup("--yes", "-c", "claude-code");
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(done.stdout).toContain("has the plugin jeeves@jeeves: nothing to write");
    // It said that there was nothing to do, though no plugin can set the launcher of commands.
    expect(done.stdout).toContain("· commands are not cut yet: jeeves init claude-code --commands");
    expect(done.stdout).not.toContain("Nothing to do.");
    expect(existsSync(at("home/.claude.json"))).toBe(false);
  });

  it.skipIf(spawnSync("script", ["--version"]).error !== undefined)(
    "jeeves alone on a terminal asks once, and no means that nothing is written",
    () => {
      install({ opencode: "1.18.0" });
      const typed = `(printf 'n\\n'; sleep 20) | script -qec '${process.execPath} ${JEEVES}' /dev/null & wait $!`;
      const { stdout } = spawnSync("sh", ["-c", typed], {
        cwd: at("project"),
        env: envOf(),
        encoding: "utf8",
        timeout: 60_000,
      });
      expect(stdout).toContain("Write this? [Y/n]");
      expect(stdout).toContain("Nothing was written.");
      expect(readdirSync(at("home"))).toEqual([]);
    },
  );
});

describe("words that were mistyped", () => {
  it.each([
    [["init", "claude"], "(Did you mean claude-code?)"],
    [["init", "cladue"], "(Did you mean claude-code?)"],
    [["setup", "--client", "cladue"], "(Did you mean claude-code?)"],
    [["init", "lmstudio"], "(Did you mean lm-studio?)"],
    [["prune", "x", "--fokus", "q"], "(Did you mean --focus?)"],
    [["prune", "x", "--focus", "q", "--type", "log"], "(Did you mean logs?)"],
    [["stats", "--by", "clients"], "(Did you mean client?)"],
    [["trial", "stat"], "(Did you mean status?)"],
    [["setup", "--client", "gemni"], "(Did you mean gemini?)"],
    [["run", "--provider", "claude-code", "x"], "(Did you mean claude?)"],
    [["uninstal"], "(Did you mean uninstall?)"],
    [["setup", "--dryrun"], "unknown option"],
  ])("jeeves %j", (words, meant) => {
    const done = run(words);
    expect(done).toMatchObject({ status: 2, stdout: "" });
    expect(done.stderr).toContain(meant);
  });

  it.each([
    ["copilot", "copilot mcp add jeeves --env MCP_PRUNER_TOOLS=read,grep,recover_text -- mcp-pruner"],
    ["vscode", ".vscode/mcp.json"],
    ["cursor", ".cursor/mcp.json"],
    ["claude-desktop", ".mcpb"],
  ])("jeeves init %s names the client's own way, and writes nothing", (word, way) => {
    const done = run(["init", word, "--print"]);
    expect(done).toMatchObject({ status: 1, stdout: "" });
    expect(done.stderr).toContain(way);
    expect(readdirSync(at("home"))).toEqual([]);
  });

  it.each([
    [["tsk", "list"], "(Did you mean task?)"],
    [["task", "shw", "T001"], "(Did you mean show?)"],
    [["task:lst"], "(Did you mean list?)"],
    [["status", "--jso"], "(Did you mean --json?)"],
  ])("rudder %j", (words, meant) => {
    const done = run(words, { file: RUDDER });
    expect(done).toMatchObject({ status: 2, stdout: "" });
    expect(done.stderr).toContain(meant);
  });

  it.each(["-v", "-V", "--version"])("%s prints the version", (word) => {
    expect(run([word])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    if (word !== "-V") expect(run([word], { file: RUDDER }).status).toBe(0);
  });
});
