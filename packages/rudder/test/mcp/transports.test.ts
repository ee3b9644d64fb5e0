// The server's bin on stdio, a Unix socket and TCP, started as the documentation starts it; the socat example with the
// real socat.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { canBeOtherUser, startOtherUser, tellsPeers } from "../../../kit/test/http/other-user.ts";
import { type Json, makeProject, type TestHaven } from "../haven-under-test.ts";
import { builtPath, openClient, piped, startServer, type TestServer } from "./server-under-test.ts";

/** The entry in the repository's root. */
const ENTRY = fileURLToPath(new URL("../../../../mcp/rudder-server.js", import.meta.url));
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
const SHOW =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task_show","arguments":{"task_id":"T042"}}}\n';

let test: TestHaven;
const servers: TestServer[] = [];
beforeAll(async () => {
  test = await makeProject(43);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop("SIGKILL");
});
afterAll(() => test?.remove());

async function start(argv: readonly string[], options: Parameters<typeof startServer>[2] = {}): Promise<TestServer> {
  const server = startServer(test, argv, options);
  servers.push(server);
  await server.said("  Project root: ");
  return server;
}

const namesOf = (stdout: string): string[] =>
  JSON.parse(stdout.trim().split("\n")[0] ?? "{}").result.tools.map((tool: Json) => tool.name);

describe("stdio", () => {
  it("R-06 R-05 node mcp/rudder-server.js --project-root … reads JSON-RPC on stdin and writes it on stdout, nothing else", async () => {
    const done = await piped(process.execPath, [ENTRY, "--project-root", test.project], {
      input: `${LIST}${SHOW.replace('"id":1', '"id":2')}`,
      env: test.env(),
    });
    expect(done.code).toBe(0);
    const lines = done.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.id).sort()).toEqual([1, 2]);
    expect(lines.find((line) => line.id === 2).result.content[0].text).toContain("Do number 42.");
    expect(done.stderr).toBe(`Rudder MCP Server started (stdio mode)\n  Project root: ${test.project}\n`);
  });

  it("R-05 without --project-root, the project is the parent of the mcp directory", async () => {
    const clone = join(test.dir, "clone");
    mkdirSync(join(clone, "mcp"), { recursive: true });
    mkdirSync(join(clone, "packages", "rudder"), { recursive: true });
    symlinkSync(join(builtPath("rudder-server.js"), ".."), join(clone, "packages", "rudder", "dist"));
    writeFileSync(join(clone, "package.json"), '{"type":"module"}');
    const entry = join(clone, "mcp", "rudder-server.js");
    spawnSync("cp", [ENTRY, entry]);
    const done = await piped(process.execPath, [entry], { input: LIST, env: test.env() });
    expect(done.stderr).toContain(`  Project root: ${clone}\n`);
    expect(namesOf(done.stdout)).toContain("assign_claim");
  });

  it("R-05 where nothing has been built, it says what to run", async () => {
    const bare = join(test.dir, "bare");
    mkdirSync(join(bare, "mcp"), { recursive: true });
    writeFileSync(join(bare, "package.json"), '{"type":"module"}');
    spawnSync("cp", [ENTRY, join(bare, "mcp")]);
    const done = await piped(process.execPath, [join(bare, "mcp", "rudder-server.js")], { input: "", env: test.env() });
    expect(done.code).toBe(1);
    expect(done.stderr).toContain(`cd ${bare} && npm run build`);
  });

  it("X-31 RUDDER_AGENT in its environment is the caller's name; without it, the connection", async () => {
    const claim = (id: string) => SHOW.replace("task_show", "assign_claim").replace("T042", id);
    const run = (id: string, env: Record<string, string>) =>
      piped(process.execPath, [builtPath("rudder-server.js"), "--project-root", test.project], {
        input: claim(id),
        env: test.env(env),
      });
    expect((await run("T001", { RUDDER_AGENT: "ada" })).stdout).toContain("claimed: ada,");
    expect((await run("T001", { RUDDER_AGENT: "bob" })).stdout).toContain("T001 is held by ada");
    expect((await run("T002", {})).stdout).toContain("claimed: connection ");
    expect((await run("T002", {})).stdout).toContain("T002 is held by connection ");
  });

  it("R-26 --task-id holds on stdio too", async () => {
    const done = await piped(process.execPath, [ENTRY, "--task-id", "T042", "--project-root", test.project], {
      input: SHOW.replace("T042", "T041"),
      env: test.env(),
    });
    expect(JSON.parse(done.stdout)).toMatchObject({ result: { isError: true } });
    expect(done.stdout).toContain("Access denied: This agent can only access task T042");
  });
});

