// Claude Code with the plugin of `npm run package`, installed by its own commands from the folder: what its model gets,
// what the plugin cannot do by itself, and what is left after it was taken out.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placesIn, placesOf } from "../../packages/cut/test/search/match-places.ts";
import { ensurePackaged } from "../../scripts/package/ensure-packaged.mjs";
import { writeCallSites } from "./call-sites.ts";
import { type ClaudeCodeOutcome, claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import {
  ANSWER,
  checkCut,
  createInterceptProject,
  FAILURES,
  FOCUS,
  type InterceptProject,
} from "./intercept-project.ts";
import { ROOT, readmeCommands } from "./readme-commands.ts";
import { unnumbered } from "./unnumbered.ts";

const MARKETPLACE = fileURLToPath(new URL("../../out/claude-code", import.meta.url));
const PREFIX = "CLAUDE_CODE_SHELL_PREFIX";
const OWN_SETTINGS = { permissions: { allow: ["Bash(npm test)", "Read", "Grep"] } };

describe.each(VERSIONS)("the plugin in Claude Code $version", (version) => {
  let project: InterceptProject;
  let env: Record<string, string>;
  let outcome: ClaudeCodeOutcome;
  let told: string;
  let found: string[];

  beforeAll(async () => {
    await ensurePackaged();
    project = await createInterceptProject();
    found = await writeCallSites(project);
    env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    await mkdir(join(project.home, ".claude"), { recursive: true });
    await writeFile(settings(), JSON.stringify(OWN_SETTINGS));
    for (const args of readmeCommands("claude")) claude(...args);
    told = sessionStart({});
    // The one command that it names, as its user would run it.
    const command = /run once: (.*)"\}\n$/.exec(told)?.[1] ?? "";
    execFileSync("sh", ["-c", command], { cwd: project.root, env });
    const at = (name: string) => join(project.root, name);
    outcome = await runClaudeCode(version, {
      prompt: `${FOCUS} Then list every call site of normalizePath.`,
      cwd: project.root,
      home: project.home,
      env: { JEEVES_STATE_DIR: project.stateDir },
      args: ["--allowedTools", "Grep"],
      script: [
        { call: { tool: "Read" }, with: { file_path: at("src/command.js") } },
        { call: { tool: "Bash" }, with: { command: "npm test", description: "Run the tests" } },
        { call: { tool: "Grep" }, with: { pattern: "normalizePath", path: "lib", output_mode: "content", "-n": true } },
        { say: "Done." },
      ],
    });
  });
  afterAll(() => project?.remove());

  const settings = () => join(project.home, ".claude", "settings.json");
  const claude = (...args: readonly string[]) => execFileSync(version.bin, args, { cwd: ROOT, env, encoding: "utf8" });
  const text = (index: number) => outcome.seen.outputs[index]?.parts.join("\n") ?? "";
  const sessionStart = (more: Record<string, string>) =>
    execFileSync("sh", [join(MARKETPLACE, "plugins/jeeves/hooks/session-start")], {
      env: { ...env, CLAUDE_PLUGIN_ROOT: join(MARKETPLACE, "plugins/jeeves"), ...more },
      encoding: "utf8",
    });

  it("is valid by the client's own validator", () => {
    for (const dir of [MARKETPLACE, join(MARKETPLACE, "plugins/jeeves")])
      expect(claude("plugin", "validate", dir)).toContain("Validation passed");
  });

  it("the client starts its server, lists no tool of it, and shows its model nothing of SessionStart", () => {
    expect(outcome.servers).toContainEqual({ name: "plugin:jeeves:jeeves", status: "connected" });
    expect(outcome.seen.tools.filter(({ server }) => server?.includes("jeeves"))).toEqual([]);
    expect(outcome.requests.join("")).not.toContain("run once");
  });

  it("SessionStart names the command that adds the prefix, until there is one", () => {
    expect(told).toContain("init claude-code --commands");
    const { env: own, hooks } = JSON.parse(readFileSync(settings(), "utf8"));
    expect(own.CLAUDE_CODE_SHELL_PREFIX).toMatch(/\/\.local\/share\/jeeves\/bin\/jeeves-exec$/);
    expect(hooks).toBeUndefined();
    expect(sessionStart(own)).toBe("");
    // What the launcher starts may go with an update of the plugin; a prefix of the user's own is not ours to speak of.
    expect(sessionStart({ [PREFIX]: join(project.home, "gone/bin/jeeves-exec") })).toBe(told);
    expect(sessionStart({ [PREFIX]: "/usr/bin/nice" })).toBe("");
    for (const root of ["/a b/$(touch x)", `/it's`, '/a"b', "/a\\b", "/a\nb"]) {
      const said = sessionStart({ CLAUDE_PLUGIN_ROOT: root });
      if (said !== "") expect(JSON.parse(said).systemMessage).toContain(`node '${root}/packages`);
      expect(said === "").toBe(!root.startsWith("/a b"));
    }
  });

  it("a native Read of 1,500 lines reaches the model pruned, and numbered truly", () => {
    const kept = checkCut(unnumbered(text(0)), project.source, { numbered: true });
    expect(kept).toContain(`  ${ANSWER}`);
    expect(kept.length).toBeLessThan(700);
  });

  it("a failing npm test of 20,000 lines keeps every failure and its exit code", () => {
    const [first = "", ...rest] = text(1).split("\n");
    expect(first).toBe("Exit code 1");
    for (const line of FAILURES.flat()) expect(rest).toContain(line);
    expect(text(1).length).toBeLessThanOrEqual(10_000);
    expect(text(1)).not.toContain("characters truncated");
  });

  it("X-58 a search names every match, in full or by its line", () => {
    expect(placesIn(text(2))).toEqual(placesOf(found));
    expect(text(2).length).toBeLessThan(found.join("\n").length * 0.75);
  });

  it("after both are taken out, the client's settings are as before, and nothing of ours is started", () => {
    const jeeves = join(MARKETPLACE, "plugins/jeeves/packages/cli/dist/jeeves.js");
    execFileSync(process.execPath, [jeeves, "init", "claude-code", "--remove"], { cwd: project.root, env });
    claude("plugin", "uninstall", "jeeves@jeeves");
    claude("plugin", "marketplace", "remove", "jeeves");
    // The client's own, which it leaves behind empty.
    const { enabledPlugins = {}, extraKnownMarketplaces = {}, ...rest } = JSON.parse(readFileSync(settings(), "utf8"));
    expect({ enabledPlugins, extraKnownMarketplaces }).toEqual({ enabledPlugins: {}, extraKnownMarketplaces: {} });
    expect(rest).toEqual(OWN_SETTINGS);
    expect(existsSync(join(project.home, ".local/share/jeeves"))).toBe(false);
    expect(claude("mcp", "list")).not.toContain("jeeves");
  });
});
