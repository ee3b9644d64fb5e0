// rudder mcp start|stop|status|log|bridge|config with the built bins, as people and agents use them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { PROC } from "@jeeves/base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tellsPeers } from "../../../kit/test/http/other-user.ts";
import { binPath, makeProject, type TestHaven } from "../haven-under-test.ts";
import { builtPath, openClient, piped } from "./server-under-test.ts";

let test: TestHaven;
beforeAll(async () => {
  test = await makeProject(42);
});
afterAll(async () => {
  await test?.bin(["mcp", "stop"]);
  test?.remove();
});

const socketOf = (): string => join(test.haven, "mcp.sock");
const call = (name: string, args: object, id = 1): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } })}\n`;

describe("rudder mcp", () => {
  it("X-24 R-03 start, status, log, stop; starting twice is one server", async () => {
    const started = await test.bin(["mcp", "start"]);
    expect(started).toMatchObject({ code: 0 });
    expect(started.stdout).toMatch(/^started: pid \d+, /);
    expect((await test.bin(["mcp:start", "--json"])).stdout).toContain('"started": false');
    const status = JSON.parse((await test.bin(["mcp", "status", "--json"])).stdout);
    expect(status).toMatchObject({ running: true, socket: socketOf(), clients: 0, agents: [], haven: test.haven });
    expect((await test.bin(["mcp", "status"])).stdout).toContain(`running   pid ${status.pid}`);
    expect((await test.bin(["mcp", "log"])).stdout).toContain("Rudder MCP Server started (Unix socket mode)");
    expect((await test.bin(["mcp", "log", "--lines", "1", "--json"])).stdout).toContain('"lines"');
    expect((await test.bin(["mcp", "stop"])).stdout).toBe(`stopped: pid ${status.pid}\n`);
    expect(existsSync(socketOf())).toBe(false);
    expect((await test.bin(["mcp", "stop"])).stdout).toBe("no server runs for this haven\n");
    expect((await test.bin(["mcp", "status"])).stdout).toContain("start it: rudder mcp start");
  });

  // Only /proc tells a process that has ended from one that runs.
  it.runIf(existsSync(PROC))(
    "R-04 stop is done when the server has ended, although nobody collects what ended",
    async () => {
      const words = [process.execPath, builtPath("rudder-server.js"), "--project-root", test.project];
      // `sleep` has the server as its child, and waits for no child.
      const parent = spawn("sh", ["-c", '"$0" "$@" 2>/dev/null & exec sleep 600', ...words, "--socket", socketOf()], {
        env: test.env(),
        stdio: "ignore",
      });
      try {
        const isUp = async () => JSON.parse((await test.bin(["mcp", "status", "--json"])).stdout).running;
        await expect.poll(isUp, { timeout: 30_000 }).toBe(true);
        expect(await test.bin(["mcp", "stop"])).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/^stopped: pid/),
        });
      } finally {
        parent.kill("SIGKILL");
      }
    },
  );

  it("X-24 R-29 start --port listens there as well", async () => {
    expect((await test.bin(["mcp", "start", "--port", "0"])).code).toBe(0);
    const port = Number(test.read("mcp.port"));
    const client = await openClient({ host: "127.0.0.1", port });
    expect((await client.call("versions")).isError).toBe(!tellsPeers); // without a token
    client.close();
    expect((await test.bin(["mcp", "status"])).stdout).toContain(`port      127.0.0.1:${port}`);
    await test.bin(["mcp", "stop"]);
    expect(existsSync(join(test.haven, "mcp.port"))).toBe(false);
  });

  it("R-30 R-31 X-29 config is our bridge, and with agent.mcp_command: socat the documented JSON", async () => {
    const rudder = async (...words: string[]) =>
      JSON.parse((await test.bin(["mcp", "config", ...words])).stdout).mcpServers.rudder;
    expect(await rudder()).toEqual({ command: "node", args: [builtPath("rudder-bridge.js"), socketOf()] });
    const settings = join(test.project, ".sailing/config.yaml");
    const before = readFileSync(settings, "utf8");
    writeFileSync(settings, `${before}agent:\n  mcp_command: socat\n`);
    expect(JSON.parse((await test.bin(["mcp", "config"])).stdout)).toEqual({
      mcpServers: { rudder: { command: "socat", args: ["-", `UNIX-CONNECT:${socketOf()}`] } },
    });
    expect((await rudder("t42")).args[1]).toBe(`UNIX-CONNECT:${join(test.haven, "agents/T042/mcp.sock")}`);
    const internal = await rudder("--internal");
    expect(internal.command).toBe("node");
    expect(internal.args).toEqual([expect.stringMatching(/\/rudder-server\.js$/), "--project-root", test.project]);
    writeFileSync(settings, `${before}agent:\n  mcp_command: netcat\n`);
    const refused = await test.bin(["mcp", "config"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is "netcat"');
    expect(refused.stderr).toContain("bridge, socat");
    writeFileSync(settings, before);
  });
});

describe("the bridge", () => {
  beforeAll(async () => {
    expect((await test.bin(["mcp", "start"])).code).toBe(0);
  });

  it.each([
    ["rudder-bridge SOCKET", () => [builtPath("rudder-bridge.js"), socketOf()]],
    ["rudder mcp bridge SOCKET", () => [binPath(), "mcp", "bridge", socketOf()]],
    ["rudder mcp:bridge SOCKET", () => [binPath(), "mcp:bridge", socketOf()]],
  ])("X-29 %s carries questions and answers, and ends when both sides have", async (_words, argv) => {
    const done = await piped(process.execPath, argv(), {
      input: `${call("task_show", { task_id: "T041" })}${call("versions", {}, 2)}`,
      env: test.env(),
    });
    expect(done).toMatchObject({ code: 0, stderr: "" });
    const answers = done.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map((answer) => answer.id).sort()).toEqual([1, 2]);
    expect(answers.find((answer) => answer.id === 1).result.content[0].text).toContain("Do number 41.");
  });

  it("X-31 RUDDER_AGENT of the bridge is the caller's name", async () => {
    const bridged = (task_id: string, env: Record<string, string>) =>
      piped(process.execPath, [builtPath("rudder-bridge.js"), socketOf()], {
        input: call("assign_claim", { task_id }),
        env: test.env(env),
      });
    expect((await bridged("T001", { RUDDER_AGENT: "ada" })).stdout).toContain("claimed: ada,");
    expect((await bridged("T001", { RUDDER_AGENT: "ada" })).stdout).toContain("renewed: ada,");
    expect((await bridged("T001", {})).stdout).toContain("T001 is held by ada");
    expect((await bridged("T002", { RUDDER_AGENT: "two\nlines" })).stdout).toContain("claimed: connection ");
  });

  it("R-37 where no server listens, it says so and how to start one", async () => {
    const done = await piped(process.execPath, [builtPath("rudder-bridge.js"), join(test.dir, "no.sock")], {
      input: "",
      env: test.env(),
    });
    expect(done.code).toBe(1);
    expect(done.stderr).toContain("rudder mcp start");
    expect((await piped(process.execPath, [builtPath("rudder-bridge.js")], { input: "" })).code).toBe(2);
  });

  it("X-29 a server that goes away ends the bridge, although its stdin stays open", async () => {
    const path = join(test.dir, "short.sock");
    const server = createServer((socket) => socket.once("data", () => socket.end("bye\n"))).listen(path);
    await once(server, "listening");
    const child = spawn(process.execPath, [builtPath("rudder-bridge.js"), path], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.write("hello\n");
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    const [code] = await once(child, "close");
    expect([code, out]).toEqual([0, "bye\n"]);
    server.close();
  });

  it("X-29 it carries an inherited socket as well: fd:3", async () => {
    const socket = connect(socketOf());
    await once(socket, "connect");
    const child = spawn(process.execPath, [builtPath("rudder-bridge.js"), "fd:3"], {
      stdio: ["pipe", "pipe", "inherit", socket],
    });
    let out = "";
    child.stdout?.on("data", (chunk) => {
      out += chunk;
    });
    child.stdin?.end(call("task_show", { task_id: "T041" }));
    const [code] = await once(child, "close");
    socket.destroy();
    expect(code).toBe(0);
    expect(out).toContain("Do number 41.");
  });

  it("X-29 its bundle holds nothing of the command line", () => {
    const texts = new Map<string, string>();
    const read = (file: string) => {
      if (texts.has(file)) return;
      const text = readFileSync(file, "utf8");
      texts.set(file, text);
      // What it loads at its start.
      for (const [, name = ""] of text.matchAll(/(?:load|=require)\("(?:\.\/)?([^"]+\.cjs)"\)/g))
        read(join(binPath(), "..", "chunks", name));
    };
    read(builtPath("rudder-bridge.js"));
    expect(texts.size).toBeGreaterThan(1);
    const all = [...texts.values()].join("");
    // Its own 7 kB, and what it takes of base.
    expect(all.length).toBeLessThan(32_000);
    expect(all).not.toMatch(/commander|ZodObject|yaml/);
  });
});

it("R-37 the common troubles are in the README, in the words that people see", () => {
  const text = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  for (const words of [
    "Access denied: This agent can only access task",
    "Connection refused",
    "mcp.port",
    "Unknown tool",
  ]) {
    expect(text).toContain(words);
  }
});
