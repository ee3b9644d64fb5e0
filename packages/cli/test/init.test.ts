import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { at, jeeves, json, put } from "./init-given.ts";

const FILES: Readonly<Record<string, Readonly<Partial<Record<"user" | "project", readonly string[]>>>>> = {
  "claude-code": {
    user: ["home/.claude.json", "home/.claude/settings.json"],
    project: ["home/.claude.json", "project/.claude/settings.local.json"],
  },
  codex: { user: ["home/.codex/hooks.json"], project: ["project/.codex/hooks.json"] },
  gemini: { user: ["home/.gemini/settings.json"], project: ["project/.gemini/settings.json"] },
  "lm-studio": { user: ["home/.lmstudio/mcp.json"] },
  opencode: { user: ["home/.config/opencode/opencode.json"], project: ["project/opencode.json"] },
};
const CASES = Object.entries(FILES).flatMap(([client, scopes]) =>
  Object.entries(scopes).map(([scope, files]) => ({ client, scope, files })),
);

/** All that can be set up for a client whose hooks and server stand in different files. */
const init = (client: string, ...flags: readonly string[]) =>
  jeeves("init", client, ...flags, ...(["gemini", "opencode"].includes(client) ? ["--both"] : []));

describe.each(CASES)("jeeves init $client --$scope", ({ client, scope, files }) => {
  it("keeps what is there, is the same when it is done twice, and --remove brings back every byte", () => {
    const before = files.map((path) =>
      put(path, `{\n\t"mine": [1,2],   "hooks": {"PreToolUse": [{"matcher": "X", "hooks": []}]}}`),
    );
    expect(init(client, `--${scope}`)).toMatchObject({ status: 0 });
    const once = files.map((path) => readFileSync(at(path), "utf8"));
    for (const path of files)
      expect(json(path)).toMatchObject({
        mine: [1, 2],
        hooks: { PreToolUse: expect.arrayContaining([{ matcher: "X", hooks: [] }]) },
      });
    expect(once.join()).toContain("jeeves");
    expect(init(client, `--${scope}`).stdout).toContain("nothing to do");
    expect(files.map((path) => readFileSync(at(path), "utf8"))).toEqual(once);
    expect(init(client, `--${scope}`, "--remove").status).toBe(0);
    expect(files.map((path) => readFileSync(at(path), "utf8"))).toEqual(before);
    for (const path of files) expect(existsSync(at(`${path}.jeeves-backup`))).toBe(false);
  });

  it("makes the files where there are none, and --remove takes them away", () => {
    expect(init(client, `--${scope}`).status).toBe(0);
    for (const path of files) expect(existsSync(at(path))).toBe(true);
    expect(init(client, `--${scope}`).stdout).toContain("nothing to do");
    const { stdout } = init(client, `--${scope}`, "--remove");
    for (const path of files) expect(stdout).toContain(`removed  ${at(path)}\n`);
    // A copy of the project would still name the launcher of its commands.
    if (client === "claude-code" && scope === "project") {
      expect(readdirSync(at("home/.local/share/jeeves"), { recursive: true })).toEqual(["bin", "bin/jeeves-exec"]);
      rmSync(at("home/.local"), { recursive: true });
    }
    for (const place of ["home", "project"]) expect(readdirSync(at(place))).toEqual([]);
  });

  it("--print writes nothing", () => {
    const { status, stdout } = init(client, `--${scope}`, "--print");
    expect(status).toBe(0);
    expect(stdout).toContain("MCP_PRUNER_TOOLS");
    for (const path of files) expect(existsSync(at(path))).toBe(false);
  });

  it("leaves a file that is not JSON untouched: exit code 2, and where it broke; writes through a link", () => {
    const [path = ""] = files.slice(-1);
    const broken = put(path, '{\n  "a": 1,\n  oops\n}\n');
    const refused = init(client, `--${scope}`);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("line 3");
    expect(readFileSync(at(path), "utf8")).toBe(broken);
    for (const other of files.slice(0, -1)) expect(existsSync(at(other))).toBe(false);
    rmSync(at(path));
    const real = put("elsewhere.json", "{}\n");
    symlinkSync(at("elsewhere.json"), at(path));
    expect(init(client, `--${scope}`).stdout).toContain(`written  ${at(path)} (a link to `);
    expect(lstatSync(at(path)).isSymbolicLink()).toBe(true);
    expect(readFileSync(at("elsewhere.json"), "utf8")).toContain("jeeves");
    expect(readdirSync(at("."))).not.toContain("elsewhere.json.jeeves-backup");
    expect(init(client, `--${scope}`, "--remove").status).toBe(0);
    expect(readFileSync(at("elsewhere.json"), "utf8")).toBe(real);
    expect(lstatSync(at(path)).isSymbolicLink()).toBe(true);
  });
});

