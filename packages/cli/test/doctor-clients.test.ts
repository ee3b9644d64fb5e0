// What `jeeves doctor` says of the clients, and what --fix mends, on the built bin with stand-ins for their programs.
import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findSystemPerl } from "@jeeves/base";
import { codexHookHash } from "@jeeves/runner";
import { expect, it } from "vitest";
import { geminiExtension } from "../src/plugins/gemini.ts";
import { opencodePlugin } from "../src/plugins/opencode.ts";
import type { PluginFiles } from "../src/plugins/plugin-files.ts";
import { doctor, install } from "./doctor-given.ts";
import { at, jeeves, json, put } from "./init-given.ts";

const hasPerl = (await findSystemPerl()) !== undefined;
const { JEEVES_TEST_HIDE: HIDDEN } = process.env;

const CLAUDE_PLUGIN = '{"version":2,"plugins":{"jeeves@jeeves":[{"scope":"user"}]}}';

it("a version that is newer than those that were tried is said, an older one is a note; neither is a failure", () => {
  install("codex", "0.170.0");
  install("gemini", "0.40.0");
  for (const client of ["codex", "gemini"]) expect(jeeves("init", client).status).toBe(0);
  const { status, of } = doctor();
  expect(status).toBe(0);
  expect(of("codex")?.found).toContain("0.170.0 (newer than 0.166, the newest that was tried), connected");
  expect(of("gemini cli")).toMatchObject({ state: "note", found: expect.stringContaining("older than 0.61") });
});

it("a plugin beside a direct set-up is bad, and --fix takes the direct one out", () => {
  install("claude", "2.1.325");
  put("home/.claude/settings.json", '{\n  "enabledPlugins": { "jeeves@jeeves": true }\n}\n');
  const before = readFileSync(at("home/.claude/settings.json"), "utf8");
  put("home/.claude/settings.json", before.replace("true", "false"));
  expect(jeeves("init", "claude-code").status).toBe(0);
  put("home/.claude/settings.json", readFileSync(at("home/.claude/settings.json"), "utf8").replace("false", "true"));
  put("home/.claude/plugins/installed_plugins.json", CLAUDE_PLUGIN);
  const twice = doctor();
  expect(twice.status).toBe(1);
  expect(twice.of("claude code")).toMatchObject({
    state: "bad",
    found: "2.1.325, set up twice: in its settings and by the plugin jeeves@jeeves",
    mend: "jeeves init claude-code --remove, or claude plugin uninstall jeeves@jeeves",
    can_fix: true,
  });
  const fixed = doctor("--fix");
  expect(fixed.status).toBe(0);
  expect(fixed.fixed).toEqual([expect.stringContaining("Claude Code keeps the plugin")]);
  expect(existsSync(at("home/.claude.json"))).toBe(false);
  expect(readFileSync(at("home/.claude/settings.json"), "utf8")).toBe(before);
  put("home/.claude/settings.json", '{"enabledPlugins": {"jeeves@jeeves": false}}');
  expect(doctor().of("claude code")).toMatchObject({ state: "note", found: "2.1.325, not connected" });
});

const ABOUT = { name: "jeeves", version: "0.2.0", description: "", license: "MIT", keywords: [] };

/** A plugin's own files, and the package that it carries. */
function putPlugin(dir: string, files: PluginFiles): void {
  for (const [path, text] of Object.entries(files)) put(`${dir}/${path}`, text);
  symlinkSync(fileURLToPath(new URL("../..", import.meta.url)), at(`${dir}/packages`));
}

it("doctor tried nothing through Gemini's extension, and called one whose hook does nothing connected", () => {
  install("gemini", "0.61.0");
  putPlugin("extension", geminiExtension(ABOUT));
  const installed = JSON.stringify({ type: "link", source: at("extension") });
  put("home/.gemini/extensions/jeeves/.gemini-extension-install.json", installed);
  const way = "0.61.0, connected by the plugin jeeves";
  expect(doctor().of("gemini cli")?.found).toMatch(
    new RegExp(`^${way}; tried: 2008 lines of a command, by its hook → \\d+$`),
  );
  rmSync(at("extension/packages"));
  expect(doctor().of("gemini cli")).toMatchObject({
    state: "bad",
    found: `${way}, but a try failed: a command, by its hook came back whole: 2008 lines`,
    mend: "gemini extensions uninstall jeeves, then install it again",
  });
});

