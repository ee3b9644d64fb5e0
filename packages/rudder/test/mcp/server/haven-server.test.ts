// One server per haven: started once however many start it, found again, replaced when it is killed, and gone without a
// trace when it ends. Agents' own sockets. And what others do to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Place } from "../../../src/index.ts";
import {
  agentNameOf,
  dropAgent,
  ensureServer,
  findServer,
  serveAgent,
  stopServer,
} from "../../../src/mcp/server/haven-server.ts";
import { makeProject, type TestHaven } from "../../haven-under-test.ts";
import { openClient, startServer, type TestServer } from "../server-under-test.ts";

const LONG = { timeout: 30_000 };
let test: TestHaven;
let place: Place;
const servers: TestServer[] = [];
beforeEach(async () => {
  test = await makeProject(43);
  place = { project: test.project, projectHash: "0123456789ab", haven: test.haven };
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop("SIGKILL");
  await stopServer(test.haven);
  test.remove();
});

const socketOf = (): string => join(test.haven, "mcp.sock");
const options = () => ({ env: test.env() });
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
function start(argv: readonly string[]): TestServer {
  const server = startServer(test, argv);
  servers.push(server);
  return server;
}

describe("one server", () => {
  it("R-03 ten that start it at once get one server, which outlives them and is found again", async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => ensureServer(place, options())));
    expect(new Set(all.map((one) => one.pid)).size).toBe(1);
    expect(all.filter((one) => one.started)).toHaveLength(1);
    const [{ pid } = { pid: 0 }] = all;
    expect(test.read("mcp.pid")).toBe(String(pid));
    expect(await ensureServer(place, options())).toEqual({ socketPath: socketOf(), pid, started: false });
    expect(await findServer(test.haven)).toMatchObject({ pid, haven: test.haven, project: test.project, agents: [] });
    expect(await stopServer(test.haven)).toBe(pid);
    // It was started by this process, which has yet to collect it.
    await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
    expect(existsSync(socketOf())).toBe(false);
    expect(existsSync(join(test.haven, "mcp.pid"))).toBe(false);
    expect(await stopServer(test.haven)).toBeUndefined();
  });

  it("R-03 two bins started at the same instant: one serves, the other says so and ends well", async () => {
    const [one, two] = [start(["--socket", socketOf()]), start(["--socket", socketOf()])];
    const loser = await Promise.race([one.ended.then(() => one), two.ended.then(() => two)]);
    const winner = loser === one ? two : one;
    expect(await loser.ended).toBe(0);
    expect(loser.stderr()).toContain(`Rudder MCP Server already running (pid ${winner.pid})`);
    expect(loser.stderr()).toContain(`  Listening on: ${socketOf()}`);
    expect((await findServer(test.haven))?.pid).toBe(winner.pid);
    expect(test.read("mcp.pid")).toBe(String(winner.pid));
  });

  it("R-03 one that wants to listen elsewhere on the same haven is told where the server is", async () => {
    await ensureServer(place, options());
    const other = start(["--port", "0"]);
    expect(await other.ended).toBe(1);
    expect(other.stderr()).toContain(`use ${socketOf()}, or stop it first: rudder mcp stop`);
  });

  it("R-03 X-54 killed with SIGKILL, it is replaced: the stale socket and pid belong to no process, acknowledged lines are there", async () => {
    const first = await ensureServer(place, options());
    const client = await openClient({ path: socketOf() });
    expect((await client.call("task_log", { task_id: "T001", message: "before" })).isError).toBe(false);
    process.kill(first.pid, "SIGKILL");
    await once(client.socket, "close");
    expect(existsSync(socketOf())).toBe(true);
    const second = await ensureServer(place, options());
    expect(second).toMatchObject({ started: true });
    expect(second.pid).not.toBe(first.pid);
    expect(test.read("mcp.pid")).toBe(String(second.pid));
    expect(test.read("memory/T001.log")).toContain("before");
  });

  it("R-28 a stale mcp.pid that names another program harms no process", async () => {
    const bystander = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    try {
      writeFileSync(join(test.haven, "mcp.pid"), String(bystander.pid));
      expect(await findServer(test.haven)).toBeUndefined();
      expect(await stopServer(test.haven)).toBeUndefined();
      const status = await test.run(["mcp", "status"]);
      expect(status.text).toContain("no server runs");
      expect(status.notes.join()).toContain(`names ${bystander.pid}, which is no server of ours now`);
      const { pid } = await ensureServer(place, options());
      expect(pid).not.toBe(bystander.pid);
      await stopServer(test.haven);
      expect(isRunning(bystander.pid ?? 0)).toBe(true);
    } finally {
      bystander.kill("SIGKILL");
      await once(bystander, "exit");
    }
  });

  it("R-07 another program on mcp.sock is left alone and reported", async () => {
    const other = createServer((socket) => socket.on("error", () => {}).end("hello\n")).listen(socketOf());
    await once(other, "listening");
    const server = start(["--socket", socketOf()]);
    expect(await server.ended).toBe(1);
    expect(server.stderr()).toContain("another program listens there already");
    expect(existsSync(join(test.haven, "mcp.pid"))).toBe(false);
    other.close();
    await once(other, "close");
  });

  it("R-07 a socket in a directory that is not there, or where a file is, is told what is wrong", async () => {
    const file = join(test.dir, "taken");
    writeFileSync(file, "precious");
    for (const [path, words] of [
      [join(test.dir, "not-there", "s"), "its directory does not exist (ENOENT)"],
      [join(file, "s"), "its directory does not exist (ENOTDIR)"],
      [file, "what is there is no socket (EEXIST)"],
    ] as const) {
      const server = start(["--socket", path]);
      expect(await server.ended).toBe(1);
      expect(server.stderr()).toContain(`${path}: ${words}`);
    }
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  it("R-07 a haven whose path is too long for a socket is refused by its length, and nothing is started", async () => {
    const haven = join(test.dir, "x".repeat(120));
    await expect(ensureServer({ ...place, haven }, options())).rejects.toThrow("too long for a socket");
    await expect(serveAgent({ ...place, haven }, "T042", options())).rejects.toThrow("too long for a socket");
  });

  it("R-28 where there is no haven, nothing is started and nothing is made", async () => {
    const haven = join(test.dir, "none");
    await expect(ensureServer({ ...place, haven }, options())).rejects.toThrow();
    expect(existsSync(haven)).toBe(false);
  });

  it("R-03 a starter that is told to stop waits no longer", async () => {
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    await expect(ensureServer(place, { ...options(), signal: stop.signal })).rejects.toThrow("enough");
  });

  it("R-04 a haven that vanishes while it is served: calls say so, and the server ends", async () => {
    const server = start(["--socket", socketOf()]);
    await server.said("  Project root: ");
    const client = await openClient({ path: socketOf() });
    const away = join(test.dir, "away");
    renameSync(test.haven, away);
    const answer = await client.call("task_log", { task_id: "T001", message: "into the void" });
    if (answer.raw.gone !== true) {
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain("there is no haven at");
    }
    expect(await server.ended).toBe(0);
    expect(server.stderr()).toContain("Rudder MCP Server stops (its socket is gone)");
    expect(existsSync(test.haven)).toBe(false);
    renameSync(away, test.haven);
    expect(existsSync(join(test.haven, "memory/T001.log"))).toBe(false);
    client.close();
  });
});

