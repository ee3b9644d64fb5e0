// How the server starts, ends, and survives what clients do to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findSystemPerl } from "@jeeves/base";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import {
  BIN,
  connectClient,
  makeTempDir,
  type Server,
  serverEnv,
  startServer,
  type Wire,
} from "./server-under-test.ts";

const canContain = process.platform === "linux" && (await findSystemPerl()) !== undefined;

function isAlive(pid: number): boolean {
  try {
    // A zombie is dead; only its parent has not looked yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
async function untilDead(pid: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (isAlive(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isAlive(pid)).toBe(false);
}
/** A call that writes its pid into a file and then takes very long. */
async function startLongCall(server: Server): Promise<number> {
  server.send({
    jsonrpc: "2.0",
    id: "long",
    method: "tools/call",
    params: { name: "bash", arguments: { command: "echo $$ > pid; exec sleep 1000", timeout_ms: 300_000 } },
  });
  let pid = "";
  while (pid === "")
    pid = (
      (await server.call("bash", { command: "cat pid 2>/dev/null || true" })).structuredContent.stdout ?? ""
    ).trim();
  return Number(pid);
}

describe("start", () => {
  it("J-67 J-71 X-12 an unusable root stops it: start_failed, exit 2, nothing on stdout", async () => {
    const dir = await makeTempDir();
    await writeFile(join(dir.path, "file"), "");
    for (const root of [join(dir.path, "missing"), join(dir.path, "file")]) {
      const child = spawn(process.execPath, [BIN], { env: serverEnv(root, dir.path) });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on("data", (chunk) => out.push(chunk));
      child.stderr.on("data", (chunk) => err.push(chunk));
      const [code] = await once(child, "close");
      expect(code).toBe(2);
      expect(Buffer.concat(out)).toHaveLength(0);
      const event = JSON.parse(Buffer.concat(err).toString().trim());
      expect(event).toMatchObject({
        level: "error",
        event: "mcp_pruner.start_failed",
        data: { message: expect.stringContaining(root) },
      });
    }
    await dir.remove();
  });

  it("J-66 J-71 X-12 any other bad value is its default, and a warning that names it", async () => {
    const bad = {
      PRUNER_ENGINE: "gpu",
      PRUNER_TIMEOUT_MS: "soon",
      MCP_PRUNER_TOOLS: "read,fly",
      JEEVES_RESULT_FORM: "xml",
      JEEVES_MAX_RESULT_CHARS: "many",
      JEEVES_STORE_MAX_BYTES: "-1",
      JEEVES_MODE: "maybe",
      JEEVES_HOOKS: "perhaps",
    };
    const server = await startServer({ env: bad });
    const warned = server.events.filter((event) => event.event === "mcp_pruner.config_invalid");
    expect(warned.map((event) => event.data)).toEqual(
      expect.arrayContaining(
        Object.entries(bad).map(([name, value]) => ({ name, value, expected: expect.any(String) })),
      ),
    );
    expect(warned.every((event) => event.level === "warn")).toBe(true);
    expect((await server.request("tools/list")).result.tools).toHaveLength(3);
    await server.stop();
  });

  it.each([
    ["read,grpe,recover_text", ["read", "grep", "recover_text"]],
    ["bash,fly", ["read", "bash", "grep", "recover_text"]],
    [" , ", ["read", "bash", "grep", "recover_text"]],
  ])(
    "X-02 X-12 MCP_PRUNER_TOOLS=%j: a slip gives the default, but no bash to whoever did not name it",
    async (list, tools) => {
      const server = await startServer({ env: { MCP_PRUNER_TOOLS: list } });
      const listed = (await server.request("tools/list")).result.tools;
      expect(listed.map(({ name }: { name: string }) => name)).toEqual(tools);
      const answer = await server.request("tools/call", { name: "bash", arguments: { command: "echo ran" } });
      expect(answer.error === undefined).toBe(tools.includes("bash"));
      await server.stop();
    },
  );

  it("X-12 a setting that is empty, or written in another case, is no bad value", async () => {
    const fine = { JEEVES_MODE: " Shadow ", JEEVES_RESULT_FORM: "", JEEVES_MAX_RESULT_CHARS: "", JEEVES_HOOKS: "OFF" };
    const server = await startServer({ env: fine });
    expect(server.events.filter((event) => event.level === "warn")).toEqual([]);
    await server.stop();
  });

  it("J-67 without MCP_PRUNER_CWD the current directory is the root", async () => {
    const dir = await makeTempDir();
    const { MCP_PRUNER_CWD: _unused, ...env } = serverEnv(dir.path, dir.path);
    const child = spawn(process.execPath, [BIN], { env, cwd: dir.path });
    child.stdin.end(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "bash", arguments: { command: "pwd" } } })}\n`,
    );
    const out: Buffer[] = [];
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.resume();
    await once(child, "close");
    expect(JSON.parse(Buffer.concat(out).toString()).result.structuredContent.stdout).toBe(`${dir.path}\n`);
    await dir.remove();
  });
});

it.runIf(process.platform === "linux")(
  "J-05 J-09 X-01 the bin speaks stdio and opens no socket of its own",
  async () => {
    const server = await startServer();
    await server.call("bash", { command: "true" });
    const { stdout } = (await server.call("bash", { command: `ls -l /proc/${server.child.pid}/fd` })).structuredContent;
    const inherited = readFileSync(`/proc/${server.child.pid}/net/tcp`, "utf8");
    const inodes = [...stdout.matchAll(/socket:\[(\d+)\]/g)].map((found: RegExpMatchArray) => found[1] ?? "");
    expect(inodes.filter((inode) => inherited.includes(` ${inode} `))).toEqual([]);
    await server.stop();
  },
);

describe("X-47 the end", () => {
  it("X-47 at the end of stdin calls in flight are answered, then it exits 0 and says stopped", async () => {
    const server = await startServer();
    server.send({
      jsonrpc: "2.0",
      id: "last",
      method: "tools/call",
      params: { name: "bash", arguments: { command: "sleep 0.5; echo answered" } },
    });
    server.child.stdin?.end();
    expect((await server.waitForReply("last")).result.structuredContent.stdout).toBe("answered\n");
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.events.at(-1)).toMatchObject({
      event: "mcp_pruner.stopped",
      data: { graceful: true, duration_ms: expect.any(Number) },
    });
    await server.stop();
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("J-72 J-82 %s kills the children and exits 0", async (signal) => {
    const server = await startServer();
    const pid = await startLongCall(server);
    server.child.kill(signal);
    expect(await server.exit).toEqual({ code: 0, signal: null });
    await untilDead(pid);
    expect(server.events.at(-1)?.event).toBe("mcp_pruner.stopped");
    await server.stop();
  });

  it("J-82 a client that vanishes mid-call takes its children with it", async () => {
    const dir = await makeTempDir();
    // A client of its own process, so that it can be killed the hard way.
    const source = `
      const { spawn } = require("node:child_process");
      const server = spawn(process.execPath, [${JSON.stringify(BIN)}], { stdio: ["pipe", "pipe", "ignore"] });
      server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "bash", arguments: { command: "echo $$ > pid; exec sleep 1000", timeout_ms: 300000 } } }) + "\\n");
      console.log(server.pid);
      setInterval(() => {}, 1000);`;
    const client = spawn(process.execPath, ["-e", source], {
      env: serverEnv(dir.path, dir.path),
      cwd: dir.path,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [chunk] = await once(client.stdout, "data");
    const serverPid = Number(String(chunk).trim());
    const pidFile = join(dir.path, "pid");
    const read = () => {
      try {
        return readFileSync(pidFile, "utf8").trim();
      } catch {
        return "";
      }
    };
    const deadline = Date.now() + 20_000;
    while (read() === "" && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    const pid = Number(read());
    expect(isAlive(pid)).toBe(true);
    client.kill("SIGKILL");
    await untilDead(serverPid);
    await untilDead(pid);
    await dir.remove();
  }, 60_000);

  it.runIf(canContain)("X-47 SIGKILL of the server ends its commands, and what has left their groups", async () => {
    const dir = await makeTempDir();
    const client = await connectClient(serverEnv(dir.path, dir.path));
    const bash = (command: string): Promise<Wire> => client.callTool({ name: "bash", arguments: { command } });
    const left =
      "setsid sh -c 'echo $$ > left; exec sleep 1000' >/dev/null 2>&1 & until [ -s left ]; do :; done; cat left";
    const leftPid = Number((await bash(left)).structuredContent.stdout);
    const running = bash("echo $$ > pid; exec sleep 1000").catch((error: Error) => error);
    const pid = Number((await bash("until [ -s pid ]; do :; done; cat pid")).structuredContent.stdout);
    expect([isAlive(leftPid), isAlive(pid)]).toEqual([true, true]);
    const { transport } = client;
    if (!(transport instanceof StdioClientTransport) || transport.pid === null) throw new Error("no server");
    process.kill(transport.pid, "SIGKILL");
    expect(await running).toBeInstanceOf(Error);
    await untilDead(pid);
    await untilDead(leftPid);
    await client.close();
    await dir.remove();
  });

  it("J-82 a cancelled call is killed and not answered", async () => {
    const server = await startServer();
    const pid = await startLongCall(server);
    server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "long" } });
    await untilDead(pid);
    expect((await server.call("bash", { command: "echo on" })).structuredContent.stdout).toBe("on\n");
    expect(server.lines.some((line) => JSON.parse(line).id === "long")).toBe(false);
    await server.stop();
  });
});

describe("what clients should not send", () => {
  it("J-06 J-17 garbage, batches, blank and foreign lines are answered or ignored, and the server lives on", async () => {
    const server = await startServer();
    server.write(
      'nonsense\n\n   \n[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n"text"\n42\nnull\n{"jsonrpc":"1.0","id":9,"method":"ping"}\n{"id":8}\n\xff\xfe\n',
    );
    server.write('{"jsonrpc":"2.0","id":"crlf","method":"ping"}\r\n');
    expect((await server.waitForReply("crlf")).result).toEqual({});
    for (const line of server.lines) expect(JSON.parse(line).jsonrpc).toBe("2.0");
    expect(server.lines.map((line) => JSON.parse(line).error?.code).filter((code) => code !== undefined)).toEqual(
      expect.arrayContaining([-32700, -32600]),
    );
    expect((await server.call("bash", { command: "echo alive" })).structuredContent.stdout).toBe("alive\n");
    await server.stop();
  });

  it("a 20 MB line is read", async () => {
    const server = await startServer();
    const { error } = await server.request("tools/call", {
      name: "bash",
      arguments: { command: "x".repeat(20_000_000) },
    });
    expect(error).toMatchObject({ code: -32602, data: { issues: [{ path: "arguments.command", code: "too_big" }] } });
    expect((await server.call("bash", { command: "echo alive" })).structuredContent.stdout).toBe("alive\n");
    await server.stop();
  });

  it("200 calls at once are all answered", async () => {
    const server = await startServer();
    const replies = await Promise.all(
      Array.from(
        { length: 200 },
        (_, index): Promise<Wire> => server.call("bash", { command: `echo ${index}`, timeout_ms: 120_000 }),
      ),
    );
    expect(replies.map((reply) => reply.structuredContent.stdout)).toEqual(
      Array.from({ length: 200 }, (_, index) => `${index}\n`),
    );
    await server.stop();
  }, 120_000);

  it("J-06 nothing but protocol reaches stdout, even from a command that writes to the terminal", async () => {
    const server = await startServer();
    await server.call("bash", { command: "echo to-tty > /dev/tty 2>/dev/null; echo out; echo err >&2" });
    for (const line of server.lines) expect(JSON.parse(line)).toHaveProperty("jsonrpc");
    await server.stop();
  });
});