it("opencode's plugin is found by the path in its settings; beside a direct set-up it is bad", () => {
  install("opencode", "1.18.0");
  putPlugin("jeeves", opencodePlugin(ABOUT, { node: ">=20" }));
  put("other/package.json", '{"name": "other"}');
  const settings = "home/.config/opencode/opencode.jsonc";
  put(settings, '{\n  // mine\n  "plugin": ["../../../other", "file:///gone.js", "jeeves-like@1"]\n}\n');
  expect(doctor().of("opencode")).toMatchObject({ state: "note", found: "1.18.0, not connected" });
  for (const entry of [at("jeeves"), "../../../jeeves/opencode.js", pathToFileURL(at("jeeves/opencode.js")).href]) {
    put(settings, `{"plugin": ["other", ["${entry}", {}]]}`);
    const check = doctor().of("opencode");
    expect(check?.found).toMatch(
      /^1\.18\.0, connected by the plugin jeeves; tried: 2008 lines of a command, by its plugin → \d+$/,
    );
    expect(check?.state).toBe("good");
  }
  const named = readFileSync(at(settings), "utf8");
  put(settings, "{}");
  expect(jeeves("init", "opencode").status).toBe(0);
  put(settings, named);
  expect(doctor().of("opencode")).toMatchObject({
    state: "bad",
    mend: expect.stringMatching(
      /^jeeves init opencode --remove, or take "file:.*" out of "plugin" in .*opencode\.jsonc$/,
    ),
  });
  expect(doctor("--fix").status).toBe(0);
  expect(existsSync(at("home/.config/opencode/plugin/jeeves.js"))).toBe(false);
});

it("a plugin of opencode that fails is bad, with its exit code and its error", () => {
  install("opencode", "1.18.0");
  putPlugin("jeeves", opencodePlugin(ABOUT, { node: ">=20" }));
  put("home/.config/opencode/opencode.json", `{"plugin": ["${at("jeeves")}"]}`);
  for (const [code, fault] of [
    [`throw new TypeError("no ${"x".repeat(1_000)}");\n`, /exit code 1: TypeError: no x{200,290}…?$/],
    ["process.exit(3);\n", /exit code 3, and printed nothing$/],
    ["process.exit(0);\n", /exit code 0, and printed nothing$/],
  ] as const) {
    put("jeeves/opencode.js", `export default () => {};\n${code}`);
    const check = doctor().of("opencode");
    expect(check?.state).toBe("bad");
    expect(check?.found).toMatch(/, but a try failed: the plugin ended with exit code/);
    expect(check?.found).toMatch(fault);
  }
});

it("a damaged package.json of opencode's plugin is bad, and the other checks are made all the same", () => {
  install("opencode", "1.18.0");
  putPlugin("jeeves", opencodePlugin(ABOUT, { node: ">=20" }));
  put("jeeves/package.json", '{"name": "jeeves", "main": "opencode.js",}');
  put("home/.config/opencode/opencode.json", JSON.stringify({ plugin: [at("jeeves")] }));
  const { status, of } = doctor();
  expect(status).toBe(1);
  expect(of("opencode")).toMatchObject({ state: "bad", found: expect.stringContaining("but a try failed") });
  expect(of("node")?.state).toBe("good");
});

it("hooks of Gemini CLI and opencode that only count are a note", () => {
  install("gemini", "0.61.0");
  install("opencode", "1.18.0");
  for (const client of ["gemini", "opencode"]) expect(jeeves("init", client, "--shadow").status).toBe(0);
  for (const name of ["gemini cli", "opencode"])
    expect(doctor().of(name)).toMatchObject({
      state: "note",
      found: expect.stringContaining("its settings say shadow"),
    });
});

it("Codex' hooks are not trusted until config.toml says so, each by its place", () => {
  install("codex", "0.166.0");
  expect(doctor().of("codex hooks")).toBeUndefined();
  expect(jeeves("init", "codex").status).toBe(0);
  expect(doctor().of("codex hooks")).toMatchObject({
    state: "note",
    found: "2 of 2 are not trusted: until they are, Codex leaves them out",
    mend: expect.stringContaining("/hooks"),
  });
  const path = "home/.codex/config.toml";
  const before = readFileSync(at(path), "utf8");
  const trust = (moment: string, hash: string) =>
    `\n[hooks.state."${at("home/.codex/hooks.json")}:${moment}:0:0"]\ntrusted_hash = "${hash}"\n`;
  const { PreToolUse, PostToolUse } = json("home/.codex/hooks.json").hooks;
  const hashes = [
    codexHookHash("pre_tool_use", PreToolUse[0].matcher, PreToolUse[0].hooks[0]),
    codexHookHash("post_tool_use", PostToolUse[0].matcher, PostToolUse[0].hooks[0]),
  ] as const;
  put(path, before + trust("pre_tool_use", hashes[0]));
  expect(doctor().of("codex hooks")?.found).toContain("1 of 2 are not trusted: until");
  put(path, before + trust("pre_tool_use", hashes[0]) + trust("post_tool_use", "sha256:0"));
  expect(doctor().of("codex hooks")?.found).toContain("1 of 2 are not trusted, or changed since they were");
  put(path, before + trust("pre_tool_use", hashes[0]) + trust("post_tool_use", hashes[1]));
  expect(doctor().of("codex hooks")).toMatchObject({ state: "good", found: "trusted" });
});