describe("clients that behave badly", () => {
  it("R-10 half a frame and then silence holds up no other client; 10 MB in one message are refused, and the connection goes on", async () => {
    await ensureServer(place, options());
    const sleeper = await openClient({ path: socketOf() });
    sleeper.socket.write('{"jsonrpc":"2.0","id":1,"method":"tools/ca');
    const loud = await openClient({ path: socketOf() });
    const lines: string[] = [];
    loud.socket.on("data", (chunk) => lines.push(String(chunk)));
    loud.socket.write(`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"${"x".repeat(10_000_000)}"}}\n`);
    expect((await loud.request("ping")).result).toEqual({});
    expect(lines.join("")).toMatch(/"code":-32600/);
    expect((await loud.call("task_log", { task_id: "T001", message: "still here" })).isError).toBe(false);
    sleeper.socket.write('ll","params":{"name":"task_show","arguments":{"task_id":"T042"}}}\n');
    const [answer] = await once(sleeper.socket, "data");
    expect(String(answer)).toContain("Do number 42.");
    for (const junk of ["not json\n", "[]\n", '"x"\n', "\0\0\0\n", '{"jsonrpc":"2.0","id":1}\n'])
      loud.socket.write(junk);
    expect((await loud.request("ping")).result).toEqual({});
    sleeper.close();
    loud.close();
  });

  it("R-10 a client that goes away in the middle of many calls leaves the others alone", async () => {
    await ensureServer(place, options());
    const stayer = await openClient({ path: socketOf() });
    for (let round = 0; round < 5; round++) {
      const leaver = await openClient({ path: socketOf() });
      for (let call = 0; call < 20; call++)
        void leaver.call("task_log", { task_id: "T002", message: `${round} ${call}` });
      leaver.close();
      expect((await stayer.call("status")).isError).toBe(false);
    }
    await expect.poll(async () => (await findServer(test.haven))?.clients, LONG).toBe(2);
    stayer.close();
  });

  it("R-04 SIGTERM while clients are connected: what was asked is answered, and it ends", async () => {
    const server = start(["--socket", socketOf()]);
    await server.said("  Project root: ");
    const client = await openClient({ path: socketOf() });
    expect((await client.request("ping")).result).toEqual({});
    const logged = Array.from({ length: 20 }, (_, n) =>
      client.call("task_log", { task_id: "T003", message: `m${n};` }),
    );
    await logged[0];
    expect(await server.stop()).toBe(0);
    const answers = await Promise.all(logged);
    const log = readFileSync(join(test.haven, "memory/T003.log"), "utf8");
    answers.forEach((answer, n) => {
      if (answer.raw.gone !== true) expect(log).toContain(`m${n};`);
    });
    expect(existsSync(socketOf())).toBe(false);
  });
});

