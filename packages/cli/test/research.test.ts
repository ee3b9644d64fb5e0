// `jeeves research` and `jeeves init lm-studio`, as a person runs them.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const BIN = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
let dir: string;

beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-cli-research-")));
  mkdirSync(join(dir, "project/src"), { recursive: true });
  writeFileSync(
    join(dir, "project/src/ports.py"),
    'DEFAULT_PORT = 8006\n\n\ndef choose_port(env):\n    """Chooses the listening port."""\n    return int(env.get("PORT", DEFAULT_PORT))\n',
  );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const env = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: dir,
  JEEVES_STATE_DIR: join(dir, "state"),
});

function jeeves(args: readonly string[], cwd = dir) {
  const done = spawnSync(process.execPath, [BIN, ...args], { cwd, env: env(), encoding: "utf8" });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe("jeeves research", () => {
  it("answers on stdout, and writes nothing to stderr where no terminal is", () => {
    const { code, out, err } = jeeves(["research", "How is the listening port chosen?", "--root", "project"]);
    expect(code).toBe(0);
    expect(out).toMatch(/src\/ports\.py:\d+/);
    // the code that answers, with its numbers.
    expect(out).toContain('     6      return int(env.get("PORT", DEFAULT_PORT))');
    expect(out).not.toContain("\u001b");
    expect(err).toBe("");
  });

  it("gives the whole report as JSON", () => {
    const { out } = jeeves(["research", "How is the listening port chosen?", "--json"], join(dir, "project"));
    const report = JSON.parse(out);
    expect(report.rootsSearched).toEqual([join(dir, "project")]);
    expect(report.locator.value.references[0]).toMatch(/^src\/ports\.py:\d+$/);
  });

  it.each([
    [["research"], 2],
    [["research", "q", "--root", "/etc"], 1],
    [["research", "q", "--root", "missing"], 1],
  ])("%j exits %i with a reason", (args, expected) => {
    const { code, out, err } = jeeves(args);
    expect(code).toBe(expected);
    expect(out).toBe("");
    expect(err).not.toBe("");
  });
});

describe("jeeves init lm-studio", () => {
  const file = () => join(dir, "lm/mcp.json");

  it("C-01 X-02 writes servers that a client can start from the file alone, and keeps what was there", async () => {
    mkdirSync(join(dir, "lm"), { recursive: true });
    writeFileSync(file(), JSON.stringify({ theme: 1, mcpServers: { other: { command: "x" } } }));
    expect(jeeves(["init", "lm-studio", "--root", "project", "--file", file()]).code).toBe(0);
    const config = JSON.parse(readFileSync(file(), "utf8"));
    expect(config).toMatchObject({ theme: 1, mcpServers: { other: { command: "x" } } });
    const ask = async (name: string, tool: string, args: Record<string, unknown>) => {
      const { command, args: words, env: own } = config.mcpServers[name];
      const client = new Client({ name: "lm-studio", version: "1" });
      const transport = new StdioClientTransport({ command, args: words, env: { ...env(), ...own }, stderr: "ignore" });
      await client.connect(transport);
      try {
        const { tools } = await client.listTools();
        const { content } = await client.callTool({ name: tool, arguments: args });
        return { content, tools: tools.map(({ name }) => name) };
      } finally {
        await client.close();
      }
    };
    const roots = await ask("jeeves-research", "list_roots", {});
    expect(roots.content).toEqual([{ type: "text", text: JSON.stringify({ roots: [join(dir, "project")] }) }]);
    // The pruner sees the same directory, wherever LM Studio starts it.
    const read = await ask("jeeves", "read", { file_path: "src/ports.py" });
    expect(read.tools).toEqual(["read", "grep", "recover_text"]);
    expect(read.content).toEqual([{ type: "text", text: readFileSync(join(dir, "project/src/ports.py"), "utf8") }]);
  });
});
