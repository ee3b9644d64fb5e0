// X-61 through the real server: the client's own rules, read call by call, for the client that says its name.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTempDir, type Server, startServer } from "./server-under-test.ts";

let dir = "";
let remove: () => Promise<void>;
let server: Server | undefined;
beforeEach(async () => {
  const made = await makeTempDir();
  [dir, remove] = [made.path, made.remove];
  put("project/.env", "SECRET=sesame\n");
  put("project/a.txt", "sesame in the open\n");
  put("project/sub/keys/k.pem", "sesame key\n");
});
afterEach(async () => {
  await server?.stop();
  await remove();
});

function put(path: string, content: string): string {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
  return join(dir, path);
}

async function start(clientName: string, env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const HOME = join(dir, "home");
  const XDG_CONFIG_HOME = join(HOME, ".config");
  const own = { HOME, XDG_CONFIG_HOME, CODEX_HOME: join(HOME, ".codex"), ...env };
  server = await startServer({ root: join(dir, "project"), stateDir: join(dir, "state"), clientName, env: own });
  return server;
}

async function textOf(tool: string, args: object): Promise<string> {
  const result = await server?.call(tool, args);
  return result.content.map((item: { readonly text: string }) => item.text).join("\n");
}

const SETTINGS = {
  "claude-code": ["project/.claude/settings.json", '{"permissions":{"deny":["Read(./.env)"]}}'],
  "codex-mcp-client": ["home/.codex/config.toml", '[permissions.p.filesystem.":project_roots"]\n"**/.env" = "deny"\n'],
  opencode: ["project/.opencode/opencode.json", '{"permission":{"read":{".env":"deny"}}}'],
} as const;

describe.each(Object.entries(SETTINGS))("%s", (client, [file, content]) => {
  it("X-61 a rule that is written while the session runs holds with the next call, for read and for grep, until it goes", async () => {
    await start(client);
    // opencode asks about .env files by default.
    const openFile = { file_path: client === "opencode" ? "a.txt" : ".env" };
    expect(await textOf("read", openFile)).toContain("sesame");
    const path = put(file, content);
    const refusal = await textOf("read", { file_path: ".env" });
    expect(refusal).toContain(path);
    expect(refusal).not.toContain("sesame");
    const found = await textOf("grep", { pattern: "sesame" });
    expect(found).toContain("a.txt:1:");
    expect(found).not.toContain("SECRET");
    expect(await textOf("grep", { pattern: "sesame", path: ".env" })).toContain(path);
    rmSync(path);
    expect(await textOf("read", openFile)).toContain("sesame");
  });

  it("X-61 the rules of other clients do not hold for it, but all of them for a client that is not known", async () => {
    for (const [other, [otherFile, otherContent]] of Object.entries(SETTINGS))
      if (other !== client) put(otherFile, otherContent.replaceAll(".env", "a.txt"));
    await start(client);
    expect(await textOf("read", { file_path: "a.txt" })).toContain("sesame");
    await server?.stop();
    await start("another-client");
    expect(await textOf("read", { file_path: "a.txt" })).not.toContain("sesame");
  });
});

it("X-61 opencode: an agent's front matter and a variable hold, and a search that is denied is not made", async () => {
  const file = put("project/.opencode/agent/build.md", '---\npermission:\n  read:\n    "sub/*": deny\n---\n');
  await start("opencode", { OPENCODE_PERMISSION: '{"grep":{"ses*":"deny"}}' });
  expect(await textOf("read", { file_path: "sub/keys/k.pem" })).toContain(file);
  expect(await textOf("read", { file_path: "a.txt" })).toContain("sesame");
  expect(await textOf("grep", { pattern: "sesame" })).toContain(
    'this search is not allowed: permission grep: "ses*" in OPENCODE_PERMISSION',
  );
  expect(await textOf("grep", { pattern: "open" })).toContain("a.txt:1:");
});

