// Claude Code and Codex, set up by an installation that is deleted afterwards. Their own tools work as if we had
// never been there, and the uninstaller in the data directory leaves their settings as they were.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyInstallation } from "../copy-installation.ts";
import { createClientEnv } from "./agent.ts";
import { claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import { codexCommand } from "./codex-command-line.ts";
import { createInterceptProject, FOCUS, type InterceptProject } from "./intercept-project.ts";
import type { Turn } from "./scripted-model.ts";

/** Enough for Node to be asked, and less than what both clients show. */
const LINES = Array.from({ length: 250 }, (_, i) => `entry ${i} of a list: value ${i * 7919}`);
const OWN_SETTINGS = '{\n   "permissions": {"allow": ["Bash(cat middle.txt)", "Bash(sh fail.sh)", "Read"]}}\n';
const OWN_CONFIG = '# mine\nmodel_reasoning_effort = "low"\n';

let project: InterceptProject;
beforeEach(async () => {
  project = await createInterceptProject();
  await writeFile(join(project.root, "middle.txt"), `${LINES.join("\n")}\n`);
  await writeFile(join(project.root, "fail.sh"), "echo out\necho err >&2\nexit 7\n");
});
afterEach(() => project?.remove());

/** `jeeves init` from a copy, which is gone when this returns. */
async function initAndDelete(client: string, env: Record<string, string>): Promise<void> {
  const { dir, jeeves } = copyInstallation(join(project.dir, "clone"));
  execFileSync(process.execPath, [jeeves, "init", client], { cwd: project.root, env });
  await rm(dir, { recursive: true });
}

function uninstall(env: Record<string, string>): void {
  const program = join(project.home, ".local", "share", "jeeves", "bin", "jeeves-uninstall");
  execFileSync(program, ["--yes"], { cwd: project.root, env, stdio: "pipe" });
  expect(existsSync(dirname(program))).toBe(false);
}

describe.each(VERSIONS)("Claude Code $version", (version) => {
  it("X-62 Bash and Read work bare, the session goes on without our server, and uninstall restores the settings", async () => {
    const settings = join(project.home, ".claude", "settings.json");
    await mkdir(dirname(settings));
    await writeFile(settings, OWN_SETTINGS);
    const env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    await initAndDelete("claude-code", env);
    const script: Turn[] = [
      { call: { tool: "Bash" }, with: { command: "cat middle.txt" } },
      { call: { tool: "Bash" }, with: { command: "sh fail.sh" } },
      { call: { tool: "Read" }, with: { file_path: join(project.root, "middle.txt") } },
      { say: "Done." },
    ];
    const given = { prompt: FOCUS, script, cwd: project.root, home: project.home };
    const { seen, servers } = await runClaudeCode(version, { ...given, env: { JEEVES_STATE_DIR: project.stateDir } });
    const [cat, fail, read] = seen.outputs;
    expect(servers).toContainEqual({ name: "jeeves", status: "failed" });
    expect(cat).toMatchObject({ isError: false, parts: [LINES.join("\n")] });
    expect(fail?.isError).toBe(true);
    expect(fail?.parts.join("\n")).toMatch(/^Exit code 7\nout\nerr\s*$/);
    const numbered = LINES.map((line, index) => `${index + 1}\t${line}`).join("\n");
    expect(read).toMatchObject({ isError: false, parts: [expect.stringContaining(numbered)] });
    uninstall(env);
    expect(readFileSync(settings, "utf8")).toBe(OWN_SETTINGS);
    expect(readFileSync(join(project.home, ".claude", ".claude.json"), "utf8")).not.toContain("jeeves/bin");
  });

  it("X-62 a session that uninstalls goes on: its commands still work", async () => {
    const settings = join(project.home, ".claude", "settings.json");
    await mkdir(dirname(settings));
    const program = join(project.home, ".local", "share", "jeeves", "bin", "jeeves-uninstall");
    const command = `${program} --yes`;
    const own = JSON.stringify({ permissions: { allow: [`Bash(${command})`, "Bash(sh fail.sh)"] } });
    await writeFile(settings, own);
    const env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    await initAndDelete("claude-code", env);
    const commands = [command, "sh fail.sh"];
    const script: Turn[] = [
      ...commands.map((each) => ({ call: { tool: "Bash" }, with: { command: each } })),
      { say: "Done." },
    ];
    const given = { prompt: FOCUS, script, cwd: project.root, home: project.home };
    const { seen } = await runClaudeCode(version, { ...given, env: { JEEVES_STATE_DIR: project.stateDir } });
    expect(seen.outputs[0]?.parts.join("\n")).toContain("a running session uses it");
    expect(seen.outputs[1]?.parts.join("\n")).toMatch(/^Exit code 7\nout\nerr\s*$/);
    expect(readFileSync(settings, "utf8")).toBe(own);
    uninstall(env);
  });
});

describe("Codex", () => {
  it("X-62 commands run bare, the session goes on without our server, and uninstall restores the settings", async () => {
    const codexHome = join(project.home, ".codex");
    await mkdir(codexHome);
    await writeFile(join(codexHome, "config.toml"), OWN_CONFIG);
    const env = { ...(await createClientEnv(project.home)), CODEX_HOME: codexHome, JEEVES_STATE_DIR: project.stateDir };
    await initAndDelete("codex", env);
    const run = (cmd: string): Turn => ({ call: { tool: "exec_command" }, with: { cmd } });
    const launcher = join(project.home, ".local", "share", "jeeves", "bin", "jeeves-exec");
    // The last one is what the hook of a session that began before the deletion makes of a command.
    const commands = ["cat middle.txt", "sh fail.sh", `${launcher} --client=codex 'cat middle.txt; exit 5'`];
    const seen = await codexCommand({
      prompt: FOCUS,
      script: [...commands.map(run), { say: "Done." }],
      cwd: project.root,
      env,
      mode: "direct",
      isServerRequired: false,
    });
    const shown = seen.outputs.map(({ parts }) => parts.join("\n"));
    expect(seen.tools.filter(({ server }) => server === "jeeves")).toEqual([]);
    expect(shown[0]).toMatch(/exited with code 0\b/);
    expect(shown[0]).toContain(`Output:\n${LINES.join("\n")}`);
    // Codex reads stdout and stderr from two pipes and shows them in the order in which they arrive.
    expect(shown[1]).toMatch(/exited with code 7\b[\s\S]*Output:\n(out\nerr|err\nout)\s*$/);
    expect(shown[2]).toMatch(/exited with code 5\b/);
    expect(shown[2]).toContain(`Output:\n${LINES.join("\n")}`);
    uninstall(env);
    expect(readFileSync(join(codexHome, "config.toml"), "utf8")).toBe(OWN_CONFIG);
    expect(existsSync(join(codexHome, "hooks.json"))).toBe(false);
  });
});