describe("an agent's own socket", () => {
  it("X-31 calls on it are made under the agent's name, whatever a client says; the mode is 0600", async () => {
    const { socketPath } = await serveAgent(place, "T042", options());
    expect(socketPath).toBe(join(test.haven, "agents/T042/mcp.sock"));
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    const agent = await openClient({ path: socketPath });
    agent.notify("rudder/caller", { name: "mallory" });
    expect((await agent.call("assign_claim", { task_id: "T042" })).text).toContain(`claimed: ${agentNameOf("T042")},`);
    // Not restricted unless it was asked for.
    expect((await agent.call("task_show", { task_id: "T041" })).isError).toBe(false);
    const bare = await openClient({ path: socketOf() });
    expect((await bare.call("assign_release", { task_id: "T042" })).text).toContain(`held by ${agentNameOf("T042")}`);
    expect((await agent.call("assign_release", { task_id: "T042" })).isError).toBe(false);
    agent.close();
    bare.close();
  });

  it("X-31 R-26 restricted, under a name of its spawner's; no control there", async () => {
    const { socketPath } = await serveAgent(place, "T042", { ...options(), name: "ada", restricted: true });
    const agent = await openClient({ path: socketPath });
    expect((await agent.call("assign_claim", { task_id: "T042" })).text).toContain("claimed: ada,");
    expect((await agent.call("task_show", { task_id: "T041" })).text).toContain("Access denied");
    for (const method of ["rudder/server", "rudder/serve_agent", "rudder/drop_agent"]) {
      expect((await agent.request(method, { task_id: "T042" })).error.code).toBe(-32601);
    }
    agent.close();
  });

  it("R-26 R-27 a restricted server opened another task's socket without the restriction for whoever asked it", async () => {
    const server = start(["--project-root", test.project, "--socket", socketOf(), "--task-id", "T042"]);
    await server.said("Restricted to task: T042");
    const client = await openClient({ path: socketOf() });
    const ask = async (method: string, task_id: string) =>
      (await client.request(method, { task_id, name: "ada", restricted: false })).result;
    for (const method of ["rudder/serve_agent", "rudder/drop_agent"]) {
      const denied = { ok: false, message: "Access denied: This agent can only access task T042" };
      expect(await ask(method, "T041")).toMatchObject(denied);
    }
    expect(existsSync(join(test.haven, "agents/T041/mcp.sock"))).toBe(false);
    const { socket } = await ask("rudder/serve_agent", "T042");
    const agent = await openClient({ path: socket });
    expect((await agent.call("task_show", { task_id: "T042" })).isError).toBe(false);
    expect((await agent.call("task_show", { task_id: "T041" })).text).toContain("Access denied");
    agent.close();
    client.close();
  });

  it("X-31 a server that was killed and started again serves it again; dropped, it is gone for good", async () => {
    const { socketPath } = await serveAgent(place, "T042", { ...options(), name: "ada" });
    await serveAgent(place, "T041", options());
    const first = await findServer(test.haven);
    expect(first?.agents).toEqual(["T041", "T042"]);
    process.kill(first?.pid ?? 0, "SIGKILL");
    await expect.poll(() => isRunning(first?.pid ?? 0), LONG).toBe(false);
    await ensureServer(place, options());
    const agent = await openClient({ path: socketPath });
    expect((await agent.call("assign_claim", { task_id: "T042" })).text).toContain("claimed: ada,");
    agent.close();
    await dropAgent(place, "T042");
    expect(existsSync(socketPath)).toBe(false);
    expect((await findServer(test.haven))?.agents).toEqual(["T041"]);
    await stopServer(test.haven);
    await dropAgent(place, "T041"); // where no server runs, too
    await ensureServer(place, options());
    expect((await findServer(test.haven))?.agents).toEqual([]);
  });

  it("X-31 asked twice it is served once; asked under another name, that one counts", async () => {
    await Promise.all(Array.from({ length: 5 }, () => serveAgent(place, "t042", { ...options(), name: "ada" })));
    expect((await findServer(test.haven))?.agents).toEqual(["T042"]);
    const { socketPath } = await serveAgent(place, "T042", { ...options(), name: "bob" });
    const agent = await openClient({ path: socketPath });
    expect((await agent.call("assign_claim", { task_id: "T042" })).text).toContain("claimed: bob,");
    agent.close();
  });

  it("X-31 what is no task has no socket; an agent's broken file keeps no server from starting", async () => {
    for (const id of ["../T042", "E001", "", "T042/../../x"]) {
      await expect(serveAgent(place, id, options())).rejects.toThrow("is no task id");
    }
    mkdirSync(join(test.haven, "agents/T040"), { recursive: true });
    writeFileSync(join(test.haven, "agents/T040/mcp.json"), "{ half");
    mkdirSync(join(test.haven, "agents/junk"));
    writeFileSync(join(test.haven, "agents/junk/mcp.json"), '{"task_id":"T001","name":"x","restricted":false}');
    await stopServer(test.haven);
    await ensureServer(place, options());
    expect((await findServer(test.haven))?.agents).toEqual([]);
    rmSync(join(test.haven, "agents"), { recursive: true });
  });
});