it("X-61 where the client would ask its user, the refusal points to the client's own tool", async () => {
  put("home/.claude/settings.json", '{"permissions":{"ask":["Read(~/../project/.env)","Read(.env)"]}}');
  await start("claude-code");
  const refusal = await textOf("read", { file_path: ".env" });
  expect(refusal).toMatch(/approval.*\n.*your own file reading tool/);
  expect(refusal).not.toContain("sesame");
});

it("X-61 a broken settings file refuses with its name, and is reported once", async () => {
  const path = put("project/.claude/settings.json", "{ oops");
  await start("claude-code");
  for (let turn = 0; turn < 2; turn++) expect(await textOf("read", { file_path: "a.txt" })).toContain(path);
  put("project/.claude/settings.json", "{}");
  expect(await textOf("read", { file_path: "a.txt" })).toContain("sesame");
  const reports = server?.events.filter(({ event }) => event === "mcp_pruner.rule_invalid") ?? [];
  expect(reports).toMatchObject([{ level: "warn", data: { source: path, message: "is not valid JSON" } }]);
});

it("X-61 MCP_PRUNER_DENY knows classes, adds to the client's rules, and names itself", async () => {
  put(...SETTINGS["claude-code"]);
  await start("claude-code", { MCP_PRUNER_DENY: "*.[pk]em" });
  expect(await textOf("read", { file_path: "sub/keys/k.pem" })).toMatch(/\*\.\[pk\]em in MCP_PRUNER_DENY/);
  expect(await textOf("read", { file_path: ".env" })).toContain("settings.json");
  expect(await textOf("grep", { pattern: "sesame" })).not.toMatch(/k\.pem|\.env/);
  expect(server?.events.some(({ event }) => event === "mcp_pruner.config_invalid")).toBe(false);
});

it("X-61 a glob in MCP_PRUNER_DENY that cannot be compiled is said, and denies everything under its literal prefix", async () => {
  await start("claude-code", { MCP_PRUNER_DENY: "sub/*.[pk" });
  const event = await server?.waitForEvent("mcp_pruner.config_invalid");
  expect(event).toMatchObject({ level: "warn", data: { name: "MCP_PRUNER_DENY", value: "sub/*.[pk" } });
  expect(await textOf("read", { file_path: "sub/keys/k.pem" })).not.toContain("sesame");
  expect(await textOf("read", { file_path: "a.txt" })).toContain("sesame");
});

it("X-61 MCP_PRUNER_DENY takes braces with commas in them, and the home directory by its signs", async () => {
  put("project/k.key", "sesame key\n");
  put("project/home-a/x", "sesame a\n");
  put("project/home-b/x", "sesame b\n");
  const globs = "*.{pem,key}, ~/home-a/x,$HOME/home-b";
  await start("claude-code", { MCP_PRUNER_DENY: globs, HOME: join(dir, "project") });
  for (const path of ["sub/keys/k.pem", "k.key", "home-a/x", "home-b/x"])
    expect(await textOf("read", { file_path: path })).toContain("in MCP_PRUNER_DENY");
  expect(await textOf("read", { file_path: "a.txt" })).toContain("sesame");
  expect(server?.events.some(({ event }) => event === "mcp_pruner.config_invalid")).toBe(false);
});

it("X-61 braces in MCP_PRUNER_DENY that do not close are reported, and the globs after them hold", async () => {
  await start("claude-code", { MCP_PRUNER_DENY: "sub/{a,.env" });
  await server?.waitForEvent("mcp_pruner.config_invalid");
  for (const path of ["sub/keys/k.pem", ".env"])
    expect(await textOf("read", { file_path: path })).toContain("in MCP_PRUNER_DENY");
  expect(await textOf("read", { file_path: "a.txt" })).toContain("sesame");
});

it.each(["sub/@(keys|vault)", "sub/!(open)"])(
  "X-61 %s in MCP_PRUNER_DENY is reported, and refuses more",
  async (glob) => {
    await start("claude-code", { MCP_PRUNER_DENY: glob });
    await server?.waitForEvent("mcp_pruner.config_invalid");
    expect(await textOf("read", { file_path: "sub/keys/k.pem" })).toContain("in MCP_PRUNER_DENY");
    expect(await textOf("read", { file_path: "a.txt" })).toContain("sesame");
  },
);