it("a shell prefix of another tool is named, where our hooks are set up", () => {
  put("home/.claude/settings.json", '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/other/wrap"}}');
  expect(doctor().of("shell prefix")).toBeUndefined();
  expect(jeeves("init", "claude-code").status).toBe(0);
  expect(json("home/.claude/settings.json").env.CLAUDE_CODE_SHELL_PREFIX).toBe("/opt/other/wrap");
  expect(doctor().of("shell prefix")).toMatchObject({
    state: "note",
    found: `Claude Code: commands are not cut: ${at("home/.claude/settings.json")} names /opt/other/wrap as CLAUDE_CODE_SHELL_PREFIX`,
  });
});

it("a second installation of another version on the PATH is named", () => {
  install("jeeves", "0.0.9");
  expect(doctor().of("other installation")).toMatchObject({
    state: "note",
    found: expect.stringMatching(/bin\/jeeves, the one that your shell starts, is version 0\.0\.9, this is \d/),
  });
});

it("--fix writes launchers again that lead nowhere, and closes an open state directory", () => {
  expect(jeeves("init", "gemini").status).toBe(0);
  const link = at("home/.local/share/jeeves/installation");
  const installation = readlinkSync(link);
  rmSync(link);
  symlinkSync("/gone/packages", link);
  put("state/mode", "on\n");
  chmodSync(at("state"), 0o755);
  expect(doctor()).toMatchObject({ status: 1 });
  const { status, fixed, of } = doctor("--fix");
  expect(status).toBe(0);
  expect(fixed).toHaveLength(2);
  expect(of("launchers")?.state).toBe("good");
  expect(readlinkSync(link)).toBe(installation);
  expect(statSync(at("state")).mode & 0o777).toBe(0o700);
  expect(jeeves("doctor", "--fix").stdout).toContain("nothing that can be mended safely");
});

it.runIf(hasPerl)(
  "doctor said connected of settings that cut nothing: it makes one cut through each client's own path",
  () => {
    for (const [name, version] of [
      ["claude", "2.1.325"],
      ["gemini", "0.61.0"],
      ["opencode", "1.18.0"],
    ] as const)
      install(name, version);
    for (const client of ["claude-code", "gemini", "opencode"]) expect(jeeves("init", client).status).toBe(0);
    const first = doctor();
    expect(first.status).toBe(0);
    for (const name of ["claude code", "gemini cli", "opencode"])
      expect(first.of(name)).toMatchObject({
        state: "good",
        found: expect.stringMatching(/, connected; tried: 2008 lines of .* → 1\d$/),
      });
    // Nothing of the try counts or stays.
    expect(existsSync(at("state/meter"))).toBe(false);
    expect(readdirSync(at("tmp"))).toEqual([]);
    put("home/.local/share/jeeves/bin/jeeves-exec", '#!/bin/sh\n# jeeves\nexec /bin/sh -c "$1"\n');
    chmodSync(at("home/.local/share/jeeves/bin/jeeves-exec"), 0o755);
    const broken = doctor();
    expect(broken.status).toBe(1);
    expect(broken.of("claude code")).toMatchObject({
      state: "bad",
      found: expect.stringContaining("a try failed: a command came back whole: 2008 lines"),
    });
  },
);

it("a machine without Perl was told to call init again", () => {
  install("claude", "2.1.325");
  expect(jeeves("init", "claude-code").status).toBe(0);
  process.env.JEEVES_TEST_HIDE = "perl";
  try {
    expect(doctor().of("claude code")).toMatchObject({
      state: "bad",
      found: "2.1.325, connected, but a try failed: commands are shown whole, because there is no Perl",
      mend: "install perl",
    });
  } finally {
    if (HIDDEN === undefined) delete process.env.JEEVES_TEST_HIDE;
    else process.env.JEEVES_TEST_HIDE = HIDDEN;
  }
});

it("Codex with hooks that are not trusted was connected: nothing is cut until they are", () => {
  install("codex", "0.166.0");
  expect(jeeves("init", "codex").status).toBe(0);
  expect(doctor().of("codex")).toMatchObject({
    state: "note",
    found: "0.166.0, connected, but its hooks are not trusted: nothing is cut until they are",
    mend: "start codex and say yes in its /hooks",
  });
});

