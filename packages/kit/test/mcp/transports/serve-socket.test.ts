// Sockets: half-closed clients, who may connect, what a dead server left behind, and the end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SocketServer, serveSocket, serveTcp } from "../../../src/mcp/index.ts";
import { profile } from "../../fixture-tools.ts";
import { canBeOtherUser, startOtherUser, tellsPeers } from "../../http/other-user.ts";
import { connectTo, quiet, speakLines, type Wire } from "../transports.ts";

let dir: string;
let count = 0;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "jeeves-socket-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));
let server: SocketServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const events = quiet();
const serve = async (options: Partial<Parameters<typeof serveSocket>[1]> = {}) => {
  const made = await serveSocket(profile, { path: join(dir, `s${++count}`), events, env: {}, ...options });
  server = made;
  return made;
};
const wait = (args: object, id = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "wait", arguments: args } });
const TOKEN = "the-token";
const withToken = (line: string, token: unknown) => {
  const message = JSON.parse(line);
  return JSON.stringify({ ...message, params: { ...message.params, _meta: { "jeeves/token": token } } });
};
/** Asks for an answer of so many characters. */
const long = (chars: number) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "echo", arguments: { text: "xxxx", times: chars / 4 } },
  });

async function readLines(socket: NodeJS.ReadableStream): Promise<Wire[]> {
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  await once(socket, "end");
  const text = Buffer.concat(parts).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("a Unix socket", () => {
  it("answers a client that has closed its half, a last line without its newline too", async () => {
    const { path } = await serve();
    const socket = await connectTo({ path });
    socket.end(`${wait({ ms: 200 }, 1)}\n{"jsonrpc":"2.0","id":2,"method":"ping"}`);
    const answers = await readLines(socket);
    expect(answers.map((answer) => answer.id).sort()).toEqual([1, 2]);
    expect(answers.find((answer) => answer.id === 1).result.content[0].text).toBe("waited");
  });

  it("the same over TCP", async () => {
    const tcp = await serveTcp(profile, { port: 0, events, env: {}, tokens: [TOKEN] });
    server = tcp;
    const socket = await connectTo({ port: tcp.port });
    // the uid of a client that has closed its half proves nothing.
    socket.end(`${withToken(wait({ ms: 100 }, 1), TOKEN)}\n`);
    expect((await readLines(socket)).map((answer) => answer.result.content[0].text)).toEqual(["waited"]);
  });

  it("a client that is gone looks like one that has finished asking: its calls are aborted after the drain", async () => {
    const { path } = await serve({ drainMs: 200 });
    const note = join(dir, "gone");
    const socket = await connectTo({ path });
    socket.write(`${wait({ ms: 60_000, note })}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n`);
    await once(socket, "data");
    socket.destroy();
    await expect.poll(() => existsSync(note) && readFileSync(note, "utf8"), { timeout: 10_000 }).toBe("aborted");
  });

  it("each connection is a session of its own", async () => {
    const { path } = await serve();
    const [one, two] = [await connectTo({ path }), await connectTo({ path })];
    const [first, second] = [speakLines(one, one), speakLines(two, two)];
    const hello = (name: string) =>
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", clientInfo: { name, version: "1" } },
      });
    await first.send(hello("claude-code"), 1);
    await second.send(hello("somebody"), 1);
    const who = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "who" } });
    const nameOf = (answer: Wire) => JSON.parse(answer.result.content[0].text).client.name;
    expect(nameOf(await first.send(who, 2))).toBe("claude-code");
    expect(nameOf(await second.send(who, 2))).toBe("somebody");
    one.destroy();
    two.destroy();
  });

  it("X-31 a server may have a profile for each connection: it knows where from, and when it is over", async () => {
    const path = join(dir, "each");
    const heard: unknown[] = [];
    const over: string[] = [];
    let count = 0;
    const made = await serveSocket(
      ({ from, closed }) => {
        const name = `connection ${++count} from ${from}`;
        void closed.then(() => over.push(name));
        return {
          ...profile,
          name,
          methods: {
            "test/echo": async (params) => ({ got: params }),
            "test/fail": () => Promise.reject(new Error("no")),
          },
          notifications: { "test/heard": (params) => heard.push([name, params]) },
        };
      },
      { path, events, env: {} },
    );
    server = made;
    const sockets = [await connectTo({ path }), await connectTo({ path })];
    const [one, two] = sockets.map((socket) => speakLines(socket, socket));
    const hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
    const names = [
      (await one?.send(hello, 1))?.result.serverInfo.name,
      (await two?.send(hello, 1))?.result.serverInfo.name,
    ];
    expect(names.sort()).toEqual([`connection 1 from ${path}`, `connection 2 from ${path}`]);
    sockets[0]?.write(
      '{"jsonrpc":"2.0","method":"test/heard","params":{"a":1}}\n{"jsonrpc":"2.0","method":"test/unknown"}\n',
    );
    const echoed = await one?.send('{"jsonrpc":"2.0","id":2,"method":"test/echo","params":{"n":21}}', 2);
    expect(echoed.result).toEqual({ got: { n: 21 } });
    expect(heard.map((one) => (Array.isArray(one) ? one[1] : one))).toEqual([{ a: 1 }]);
    const failed = await one?.send('{"jsonrpc":"2.0","id":3,"method":"test/fail"}', 3);
    expect(failed.error.code).toBe(-32603);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => over.length, { timeout: 30_000 }).toBe(2);
  });

  it("only its owner may connect", async () => {
    const { path } = await serve();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("a socket that a dead server left is replaced; one that answers, and a file, are not", async () => {
    const path = join(dir, "left");
    const other = createServer().listen(path);
    await once(other, "listening");
    await expect(serveSocket(profile, { path, events, env: {} })).rejects.toThrow("EADDRINUSE");
    // close() would remove the file; a process that was killed does not.
    renameSync(path, `${path}-kept`);
    other.close();
    await once(other, "close");
    renameSync(`${path}-kept`, path);
    const { path: served } = await serve({ path });
    const socket = await connectTo({ path: served });
    const client = speakLines(socket, socket);
    expect((await client.send('{"jsonrpc":"2.0","id":1,"method":"ping"}', 1)).result).toEqual({});
    socket.destroy();

    const file = join(dir, "file");
    writeFileSync(file, "precious");
    for (const taken of [file, dir]) {
      const failure = serveSocket(profile, { path: taken, events, env: {} });
      await expect(failure).rejects.toMatchObject({ code: "EEXIST", message: expect.stringContaining(taken) });
    }
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  it("a directory that is not there is called so", async () => {
    const path = join(dir, "not-there", "s");
    await expect(serveSocket(profile, { path, events, env: {} })).rejects.toMatchObject({ code: "ENOENT" });
  });

  it.runIf(process.platform === "linux")(
    "the socket of a living server that is too busy to answer is left alone",
    async () => {
      const path = join(dir, `s${++count}`);
      const busy =
        "require('net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => {" +
        " require('fs').writeSync(1, 'up'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000); })";
      const child = spawn(process.execPath, ["-e", busy, path], { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      const queue: Socket[] = [];
      const queued = () =>
        new Promise<boolean>((resolve) => {
          const socket = connect({ path });
          queue.push(socket);
          socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
        });
      while (queue.length < 100 && (await queued()));
      await expect(serveSocket(profile, { path, events, env: {} })).rejects.toThrow("EADDRINUSE");
      expect(statSync(path).isSocket()).toBe(true);
      for (const socket of queue) socket.destroy();
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  );

  it("a client too many is refused, and the others go on", async () => {
    const { path } = await serve({ maxConnections: 1 });
    const first = await connectTo({ path });
    const client = speakLines(first, first);
    await client.send('{"jsonrpc":"2.0","id":1,"method":"ping"}', 1);
    const second = await connectTo({ path });
    second.on("error", () => {});
    second.resume();
    await once(second, "end");
    second.destroy();
    expect((await client.send('{"jsonrpc":"2.0","id":2,"method":"ping"}', 2)).result).toEqual({});
    first.destroy();
  });

  it("stop lets calls in flight finish, takes the file away, and says how it went", async () => {
    const made = await serve();
    const socket = await connectTo({ path: made.path });
    const answers = readLines(socket);
    socket.write(`${wait({ ms: 200 })}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n`);
    await once(socket, "data");
    expect(await made.stop()).toEqual({ graceful: true });
    expect((await answers).map((answer) => answer.id)).toContain(1);
    expect(existsSync(made.path)).toBe(false);
    server = undefined;
  });

  it("R-04 stop leaves the socket alone that another server has bound to the same path since", async () => {
    const first = await serve();
    rmSync(first.path);
    const second = await serve({ path: first.path });
    await first.stop();
    const socket = await connectTo({ path: second.path });
    const client = speakLines(socket, socket);
    expect((await client.send('{"jsonrpc":"2.0","id":1,"method":"ping"}', 1)).result).toEqual({});
    socket.destroy();
    await second.stop();
    server = undefined;
    expect(readdirSync(dir).filter((name) => name.startsWith(basename(first.path)))).toEqual([]);
  });

  it("stop aborts what would not finish", async () => {
    const made = await serve({ drainMs: 50 });
    const socket = await connectTo({ path: made.path });
    socket.write(`${wait({ ms: 60_000 })}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n`);
    await once(socket, "data");
    expect(await made.stop()).toEqual({ graceful: false });
    socket.destroy();
    server = undefined;
  });

  it("R-04 a client that does not read its answers cannot keep the server from stopping", async () => {
    const made = await serve({ drainMs: 50 });
    const socket = await connectTo({ path: made.path });
    socket.pause();
    socket.write(`${long(4_000_000)}\n`);
    await once(socket, "readable"); // the first part of an answer that does not fit into the buffers
    expect(await made.stop()).toEqual({ graceful: false });
    expect(existsSync(made.path)).toBe(false);
    socket.destroy();
    server = undefined;
  });

  it("a client that has finished asking and does not read is let go, so that another one finds room", async () => {
    const { path } = await serve({ drainMs: 50, maxConnections: 1 });
    const socket = await connectTo({ path });
    socket.pause();
    socket.end(`${long(4_000_000)}\n`);
    await once(socket, "readable");
    const isAnswered = async () => {
      const next = await connectTo({ path });
      next.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
      const answers = await readLines(next).catch(() => []);
      return answers.length === 1;
    };
    await expect.poll(isAnswered, { timeout: 20_000 }).toBe(true);
    socket.destroy();
  });
});

describe("TCP", () => {
  it("is loopback only", async () => {
    for (const host of ["0.0.0.0", "::", "192.168.0.1"]) {
      await expect(serveTcp(profile, { host, port: 0, events, env: {} })).rejects.toThrow("loopback");
    }
  });

  describe("X-55 a connection ends at its first line that is no JSON object, before anything behind it is read", () => {
    const path = "a".repeat(3_000);
    const post = (target: string) =>
      `POST /${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\n\r\n`;
    const openings: readonly (readonly [string, string, number])[] = [
      ["a web page's request", post(""), -32700],
      ["one with a long path", post(path), -32700],
      ["a TLS handshake, whose session ticket may hold any line", "\x16\x03\x01\x02\x00\x01\n", -32700],
      ["a TURN request, whose user name may hold any line", "\x00\x03\x00\x08\x21\x12\xa4\x42\n", -32700],
      ["a text", "not json\n", -32700],
      ["a string", '"x"\n', -32600],
      ["a line that is too long", `${" ".repeat(70_000)}{}\n`, -32600],
    ];
    it.each(openings)("%s", async (_, opening, code) => {
      const tcp = await serveTcp(profile, { port: 0, events, env: {}, maxLineBytes: 65_536, tokens: [TOKEN] });
      server = tcp;
      const note = join(dir, `from-a-page-${++count}`);
      const socket = await connectTo({ port: tcp.port });
      const answers = readLines(socket);
      socket.write(`${opening}${withToken(wait({ ms: 0, note }), TOKEN)}\n`, "latin1");
      expect((await answers).map((answer) => answer.error.code)).toEqual([code]);
      expect(existsSync(note)).toBe(false);
      socket.destroy();
    });

    it("blank lines, spaces and a byte order mark are no reason", async () => {
      const tcp = await serveTcp(profile, { port: 0, events, env: {}, tokens: [TOKEN] });
      server = tcp;
      const socket = await connectTo({ port: tcp.port });
      const answers = readLines(socket);
      const ping = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });
      socket.end(`\r\n \t\n\ufeff${ping(1)}\n \t${ping(2)}\r\n\n{broken\n${ping(3)}`);
      expect((await answers).map((answer) => answer.id).sort()).toEqual([1, 2, 3, null]);
      socket.destroy();
    });
  });

  const list = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" });
  it.runIf(tellsPeers)("X-55 our own user calls without a token", async () => {
    const tcp = await serveTcp(profile, { port: 0, events, env: {} });
    server = tcp;
    const note = join(dir, "own");
    const self = startOtherUser({ as: "self" });
    const said = await self.send(tcp.port, `${list}\n${wait({ ms: 0, note })}\n`, { lines: 2 });
    expect(said).not.toContain("Access denied");
    expect(existsSync(note)).toBe(true);
    await self.close();
  });

  it.runIf(canBeOtherUser)("X-55 R-11 another user may list, and calls only with the token", async () => {
    const dialects = { plain: profile, words: { ...profile, unknownTool: "error_result" as const } };
    const other = startOtherUser();
    for (const [name, dialect] of Object.entries(dialects)) {
      const tcp = await serveTcp(dialect, { port: 0, events, env: {}, tokens: [TOKEN] });
      const note = join(dir, `other-${name}`);
      const left = `${note}-left`;
      const call = wait({ ms: 0, note });
      expect(await other.send(tcp.port, `${list}\n`)).toContain('"tools":[');
      for (const line of [call, withToken(call, "wrong"), withToken(call, [TOKEN]), withToken(call, "")]) {
        const said = JSON.parse(await other.send(tcp.port, `${line}\n`));
        if (name === "plain") expect(said.error).toMatchObject({ code: -32003, message: "Access denied" });
        else expect(said.result).toMatchObject({ isError: true });
        expect(JSON.stringify(said)).toMatch(/Access denied.*jeeves token/);
      }
      for (const leaving of ["end", "destroy", "reset"] as const) {
        await other.sendAndLeave(tcp.port, `${wait({ ms: 0, note: left })}\n`, { times: 20, leaving });
      }
      expect(existsSync(note)).toBe(false);
      await other.send(tcp.port, `${withToken(call, TOKEN)}\n`);
      expect(existsSync(note)).toBe(true);
      await tcp.stop(); // lets what is under way finish
      expect(existsSync(left)).toBe(false);
    }
    await other.close();
  });
});
