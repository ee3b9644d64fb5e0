import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { buildExtraServers } from "../../src/wiring/extra-servers.ts";
import { makeTempDir } from "../scratch.ts";

async function install(dir: string, name: string, bin: string): Promise<string> {
  const at = join(dir, "node_modules", "@jeeves", name);
  const entry = join(at, "dist", `${bin}.js`);
  await mkdir(join(at, "dist"), { recursive: true });
  await writeFile(
    join(at, "package.json"),
    JSON.stringify({ name: `@jeeves/${name}`, bin: { [bin]: `./dist/${bin}.js` }, exports: {} }),
  );
  await writeFile(entry, "");
  return entry;
}

it("J-83 JEEVES_MCP adds research and rudder, found by the bin that their package names, and never the pruner", async () => {
  const dir = await makeTempDir();
  const from = pathToFileURL(join(dir, "runner.js")).href;
  const research = await install(dir, "research", "mcp-research");
  const rudder = await install(dir, "rudder", "rudder-server");
  const build = (list: string) => buildExtraServers({ env: { JEEVES_MCP: list }, cwd: "/project", from });
  expect(build(" research ,RUDDER,pruner,")).toEqual({
    mcpServers: {
      research: { command: "node", args: [research] },
      rudder: { command: "node", args: [rudder, "--project-root", "/project"] },
    },
    issues: [],
  });
  expect(build("")).toEqual({ mcpServers: {}, issues: [] });
});

it("J-83 a server that is unknown, not installed or not built is named and left out", async () => {
  const dir = await makeTempDir();
  const from = pathToFileURL(join(dir, "runner.js")).href;
  const at = join(dir, "node_modules", "@jeeves", "research");
  await mkdir(at, { recursive: true });
  await writeFile(join(at, "package.json"), JSON.stringify({ bin: { "mcp-research": "./dist/mcp-research.js" } }));
  expect(buildExtraServers({ env: { JEEVES_MCP: "research,rudder,toString" }, cwd: "/project", from })).toEqual({
    mcpServers: {},
    issues: [
      { server: "research", message: "mcp-research of @jeeves/research is not built" },
      { server: "rudder", message: "@jeeves/rudder is not installed" },
      { server: "tostring", message: "unknown; JEEVES_MCP knows research, rudder" },
    ],
  });
});