it("the hooks of Codex' plugin were never looked at: they are trusted by the plugin's name", () => {
  install("codex", "0.166.0");
  const plugin = '[plugins."jeeves@shop"]\nenabled = true\n';
  put("home/.codex/config.toml", plugin);
  const call = { type: "mcp_tool", server: "jeeves", tool: "jeeves_hook", input: {} };
  const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [call] }] };
  put("home/.codex/plugins/cache/shop/jeeves/0.2.0/hooks/hooks.json", JSON.stringify({ hooks }));
  expect(doctor().of("codex hooks")?.found).toContain("1 of 1 are not trusted");
  expect(doctor().of("codex")).toMatchObject({
    state: "note",
    found: expect.stringContaining("connected by the plugin jeeves@shop, but its hooks are not trusted"),
  });
  const hash = codexHookHash("pre_tool_use", "Bash", call);
  const state = `\n[hooks.state."jeeves@shop:hooks/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "${hash}/sha256:1"\n`;
  put("home/.codex/config.toml", plugin + state);
  expect(doctor().of("codex hooks")).toMatchObject({ state: "good" });
  expect(doctor().of("codex")).toMatchObject({ state: "good" });
});

it("Claude Code's plugin without the shell prefix was all good: that commands are not cut is said", () => {
  install("claude", "2.1.325");
  put("home/.claude/plugins/installed_plugins.json", CLAUDE_PLUGIN);
  expect(doctor().of("claude code")).toMatchObject({
    state: "note",
    found: "2.1.325, connected by the plugin jeeves@jeeves; commands are not cut yet",
    mend: "jeeves init claude-code --commands",
  });
  expect(jeeves("init", "claude-code", "--commands").status).toBe(0);
  expect(doctor().of("claude code")).toMatchObject({ state: "good" });
});

it("another tool's shell prefix beside Claude Code's plugin was not said, and init claimed that commands are cut", () => {
  install("claude", "2.1.325");
  put("home/.claude/plugins/installed_plugins.json", CLAUDE_PLUGIN);
  const settings = put("home/.claude/settings.json", '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/wrap"}}');
  const found = `commands are not cut: ${at("home/.claude/settings.json")} names /opt/wrap as CLAUDE_CODE_SHELL_PREFIX`;
  const done = jeeves("init", "claude-code", "--commands");
  expect(done).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining(`jeeves: ${found}\n`) });
  expect(readFileSync(at("home/.claude/settings.json"), "utf8")).toBe(settings);
  expect(doctor().of("shell prefix")).toMatchObject({ state: "note", found: `Claude Code: ${found}` });
});

it("doctor tried nothing where another tool has the shell prefix: a Read goes through the hook", () => {
  install("claude", "2.1.325");
  put("home/.claude/settings.json", '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/wrap"}}');
  // The server of a project is among the project's entries.
  for (const scope of [["--project"], []]) {
    expect(jeeves("init", "claude-code", ...scope).status).toBe(0);
    const check = doctor().of("claude code");
    expect(check?.found).toMatch(/^2\.1\.325, connected; tried: 2008 lines of a Read, by its hook → \d+$/);
    expect(check?.state).toBe("good");
  }
});