describe("a Unix socket", () => {
  it("R-07 R-04 R-28 R-36 listens on haven/mcp.sock with 0600, its pid beside it; SIGTERM removes both", async () => {
    const socket = join(test.haven, "mcp.sock");
    const server = await start(["--socket", socket, "--project-root", test.project], { file: ENTRY });
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(test.read("mcp.pid")).toBe(String(server.pid));
    const client = await openClient({ path: socket });
    expect((await client.request("tools/list")).result.tools).toHaveLength(11);
    await server.said(`Client connected from ${socket}`);
    client.close();
    await server.said("Client disconnected");
    expect(server.stderr()).toMatch(
      new RegExp(
        `Rudder MCP Server started \\(Unix socket mode\\)\n {2}Listening on: ${socket}\n {2}Project root: ${test.project}\n`,
      ),
    );
    expect(await server.stop()).toBe(0);
    expect(existsSync(socket)).toBe(false);
    expect(existsSync(join(test.haven, "mcp.pid"))).toBe(false);
  });

  it("R-07 R-25 --socket /path/mcp.sock --task-id T042, as written; the haven's own server beside it knows no such restriction", async () => {
    const path = join(test.dir, "mcp.sock");
    await start(["--socket", join(test.haven, "mcp.sock"), "--project-root", test.project]);
    await start(["--socket", path, "--task-id", "T042", "--project-root", test.project]);
    const [own, only] = [await openClient({ path: join(test.haven, "mcp.sock") }), await openClient({ path })];
    expect((await own.call("task_show", { task_id: "T041" })).isError).toBe(false);
    expect((await only.call("task_show", { task_id: "T041" })).text).toContain("Access denied");
    own.close();
    only.close();
  });
});

describe("TCP", () => {
  it("R-08 R-29 R-36 --port listens on 127.0.0.1 alone and writes mcp.port; the end removes it", async () => {
    const server = await start(["--port", "0", "--task-id", "T042", "--project-root", test.project], { file: ENTRY });
    const port = Number(test.read("mcp.port"));
    expect(server.stderr()).toBe(
      `Rudder MCP Server started (TCP mode)\n  Listening on: 127.0.0.1:${port}\n  Restricted to task: T042\n  Project root: ${test.project}\n`,
    );
    const client = await openClient({ host: "127.0.0.1", port });
    expect((await client.call("task_show", { task_id: "T042" })).isError).toBe(!tellsPeers); // without a token
    await server.said(/Client connected from 127\.0\.0\.1:\d+/);
    client.close();
    await server.said("Client disconnected");
    const elsewhere = connect({ host: "127.0.0.2", port });
    const [error] = await once(elsewhere, "error");
    expect(error.code).toBe("ECONNREFUSED");
    expect(await server.stop()).toBe(0);
    expect(existsSync(join(test.haven, "mcp.port"))).toBe(false);
  });

  it("R-29 a server restricted to a task leaves the mcp.port of one that lives, and the haven's own takes it over", async () => {
    const restricted = ["--port", "0", "--task-id", "T042", "--project-root", test.project];
    const note = () => test.read("mcp.port");
    writeFileSync(join(test.haven, "mcp.port"), "1"); // of one that was killed
    const guest = await start(restricted);
    expect(guest.stderr()).toContain(`127.0.0.1:${note()}\n`);
    const own = await start(["--port", "0", "--project-root", test.project]);
    const port = note();
    expect(own.stderr()).toContain(`127.0.0.1:${port}\n`);
    const second = await start(restricted);
    for (const each of [guest, second]) {
      expect(note()).toBe(port);
      expect(await each.stop()).toBe(0);
    }
    expect(note()).toBe(port);
    expect(await own.stop()).toBe(0);
    expect(existsSync(join(test.haven, "mcp.port"))).toBe(false);
  });

  it("R-08 a port that is taken is said, with exit 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const server = startServer(test, ["--port", String(port)]);
    servers.push(server);
    expect(await server.ended).toBe(1);
    expect(server.stderr()).toContain(`127.0.0.1:${port}: another program listens there already`);
    other.close();
    expect(existsSync(join(test.haven, "mcp.pid"))).toBe(false);
  });
});