describe("jeeves init", () => {
  it("what the user changed afterwards stays when ours goes", () => {
    put("home/.claude/settings.json", '{"model":"opus"}');
    jeeves("init", "claude-code");
    const settings = json("home/.claude/settings.json");
    put("home/.claude/settings.json", JSON.stringify({ ...settings, theme: "dark" }));
    jeeves("init", "claude-code", "--remove");
    expect(json("home/.claude/settings.json")).toEqual({ model: "opus", theme: "dark" });
  });

  it("X-02 X-56 where hooks work no tool is listed by default; --both and --tools list read, grep and recover_text", () => {
    const toolsAfter = (...flags: string[]) => {
      expect(jeeves("init", "claude-code", ...flags).status).toBe(0);
      const { env = {}, permissions } = json("home/.claude/settings.json");
      const { MCP_PRUNER_TOOLS } = json("home/.claude.json").mcpServers.jeeves.env;
      return { tools: MCP_PRUNER_TOOLS, recovery: env.JEEVES_RECOVERY, allowed: permissions?.allow };
    };
    const all = ["read", "grep", "recover_text"];
    const allowed = all.map((tool) => `mcp__jeeves__${tool}`);
    expect(toolsAfter()).toEqual({ tools: "none", recovery: "file", allowed: undefined });
    for (const flag of ["--both", "--tools"])
      expect(toolsAfter(flag)).toEqual({ tools: all.join(), recovery: undefined, allowed });
    expect(toolsAfter("--hooks")).toEqual({ tools: "none", recovery: "file", allowed: undefined });
  });

  it("X-56 Codex lists recover_text beside its hooks, and clients without hooks all tools", () => {
    jeeves("init", "codex");
    expect(readFileSync(at("home/.codex/config.toml"), "utf8")).toContain('MCP_PRUNER_TOOLS = "recover_text"');
    jeeves("init", "lm-studio");
    expect(json("home/.lmstudio/mcp.json").mcpServers.jeeves.env.MCP_PRUNER_TOOLS).toBe("read,grep,recover_text");
  });

  it("what an earlier init set up, recover_text beside the hooks, becomes today's form and is taken out by --remove", () => {
    jeeves("init", "claude-code");
    const [servers, settings] = [json("home/.claude.json"), json("home/.claude/settings.json")];
    const today = [structuredClone(servers), structuredClone(settings)];
    servers.mcpServers.jeeves.env.MCP_PRUNER_TOOLS = "recover_text";
    delete settings.env.JEEVES_RECOVERY;
    settings.permissions = { allow: ["mcp__jeeves__recover_text"] };
    for (const args of [[], ["--remove"]]) {
      put("home/.claude.json", JSON.stringify(servers));
      put("home/.claude/settings.json", JSON.stringify(settings));
      expect(jeeves("init", "claude-code", ...args).status).toBe(0);
      if (args.length === 0) expect([json("home/.claude.json"), json("home/.claude/settings.json")]).toEqual(today);
      else
        for (const path of [".claude.json", ".claude/settings.json"])
          expect(existsSync(at(`home/${path}`))).toBe(false);
    }
  });

  it("a JEEVES_RECOVERY of the user's stays", () => {
    put("home/.claude/settings.json", '{"env":{"JEEVES_RECOVERY":"tool"}}');
    jeeves("init", "claude-code");
    expect(json("home/.claude/settings.json").env.JEEVES_RECOVERY).toBe("tool");
    jeeves("init", "claude-code", "--remove");
    expect(json("home/.claude/settings.json")).toEqual({ env: { JEEVES_RECOVERY: "tool" } });
  });

  it("X-61 rules are the server's to read, call by call: init writes none down, and keeps the list that the user wrote", () => {
    put("home/.claude/settings.json", '{"permissions":{"deny":["Read(./.env)"]}}');
    put("home/.config/opencode/opencode.json", '{"permission":{"read":{"*.env":"deny"}}}');
    for (const client of ["claude-code", "opencode", "codex", "gemini"])
      expect(jeeves("init", client, "--both")).toMatchObject({ status: 0, stderr: "" });
    const settings = json("home/.claude.json");
    expect(settings.mcpServers.jeeves.env).not.toHaveProperty("MCP_PRUNER_DENY");
    expect(json("home/.config/opencode/opencode.json").mcp.jeeves.environment).not.toHaveProperty("MCP_PRUNER_DENY");
    settings.mcpServers.jeeves.env.MCP_PRUNER_DENY = "mine/**";
    put("home/.claude.json", JSON.stringify(settings));
    const toml = readFileSync(at("home/.codex/config.toml"), "utf8");
    put("home/.codex/config.toml", toml.replace("env = {", 'env = { MCP_PRUNER_DENY = "mine/**",'));
    jeeves("init", "claude-code", "--hooks");
    jeeves("init", "codex", "--tools");
    expect(json("home/.claude.json").mcpServers.jeeves.env.MCP_PRUNER_DENY).toBe("mine/**");
    expect(readFileSync(at("home/.codex/config.toml"), "utf8")).toContain('MCP_PRUNER_DENY = "mine/**"');
  });

  it("X-61 no permission names the whole store; what an earlier init allowed goes with the next one, and with --remove", () => {
    const store = `Read(/${at("state/store")}/**)`;
    const older = "Read(//home/me/.local/state/jeeves/store/**)";
    const own = '{"permissions":{"allow":["Read(//srv/store/**)"]}}';
    put("home/.claude/settings.json", own);
    jeeves("init", "claude-code");
    const written = json("home/.claude/settings.json");
    expect(JSON.stringify(written)).not.toContain(at("state/store"));
    written.permissions.allow.push(store, older);
    for (const args of [[], ["--remove"]]) {
      put("home/.claude/settings.json", JSON.stringify(written));
      jeeves("init", "claude-code", ...args);
      const { allow } = json("home/.claude/settings.json").permissions;
      expect(allow).toContain("Read(//srv/store/**)");
      expect(allow).not.toContain(store);
      expect(allow).not.toContain(older);
    }
  });

  it.each([
    // Gemini CLI does not start where a comma is left over.
    ["gemini", "project/.gemini/settings.json", ""],
    ["opencode", "project/opencode.json", ","],
  ])("%s: comments, trailing commas and the order of keys stay", (client, path, comma) => {
    const own = put(path, `{\n  // mine\n  "theme": "dark"${comma} // late\n}\n`);
    expect(jeeves("init", client, "--tools", "--project").status).toBe(0);
    const ours = readFileSync(at(path), "utf8");
    expect(ours.startsWith('{\n  // mine\n  "theme": "dark", // late\n  "mcp')).toBe(true);
    expect(ours.endsWith(`\n  }${comma}\n}\n`)).toBe(true);
    expect(jeeves("init", client, "--tools", "--project").stdout).toContain("nothing to do");
    put(path, ours.replace("// mine", "// still mine"));
    expect(jeeves("init", client, "--tools", "--project", "--remove")).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(at(path), "utf8")).toBe(own.replace("// mine", "// still mine"));
  });

  it.each(["lm-studio"])("%s has no hooks: --hooks says so, exit code 2", (client) => {
    const refused = jeeves("init", client, "--hooks");
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toBe(
      `jeeves: LM Studio has no hooks that we can use; nothing was changed\n        jeeves init ${client} sets up our tools\n`,
    );
    for (const flags of [["--both"], ["--tools", "--shadow"]])
      expect(jeeves("init", client, ...flags, "--print")).toMatchObject({ status: 0 });
  });

  it.each([["--project"], ["--project", "--remove"], ["--project", "--print"]])(
    "lm-studio has no settings for a project: %s is refused and changes nothing, exit code 2",
    (...flags) => {
      expect(jeeves("init", "lm-studio").status).toBe(0);
      const before = readFileSync(at("home/.lmstudio/mcp.json"), "utf8");
      const refused = jeeves("init", "lm-studio", ...flags);
      expect(refused).toMatchObject({ status: 2, stdout: "" });
      expect(refused.stderr).toMatch(/^jeeves: LM Studio has no settings for a project, .*; nothing was changed\n/);
      expect(refused.stderr).toContain("--root DIR");
      expect(readFileSync(at("home/.lmstudio/mcp.json"), "utf8")).toBe(before);
      expect(readdirSync(at("project"))).toEqual([]);
    },
  );

  it("--remove where nothing is says where ours is instead", () => {
    expect(jeeves("init", "codex", "--project").status).toBe(0);
    const config = readFileSync(at("project/.codex/config.toml"), "utf8");
    expect(config).toContain("jeeves init codex --project --remove takes this out");
    const other = jeeves("init", "codex", "--remove");
    expect(other).toMatchObject({ status: 0, stderr: "" });
    expect(other.stdout).toContain("nothing of ours is there for this user");
    expect(other.stdout).toContain(
      `${at("project/.codex/config.toml")} has it: jeeves init codex --project --remove\n`,
    );
    expect(readFileSync(at("project/.codex/config.toml"), "utf8")).toBe(config);
    expect(jeeves("init", "codex", "--project", "--remove").status).toBe(0);
    expect(jeeves("init", "codex", "--project", "--remove").stdout).toBe(
      "nothing to do: nothing of ours is there for this directory\n",
    );
  });

  it("--project says that what was written is of this machine alone", () => {
    const words = "paths of this machine";
    expect(jeeves("init", "claude-code", "--project").stdout).toContain(words);
    expect(jeeves("init", "claude-code").stdout).not.toContain(words);
  });

  it("LM Studio gets the pruner and research, and both are told what they may see", () => {
    mkdirSync(at("project/api"));
    const done = jeeves("init", "lm-studio", "--root", "api", "--shadow");
    expect(done.status).toBe(0);
    expect(done.stdout).toContain(`the servers see ${at("project/api")}\n`);
    const { jeeves: pruner, "jeeves-research": research } = json("home/.lmstudio/mcp.json").mcpServers;
    expect(pruner.env).toMatchObject({
      MCP_PRUNER_CWD: at("project/api"),
      MCP_PRUNER_TOOLS: "read,grep,recover_text",
      JEEVES_MODE: "shadow",
    });
    expect(research.args).toEqual(["--root", at("project/api")]);
    expect(jeeves("init", "lm-studio", "--root", "nowhere")).toMatchObject({ status: 2 });
  });

  it("Codex is given both hooks: commands before they run, other servers' results afterwards", () => {
    jeeves("init", "codex");
    const { PreToolUse, PostToolUse } = json("home/.codex/hooks.json").hooks;
    expect(PreToolUse).toMatchObject([{ matcher: "Bash|apply_patch", hooks: [{ server: "jeeves" }] }]);
    expect(PostToolUse).toMatchObject([{ matcher: "mcp__.*", hooks: [{ server: "jeeves" }] }]);
    // Codex silently leaves out a hook that names what its moment does not have.
    expect(PreToolUse[0].hooks[0].input).not.toHaveProperty("tool_response");
    expect(PostToolUse[0].hooks[0].input).toHaveProperty("tool_response");
  });

  it("--hooks, --tools and --shadow set up what they say, and a shell prefix of the user's stays", () => {
    jeeves("init", "claude-code", "--tools");
    expect(json("home/.claude/settings.json").hooks).toBeUndefined();
    jeeves("init", "claude-code", "--hooks", "--shadow");
    expect(json("home/.claude.json").mcpServers.jeeves.env).toMatchObject({
      MCP_PRUNER_TOOLS: "none",
      JEEVES_MODE: "shadow",
    });
    expect(json("home/.claude/settings.json").env.CLAUDE_CODE_SHELL_PREFIX).toMatch(/\/jeeves-exec$/);
    jeeves("init", "claude-code", "--remove");
    put("home/.claude/settings.json", '{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/mine"}}');
    jeeves("init", "claude-code");
    expect(json("home/.claude/settings.json").env.CLAUDE_CODE_SHELL_PREFIX).toBe("/mine");
  });

  it.each([
    ["a shell prefix of the user's", { CLAUDE_CODE_SHELL_PREFIX: "/mine" }],
    ["no environment of the user's", undefined],
  ])("X-52 shadow ends with the next init and with --remove: %s", (_what, env) => {
    const path = "home/.claude/settings.json";
    put(path, JSON.stringify({ env }));
    jeeves("init", "claude-code", "--shadow");
    expect(json(path).env.JEEVES_MODE).toBe("shadow");
    jeeves("init", "claude-code");
    expect(json(path).env).not.toHaveProperty("JEEVES_MODE");
    jeeves("init", "claude-code", "--shadow");
    put(path, JSON.stringify({ ...json(path), theme: "dark" }));
    jeeves("init", "claude-code", "--remove");
    expect(json(path)).toEqual({ env, theme: "dark" });
  });

  it("X-52 a JEEVES_MODE of the user's own stays, and --shadow says so", () => {
    const path = "home/.claude/settings.json";
    put(path, '{"env":{"JEEVES_MODE":"off"}}');
    for (const flags of [[], ["--shadow"], ["--tools"], []]) {
      const done = jeeves("init", "claude-code", ...flags);
      expect(done.stderr.includes("has a JEEVES_MODE of its own, which stays: off")).toBe(flags.includes("--shadow"));
      expect(json(path).env.JEEVES_MODE).toBe("off");
    }
    put(path, JSON.stringify({ ...json(path), theme: "dark" }));
    jeeves("init", "claude-code", "--remove");
    expect(json(path)).toEqual({ env: { JEEVES_MODE: "off" }, theme: "dark" });
  });

  it.each([
    ["an open string", 'a = "x\nb = 1\n', 1],
    ["no value", "a = 1\n\nnonsense\n", 3],
    ["an open list", "a = [1,\n", 2],
    ["a closed list too many", "a = 1]\n", 1],
  ])("Codex' config.toml with %s is left untouched", (_what, text, line) => {
    put("home/.codex/config.toml", text);
    const refused = jeeves("init", "codex");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain(`line ${line}`);
    expect(readFileSync(at("home/.codex/config.toml"), "utf8")).toBe(text);
    expect(existsSync(at("home/.codex/hooks.json"))).toBe(false);
  });

  it("Codex' config.toml that is a link is written through", () => {
    const real = put("dotfiles/config.toml", 'model = "x"\n');
    mkdirSync(at("home/.codex"));
    symlinkSync(at("dotfiles/config.toml"), at("home/.codex/config.toml"));
    expect(jeeves("init", "codex")).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(at("dotfiles/config.toml"), "utf8")).toContain("[mcp_servers.jeeves]");
    expect(jeeves("init", "codex", "--remove").status).toBe(0);
    expect(readFileSync(at("dotfiles/config.toml"), "utf8")).toBe(real);
    expect(lstatSync(at("home/.codex/config.toml")).isSymbolicLink()).toBe(true);
  });

  it("Codex' config.toml keeps every byte, its comments and its mode, around our table", () => {
    const own =
      '# mine\nmodel = "x" # "quoted\nlist = [\n  "a", # b ]\n  \'c\',\n]\ntext = """\nanything = [\n"""\n\n[a.b]\nc = { d = 1 }';
    put("home/.codex/config.toml", own);
    chmodSync(at("home/.codex/config.toml"), 0o640);
    expect(jeeves("init", "codex").status).toBe(0);
    const text = readFileSync(at("home/.codex/config.toml"), "utf8");
    expect(text.startsWith(own)).toBe(true);
    expect(text).toContain("[mcp_servers.jeeves]");
    expect(statSync(at("home/.codex/config.toml")).mode & 0o777).toBe(0o640);
    jeeves("init", "codex", "--remove");
    expect(readFileSync(at("home/.codex/config.toml"), "utf8")).toBe(own);
  });

  it("an unknown client is refused", () => expect(jeeves("init", "emacs").status).toBe(2));
});