it("doctor tried nothing through a plugin, and called one that does not start connected", () => {
  install("claude", "2.1.325");
  const server = { command: "node", args: [`\${CLAUDE_PLUGIN_ROOT}/server.mjs`], env: { MCP_PRUNER_TOOLS: "none" } };
  put("plugin/.mcp.json", JSON.stringify({ mcpServers: { jeeves: server } }));
  put(
    "plugin/server.mjs",
    `await import(${JSON.stringify(new URL("../../mcp-pruner/dist/index.js", import.meta.url))});`,
  );
  const plugins = { "jeeves@jeeves": [{ scope: "user", installPath: at("plugin") }] };
  put("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 2, plugins }));
  const way = "2.1.325, connected by the plugin jeeves@jeeves";
  expect(doctor().of("claude code")?.found).toMatch(
    new RegExp(`^${way}; tried: 2008 lines of a Read, by its hook → \\d+; commands are not cut yet$`),
  );
  put("plugin/server.mjs", "process.exit(1);");
  expect(doctor().of("claude code")).toMatchObject({
    state: "bad",
    found: expect.stringContaining(`${way}, but a try failed: `),
    mend: "claude plugin uninstall jeeves@jeeves, then install it again",
  });
});

it.runIf(hasPerl)(
  "an older client was called connected, whatever came of a cut and whether or not its hooks are trusted",
  () => {
    install("claude", "2.1.50");
    install("codex", "0.130.0");
    for (const client of ["claude-code", "codex"]) expect(jeeves("init", client).status).toBe(0);
    const { of } = doctor();
    expect(of("claude code")?.found).toMatch(
      /connected; tried: 2008 lines of a command → \d+, but older than 2\.1\.197/,
    );
    expect(of("codex")?.found).toContain("its hooks are not trusted: nothing is cut until they are");
  },
);

it("init wrote a second set-up beside an installed plugin", () => {
  put("home/.claude/plugins/installed_plugins.json", CLAUDE_PLUGIN);
  put("home/.codex/config.toml", '[plugins."jeeves@jeeves"]\nenabled = true\n');
  put("home/.gemini/extensions/jeeves/gemini-extension.json", "{}");
  put("home/.config/opencode/opencode.json", '{"plugin": ["jeeves"]}');
  const before = readdirSync(at("home"), { recursive: true });
  for (const client of ["claude-code", "codex", "gemini", "opencode"]) {
    const done = jeeves("init", client);
    expect(done).toMatchObject({ status: 2, stdout: "" });
    expect(done.stderr).toMatch(/^jeeves: .* has the plugin jeeves.*, which does the same.*\n.*nothing was changed\n$/);
  }
  expect(readdirSync(at("home"), { recursive: true })).toEqual(before);
});

it.each([
  ["a comment", '{\n  "a": 1,\n  // mine\n  "b": 2\n}\n', (text: string) => text.replace("\n", "\n// mine\n")],
  ["a trailing comma", '{\n  "a": 1,\n}\n', (text: string) => text.replace(/\n\}\n$/, ",\n}\n")],
])("Claude Code ignores a settings.json with %s, and ours was written into it", (what, text, spoiled) => {
  install("claude", "2.1.325");
  expect(jeeves("init", "claude-code").status).toBe(0);
  const path = at("home/.claude/settings.json");
  put("home/.claude/settings.json", spoiled(readFileSync(path, "utf8")));
  expect(doctor().of("claude code")).toMatchObject({
    state: "bad",
    found: expect.stringMatching(/settings\.json has a .*: Claude Code ignores every setting in such a file/),
  });
  put("home/.claude/settings.json", text);
  const done = jeeves("init", "claude-code");
  expect(done).toMatchObject({ status: 2, stdout: "" });
  expect(done.stderr).toContain(`${path} has ${what} in line 3: Claude Code ignores every setting in such a file`);
  expect(readFileSync(path, "utf8")).toBe(text);
});

it("Gemini CLI does not start with a trailing comma, and comments do it no harm", () => {
  install("gemini", "0.61.0");
  const loose = put("home/.gemini/settings.json", '{\n  // mine\n  "ui": {}, // late\n}\n');
  const refused = jeeves("init", "gemini");
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toContain("has a trailing comma in line 4: Gemini CLI does not start with such a file");
  put("home/.gemini/settings.json", loose.replace("{},", "{}"));
  expect(jeeves("init", "gemini").status).toBe(0);
  const ours = readFileSync(at("home/.gemini/settings.json"), "utf8");
  expect(doctor().of("gemini cli")?.state).toBe("good");
  put("home/.gemini/settings.json", ours.replace(/\n\}\n$/, ",\n}\n"));
  expect(doctor().of("gemini cli")).toMatchObject({ state: "bad", found: expect.stringContaining("does not start") });
});

it("the version of a client that is an npm package is read there, and the client is not started", () => {
  const dir = at("home/lib/node_modules/@google/gemini-cli");
  const bin = { gemini: "bundle/gemini.js" };
  put("home/lib/node_modules/@google/gemini-cli/package.json", JSON.stringify({ version: "0.61.7", bin }));
  install("gemini", "9.9.9");
  put("home/lib/node_modules/@google/gemini-cli/bundle/gemini.js", `#!/bin/sh\ntouch '${at("home/started")}'\n`);
  chmodSync(join(dir, bin.gemini), 0o755);
  rmSync(at("bin/gemini"));
  symlinkSync(join(dir, bin.gemini), at("bin/gemini"));
  expect(doctor().of("gemini cli")?.found).toContain("0.61.7");
  expect(existsSync(at("home/started"))).toBe(false);
  // A package that has the program only somewhere below it says nothing about it.
  put("home/lib/node_modules/@google/gemini-cli/package.json", JSON.stringify({ version: "0.61.7" }));
  expect(doctor().of("gemini cli")?.found).not.toContain("0.61.7");
  expect(existsSync(at("home/started"))).toBe(true);
});
