// Several agents share one HTTP server: each MCP session has a memory of its own, and a stateless call has none.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startHttp, stopHttpServers } from "./http-server-under-test.ts";
import { makeTempDir, meterLinesIn, type Wire } from "./server-under-test.ts";

/** A real file of a pinned dependency, and a question about it. */
const SOURCE = readFileSync(new URL("../../../node_modules/commander/lib/command.js", import.meta.url), "utf8");
const FOCUS = "How is an unknown option reported, and which similar option is suggested?";

let root: Awaited<ReturnType<typeof makeTempDir>>;
const clients: Client[] = [];
beforeEach(async () => {
  root = await makeTempDir();
  for (const name of ["a.js", "b.js", "c.js", "d.js", "e.js"])
    writeFileSync(join(root.path, name), `// ${name}\n${SOURCE}`);
});
afterEach(async () => {
  await Promise.allSettled(clients.splice(0).map((client) => client.close()));
  await stopHttpServers();
  await root.remove();
});

type Options = NonNullable<ConstructorParameters<typeof Client>[1]>;
type Running = Awaited<ReturnType<typeof startHttp>>;
const STATELESS: Options = { versionNegotiation: { mode: "auto" } };

async function connect({ url, auth }: Pick<Running, "url" | "auth">, options: Options = {}) {
  const client = new Client({ name: "agent", version: "1" }, options);
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: auth } }));
  const call = (name: string, args: Record<string, unknown>): Promise<Wire> =>
    client.callTool({ name, arguments: args });
  return {
    version: client.getNegotiatedProtocolVersion(),
    async read(name: string) {
      const result = await call("read", { file_path: name, context_focus_question: FOCUS });
      const { content, pruning } = result.structuredContent;
      return { content, pruning, asides: result.content.slice(1).map((item: Wire) => item.text) };
    },
    async recover(pruneId: string) {
      expect((await call("recover_text", { prune_id: pruneId })).isError ?? false).toBe(false);
    },
    search: async () => {
      const args = { pattern: "option", path: "a.js", context_focus_question: FOCUS };
      return (await call("grep", args)).structuredContent;
    },
  };
}

const sessionsOf = (kind: string): string[] =>
  meterLinesIn(join(root.path, ".state"))
    .filter((line) => line.kind === kind)
    .map(({ session }) => session);

it("X-23 three sessions that ask the same about the same file all get the cut; one that asks again gets the whole", async () => {
  const server = await startHttp(root.path);
  const one = await connect(server);
  const agents = [one, await connect(server), await connect(server)];
  const first = await Promise.all(agents.map((agent) => agent.read("a.js")));
  for (const { pruning } of first) expect(pruning).toMatchObject({ applied: true, engine: "embedded" });
  expect(new Set(first.map(({ content }) => content)).size).toBe(1);
  for (const agent of agents) expect((await agent.search()).pruning).toMatchObject({ applied: true });

  const again = await one.read("a.js");
  expect(again).toMatchObject({ content: `// a.js\n${SOURCE}`, pruning: { attempted: false, reason: "repeat" } });
  expect((await one.search()).pruning).toMatchObject({ reason: "repeat" });
  const late = await connect(server);
  expect((await late.read("a.js")).pruning).toMatchObject({ applied: true });

  expect(new Set(sessionsOf("cut")).size).toBe(4);
  expect(sessionsOf("repeated")).toEqual([sessionsOf("repeated")[0], sessionsOf("repeated")[0]]);
  // What the tools cost is counted once for each session.
  expect(sessionsOf("surface").sort()).toEqual([...new Set(sessionsOf("cut"))].sort());
});

it("X-23 stateless calls always get the cut, whichever protocol they speak, and belong to no session", async () => {
  const server = await startHttp(root.path);
  const { rpc } = server;
  const agent = await connect(server, STATELESS);
  expect(agent.version).toBe("2026-07-28");
  const params = { name: "read", arguments: { file_path: "a.js", context_focus_question: FOCUS } };
  for (let i = 0; i < 2; i++) {
    expect((await agent.read("a.js")).pruning).toMatchObject({ applied: true });
    expect((await agent.search()).pruning).toMatchObject({ applied: true });
    const plain = await rpc("tools/call", params);
    expect(plain.result.structuredContent.pruning).toMatchObject({ applied: true });
  }
  expect(new Set(sessionsOf("cut"))).toEqual(new Set([""]));
  expect(sessionsOf("surface")).toEqual([]);
});

it("X-52 what one session asks for again is its own affair: the others, and stateless calls, are cut as before", async () => {
  const server = await startHttp(root.path);
  const [doubtful, other, stateless] = [await connect(server), await connect(server), await connect(server, STATELESS)];
  const full = await doubtful.read("a.js");
  for (const name of ["a.js", "b.js", "c.js", "d.js"]) {
    const { pruning } = name === "a.js" ? full : await doubtful.read(name);
    for (let i = 0; i < 2; i++) await doubtful.recover(pruning.prune_id);
  }
  const stopped = await doubtful.read("e.js");
  expect(stopped).toMatchObject({ content: `// e.js\n${SOURCE}`, pruning: { reason: "disabled_or_unconfigured" } });
  expect(stopped.asides).toEqual([expect.stringContaining("this session is no longer cut")]);

  // Recoveries of a stateless caller count for no session, although others were shown the same cut.
  const { pruning } = await stateless.read("a.js");
  expect((await other.read("a.js")).content).toBe(full.content);
  for (let i = 0; i < 4; i++) await stateless.recover(pruning.prune_id);
  expect(sessionsOf("recovered").filter((session) => session === "")).toHaveLength(4);
  for (const name of ["b.js", "c.js", "d.js", "e.js"])
    expect((await other.read(name)).pruning).toMatchObject({ applied: true });
  expect((await stateless.read("e.js")).pruning).toMatchObject({ applied: true });
});

it("X-52 recoveries of one session do not stop another that was shown the same cuts", async () => {
  const server = await startHttp(root.path);
  const [reader, curious] = [await connect(server), await connect(server)];
  for (const name of ["a.js", "b.js", "c.js", "d.js"]) {
    const { pruning } = await reader.read(name);
    await curious.recover(pruning.prune_id);
  }
  expect(new Set(sessionsOf("recovered"))).not.toContain(sessionsOf("cut")[0]);
  expect((await reader.read("e.js")).pruning).toMatchObject({ applied: true });
});

it("X-52 a session is not one of a server that ran before", async () => {
  const before = await startHttp(root.path);
  expect((await (await connect(before)).read("a.js")).pruning).toMatchObject({ applied: true });
  before.child.kill("SIGTERM");
  await before.exit;
  const after = await startHttp(root.path);
  expect((await (await connect(after)).read("a.js")).pruning).toMatchObject({ applied: true });
  const [first, second] = sessionsOf("cut");
  expect(first).toMatch(/^mcp-/);
  expect(second).toMatch(/^mcp-/);
  expect(second).not.toBe(first);
});