it("X-52 jeeves on, shadow and off are one word in the state directory", () => {
  for (const mode of ["shadow", "off", "on"]) {
    expect(jeeves(mode).status).toBe(0);
    expect(readFileSync(at("state/mode"), "utf8")).toBe(`${mode}\n`);
  }
});

describe("hooks of clients that take commands and plugins", () => {
  const launcher = () => at("home/.local/share/jeeves/bin/jeeves-hook");
  const plugin = "home/.config/opencode/plugin/jeeves.js";

  it("X-62 Gemini's are a command that does nothing where the launcher is gone, and list no tool", () => {
    put(
      "home/.gemini/settings.json",
      '{"hooks":{"AfterTool":[{"matcher":"x","hooks":[{"type":"command","command":"mine"}]}]}}',
    );
    jeeves("init", "gemini", "--shadow");
    const { hooks, mcpServers } = json("home/.gemini/settings.json");
    expect(mcpServers).toBeUndefined();
    expect(hooks.AfterTool).toHaveLength(2);
    // A cut that is late is not shown: a busy machine must not decide that.
    const [{ command, timeout }] = hooks.BeforeTool[0].hooks;
    expect(timeout).toBe(60_000);
    expect(command).toContain("JEEVES_MODE=shadow");
    const call = (input: string) => spawnSync("sh", ["-c", command], { input, encoding: "utf8" });
    const small = JSON.stringify({
      hook_event_name: "AfterTool",
      tool_name: "read_file",
      tool_input: {},
      tool_response: {},
    });
    expect(call(small)).toMatchObject({ status: 0, stdout: "", stderr: "" });
    for (const marker of ["⟦… 35 lines 120-154⟧", "(filtered 12 lines)"]) {
      const tool_input = { file_path: "a.txt", content: marker };
      const edit = JSON.stringify({ hook_event_name: "BeforeTool", tool_name: "write_file", tool_input });
      expect(call(edit).stdout, marker).toContain("stands for lines that were left out");
    }
    rmSync(at("home/.local/share/jeeves/installation"));
    expect(call(small.padEnd(20_000))).toMatchObject({ status: 0, stdout: "", stderr: "" });
    rmSync(launcher());
    expect(call(small.padEnd(20_000))).toMatchObject({ status: 0, stdout: "", stderr: "" });
    jeeves("init", "gemini", "--remove");
    expect(json("home/.gemini/settings.json").hooks).toEqual({
      AfterTool: [expect.objectContaining({ matcher: "x" })],
    });
  });

  it("X-62 opencode's are a plugin that loads the rest, does nothing where that is gone, and goes with --remove", async () => {
    jeeves("init", "opencode");
    expect(existsSync(at("home/.config/opencode/opencode.json"))).toBe(false);
    const { default: load } = await import(at(plugin));
    const input = { directory: at("project"), client: {} };
    expect(Object.keys(await load(input))).toEqual(["config", "tool.execute.before", "tool.execute.after"]);
    rmSync(at("home/.local/share/jeeves/lib/opencode-plugin.mjs"));
    const alone = put("alone/jeeves.mjs", readFileSync(at(plugin), "utf8").replace("opencode-plugin.mjs", "gone.mjs"));
    expect(alone).toContain("gone.mjs");
    const { default: bare } = await import(at("alone/jeeves.mjs"));
    expect(await bare(input)).toEqual({});
    jeeves("init", "opencode", "--tools");
    expect(existsSync(at(plugin))).toBe(false);
    expect(json("home/.config/opencode/opencode.json").mcp).toHaveProperty("jeeves");
    jeeves("init", "opencode");
    expect(jeeves("uninstall", "--yes").status).toBe(0);
    expect(existsSync(at(plugin))).toBe(false);
    expect(existsSync(at("home/.local"))).toBe(false);
  });

  it("uninstall takes out what was put into Gemini's directories, and nothing else there", () => {
    const folder = "home/.gemini/tmp/project/jeeves";
    jeeves("init", "gemini");
    put(`${folder}/prn_aaaaaaaaaaaa.txt`, "stored");
    put(`${folder}/shown-0123456789abcdef.txt`, "shown");
    put("home/.gemini/tmp/other/jeeves/mine.txt", "mine");
    expect(jeeves("uninstall", "--yes").stdout).toContain(`removed  ${at(folder)}`);
    expect(readdirSync(at("home/.gemini/tmp"), { recursive: true }).map(String).sort()).toEqual([
      "other",
      "other/jeeves",
      "other/jeeves/mine.txt",
      "project",
    ]);
  });

  it("a plugin of the user's own in the place of ours is left untouched", () => {
    const own = put(plugin, "export default async () => ({});\n");
    expect(jeeves("init", "opencode")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("a plugin of its own"),
    });
    expect(jeeves("init", "opencode", "--remove").status).toBe(0);
    expect(readFileSync(at(plugin), "utf8")).toBe(own);
  });
});