describe("X-55 only its own user, on TCP", () => {
  const calls = (token?: string) =>
    SHOW.replace(
      '"arguments"',
      token === undefined ? '"arguments"' : `"_meta":{"jeeves/token":"${token}"},"arguments"`,
    );

  it.runIf(tellsPeers)("X-55 our own user calls without a token", async () => {
    await start(["--port", "0", "--project-root", test.project]);
    const self = startOtherUser({ as: "self" });
    expect(await self.send(Number(test.read("mcp.port")), SHOW, { lines: 1 })).toContain("Do number 42.");
    await self.close();
  });

  it.runIf(canBeOtherUser)("X-55 R-11 another user may list the tools, and needs the token to call one", async () => {
    const server = await start(["--port", "0", "--project-root", test.project]);
    const port = Number(test.read("mcp.port"));
    const token = readFileSync(join(test.env().HOME ?? "", ".local", "state", "jeeves", "token"), "utf8").trim();
    const other = startOtherUser();
    expect(namesOf(await other.send(port, LIST))).toHaveLength(11);
    const log = SHOW.replace("task_show", "task_log").replace('"T042"', '"T042","message":"from a stranger"');
    for (const line of [calls(), calls(`${token}x`), log]) {
      const { result } = JSON.parse(await other.send(port, line));
      expect(result.isError).toBe(true);
      expect(result.content[0].text).toMatch(/^Access denied: .*"jeeves\/token".*`jeeves token` prints it$/);
    }
    // Control is for the haven's own socket.
    for (const method of ["rudder/server", "rudder/serve_agent", "rudder/drop_agent"]) {
      const said = JSON.parse(
        await other.send(port, `${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} })}\n`),
      );
      expect([method, said.error.code]).toEqual([method, -32601]);
    }
    for (const leaving of ["end", "destroy", "reset"] as const) {
      await other.sendAndLeave(port, log, { times: 30, leaving });
    }
    expect(await other.send(port, calls(token))).toContain("Do number 42.");
    await other.close();
    expect(await server.stop()).toBe(0); // lets what is under way finish
    const found = spawnSync("grep", ["-r", "-D", "skip", "-l", "from a stranger", test.haven], { encoding: "utf8" });
    expect([found.status, found.stdout]).toEqual([1, ""]);
  });
});

describe("socat", () => {
  const hasSocat = spawnSync("socat", ["-V"]).status === 0;
  /** Once its input has ended, socat waits half a second for the other side by default; a busy machine takes longer. */
  const PATIENT = "-t60";

  it("R-11 echo … | socat - TCP:127.0.0.1:PORT answers without initialize, to a client that has closed its half", async () => {
    // Nothing is skipped in silence: a machine without socat fails here, and says how to get it.
    expect(hasSocat, "socat is missing: apt install socat (or brew install socat)").toBe(true);
    await start(["--port", "0", "--task-id", "T042", "--project-root", test.project], { file: ENTRY });
    const shell = `echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | socat ${PATIENT} - TCP:127.0.0.1:${test.read("mcp.port")}`;
    const done = await piped("/bin/sh", ["-c", shell], { input: "" });
    expect(done.code, done.stderr).toBe(0);
    expect(namesOf(done.stdout)).toHaveLength(11);
  });

  it("R-30 X-31 socat - UNIX-CONNECT:haven/mcp.sock: each echo is a connection of its own", async () => {
    expect(hasSocat, "socat is missing: apt install socat (or brew install socat)").toBe(true);
    const socket = join(test.haven, "mcp.sock");
    await start(["--socket", socket, "--project-root", test.project]);
    const say = (name: string) =>
      piped("socat", [PATIENT, "-", `UNIX-CONNECT:${socket}`], {
        input: SHOW.replace("task_show", name).replace("T042", "T030"),
      });
    expect((await say("assign_claim")).stdout).toContain("claimed: connection ");
    expect((await say("assign_claim")).stdout).toContain("T030 is held by connection ");
    expect((await say("assign_release")).stdout).toContain("T030  released, Done");
  });
});

describe("the words on its command line", () => {
  it.each([
    [["--port", "seventy"], "--port"],
    [["--port", "70000"], "--port"],
    [["--port", "0x10"], "--port"],
    [["--port", ""], "--port"],
    [["--task-id", "E001"], "--task-id"],
    [["--task-id", "../T042"], "--task-id"],
    [["--project-root", "/no/such/dir"], "/no/such/dir is no directory"],
    [["--sokcet", "x"], "--sokcet"],
    [["--socket"], "--socket"],
  ])("R-05 %j: exit 2, and the word that is wrong", async (argv, words) => {
    const server = startServer(test, argv);
    servers.push(server);
    expect(await server.ended).toBe(2);
    expect(server.stderr()).toContain(words);
  });

  it("R-05 --help names all four options", async () => {
    const done = await piped(process.execPath, [builtPath("rudder-server.js"), "--help"], { input: "" });
    for (const option of ["--project-root", "--socket", "--port", "--task-id"]) expect(done.stdout).toContain(option);
  });

  it("R-07 a socket path that is too long is refused by its length", async () => {
    const path = join(test.dir, "x".repeat(120));
    const server = startServer(test, ["--socket", path, "--task-id", "T042"]);
    servers.push(server);
    expect(await server.ended).toBe(2);
    expect(server.stderr()).toMatch(/too long for a socket: \d+ bytes/);
  });

  it("R-28 where there is no haven, it says how to make one", async () => {
    const server = startServer(test, ["--socket", join(test.dir, "a.sock")], {
      env: { RUDDER_HAVEN: join(test.dir, "nowhere") },
    });
    servers.push(server);
    expect(await server.ended).toBe(1);
    expect(server.stderr()).toContain("run: rudder init");
    expect(existsSync(join(test.dir, "nowhere"))).toBe(false);
  });
});
