import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { buildMcpConfig } from "../src/mcpConfig.ts";
import { makeTempDir } from "./scratch.ts";

const PRUNER = fileURLToPath(new URL("../../mcp-pruner/dist/index.js", import.meta.url));
const on = { JEEVES_PRUNER_ENABLED: "true" };
const build = (env: Record<string, string>, from?: string) =>
  buildMcpConfig({ env, cwd: "/some/project", ...(from === undefined ? {} : { from }) });
const issueOf = (env: Record<string, string>, from?: string) => {
  const config = build(env, from);
  return config.kind === "invalid" ? config.issue : undefined;
};
const envOf = (env: Record<string, string>) => {
  const config = build(env);
  return config.kind === "enabled" ? config.mcpServers.pruner.env : undefined;
};

describe("JEEVES_PRUNER_ENABLED", () => {
  it.each(["1", "true", "yes", "on", " TRUE ", "On"])("J-83 %j switches it on", (value) => {
    expect(build({ JEEVES_PRUNER_ENABLED: value }).kind).toBe("enabled");
  });

  it.each(["", "0", "false", "no", "off", "2", "enabled", "y"])("J-83 %j leaves it off", (value) => {
    expect(build({ JEEVES_PRUNER_ENABLED: value })).toEqual({ kind: "disabled" });
  });

  it("J-83 unset is off, whatever else is set", () => {
    expect(build({ JEEVES_PRUNER_URL: "nonsense", JEEVES_MCP_PRUNER_PATH: "/nowhere" })).toEqual({ kind: "disabled" });
  });
});

describe("JEEVES_PRUNER_URL", () => {
  it("J-84 unset forwards the default address", () => {
    expect(envOf(on)?.PRUNER_URL).toBe("http://localhost:8000/prune");
  });

  it.each(["", "http://localhost:9/p", "HTTPS://example.org/x?y=1#z"])("J-84 %j is forwarded verbatim", (url) => {
    expect(envOf({ ...on, JEEVES_PRUNER_URL: url })?.PRUNER_URL).toBe(url);
  });

  it.each(["/prune", "localhost:8000", "ftp://host/x", "http:host", "http://", " ", "file:///x"])(
    "J-84 %j is invalid, and named",
    (url) => {
      expect(issueOf({ ...on, JEEVES_PRUNER_URL: url })).toEqual({
        name: "JEEVES_PRUNER_URL",
        value: url,
        expected: expect.stringMatching(/http: or https:/),
      });
    },
  );
});

describe("the entry", () => {
  it("J-85 JEEVES_MCP_PRUNER_PATH names the file, and a relative one is made absolute", async () => {
    const file = join(await makeTempDir(), "own.js");
    await writeFile(file, "");
    const config = build({ ...on, JEEVES_MCP_PRUNER_PATH: file });
    expect(config).toMatchObject({ mcpServers: { pruner: { args: [file] } } });
    const relative = build({ ...on, JEEVES_MCP_PRUNER_PATH: "package.json" });
    expect(relative).toMatchObject({ mcpServers: { pruner: { args: [join(process.cwd(), "package.json")] } } });
  });

  it("J-85 a path that is no file is invalid, and named", async () => {
    const dir = await makeTempDir();
    for (const path of [dir, join(dir, "not-there.js"), join(dir, "x".repeat(300))]) {
      expect(issueOf({ ...on, JEEVES_MCP_PRUNER_PATH: path })).toMatchObject({
        name: "JEEVES_MCP_PRUNER_PATH",
        value: path,
      });
    }
  });

  it("J-86 the installed package comes first, the workspace beside it second, and then it is invalid", async () => {
    const dir = await makeTempDir();
    const from = pathToFileURL(join(dir, "runner", "dist", "index.js")).href;
    expect(issueOf(on, from)?.name).toBe("JEEVES_MCP_PRUNER_PATH");

    const beside = join(dir, "mcp-pruner", "dist", "index.js");
    await mkdir(join(beside, ".."), { recursive: true });
    await writeFile(beside, "");
    expect(build(on, from)).toMatchObject({ mcpServers: { pruner: { args: [beside] } } });

    const scope = join(dir, "node_modules", "@jeeves");
    await mkdir(scope, { recursive: true });
    await symlink(fileURLToPath(new URL("../../mcp-pruner", import.meta.url)), join(scope, "mcp-pruner"));
    expect(build(on, from)).toMatchObject({ mcpServers: { pruner: { args: [PRUNER] } } });
  });
});

it("J-88 the record is exactly node, the entry, PRUNER_URL and the run's directory", () => {
  expect(build(on)).toStrictEqual({
    kind: "enabled",
    mcpServers: {
      pruner: {
        command: "node",
        args: [PRUNER],
        env: { PRUNER_URL: "http://localhost:8000/prune", MCP_PRUNER_CWD: "/some/project" },
      },
    },
  });
});

it("J-91 the server's own variables in the runner's environment decide nothing", () => {
  expect(envOf({ ...on, PRUNER_URL: "http://elsewhere/", MCP_PRUNER_CWD: "/elsewhere" })).toEqual({
    PRUNER_URL: "http://localhost:8000/prune",
    MCP_PRUNER_CWD: "/some/project",
  });
});

it("J-03 the runner depends on mcp-pruner, and mcp-pruner knows nothing of the runner", async () => {
  const manifest = async (part: string) =>
    JSON.parse(await readFile(new URL(`../../${part}/package.json`, import.meta.url), "utf8"));
  expect((await manifest("runner")).dependencies).toHaveProperty("@jeeves/mcp-pruner");
  expect(JSON.stringify(await manifest("mcp-pruner"))).not.toContain("@jeeves/runner");
});
