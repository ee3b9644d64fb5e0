// What `npm run package` makes for Gemini CLI and for desktop clients, by the validators of those who read it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensurePackaged } from "../../scripts/package/ensure-packaged.mjs";
import { createClientEnv } from "./agent.ts";
import { CLIENTS_BIN } from "./offline-settings.ts";
import { ROOT, readmeCommands } from "./readme-commands.ts";

const { version }: { version: string } = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8"),
);
let out: string;
let dir: string;
let env: Record<string, string>;
beforeAll(async () => {
  out = await ensurePackaged();
  dir = mkdtempSync(join(tmpdir(), "jeeves-artefacts-"));
  env = await createClientEnv(dir);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What a client's program printed, wherever; it must succeed. */
function run(program: string, ...args: readonly string[]): string {
  const done = spawnSync(join(CLIENTS_BIN, program), args, { cwd: ROOT, env, encoding: "utf8" });
  expect({ args, status: done.status, stderr: done.status === 0 ? "" : done.stderr }).toMatchObject({ status: 0 });
  return done.stdout + done.stderr;
}

it("Gemini CLI: the extension is valid, is linked by the client's own command, and leaves nothing behind", () => {
  const extension = join(out, "gemini");
  expect(run("gemini", "extensions", "validate", extension)).toContain("successfully validated");
  for (const args of readmeCommands("gemini")) run("gemini", ...args, "--consent");
  expect(existsSync(join(dir, ".gemini/extensions/jeeves"))).toBe(true);
  run("gemini", "extensions", "uninstall", "jeeves");
  expect(existsSync(join(dir, ".gemini/extensions/jeeves"))).toBe(false);
});

it("the .mcpb bundle is valid, and what it holds is a server that answers", async () => {
  const bundle = join(out, `jeeves-${version}.mcpb`);
  run("mcpb", "unpack", bundle, join(dir, "unpacked"));
  expect(run("mcpb", "validate", join(dir, "unpacked", "manifest.json"))).toContain("validation passes");
  const { server } = JSON.parse(readFileSync(join(dir, "unpacked", "manifest.json"), "utf8"));
  const fill = (text: string) =>
    text.replaceAll(/\$\{(__dirname|user_config\.root)\}/g, (_, name) =>
      name === "__dirname" ? join(dir, "unpacked") : dir,
    );
  const { command, args, env: own } = server.mcp_config;
  const given = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, fill(String(value))]));
  const transport = new StdioClientTransport({
    command,
    args: args.map(fill),
    env: { ...env, ...given },
    stderr: "ignore",
  });
  const client = new Client({ name: "desktop", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(["grep", "read", "recover_text"]);
  await client.close();
});

it("server.json names the package, its version and the name that the package claims", () => {
  const entry = JSON.parse(readFileSync(join(out, "server.json"), "utf8"));
  const manifest = JSON.parse(readFileSync(join(out, "jeeves/package.json"), "utf8"));
  expect(entry.name).toBe(manifest.mcpName);
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(entry.description.length).toBeLessThanOrEqual(100);
  expect(entry.packages).toMatchObject([
    { registryType: "npm", identifier: manifest.name, version, transport: { type: "stdio" } },
  ]);
  expect(entry.version).toBe(version);
});
