// The bridge with servers that die: scripted ones, which do exactly one thing wrong, and the real one.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { answeredIds, OPERATION, readClientLine } from "../../src/mcp/bridge-messages.ts";
import { findServer } from "../../src/mcp/server/haven-server.ts";
import { type Json, makeProject, type TestHaven } from "../haven-under-test.ts";
import { builtPath } from "./server-under-test.ts";

const tests: TestHaven[] = [];
const children: ChildProcessWithoutNullStreams[] = [];
const servers: ScriptedServer[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const server of servers.splice(0)) await server.die();
  for (const test of tests.splice(0)) {
    await test.bin(["mcp", "stop"]);
    test.remove();
  }
});

async function haven(): Promise<TestHaven> {
  const test = await makeProject(2);
  tests.push(test);
  return test;
}

interface Client {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: readonly Json[];
  send(message: object): void;
  /** The answer to the request with this id. */
  answer(id: number): Promise<Json>;
  end(): Promise<number>;
}

function bridge(socket: string, env: Readonly<Record<string, string>>): Client {
  const child = spawn(process.execPath, [builtPath("rudder-bridge.js"), socket], { env, stdio: "pipe" });
  children.push(child);
  const lines: Json[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((line) => JSON.parse(line)));
    for (const look of waiting) look();
  });
  child.stderr.resume();
  return {
    child,
    lines,
    send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    answer: (id) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = lines.find((line) => line.id === id);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async end() {
      child.stdin.end();
      const [code] = await once(child, "close");
      return code;
    },
  };
}

interface ScriptedServer {
  /** Every message that was received, over all connections. */
  readonly heard: readonly Json[];
  die(): Promise<void>;
}

/** Answers each request with its method, unless the script does something else with it. */
async function scripted(
  path: string,
  act: (message: Json, socket: Socket, die: () => void) => boolean = () => false,
): Promise<ScriptedServer> {
  rmSync(path, { force: true });
  const heard: Json[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let rest = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      for (const message of parts.map((line) => JSON.parse(line))) {
        heard.push(message);
        if (act(message, socket, () => void own.die()) || message.id === undefined) continue;
        socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { by: message.method } })}\n`);
      }
    });
  });
  server.listen(path);
  await once(server, "listening");
  const own: ScriptedServer = {
    heard,
    async die() {
      server.close();
      for (const socket of sockets) socket.destroy();
      rmSync(path, { force: true });
    },
  };
  servers.push(own);
  return own;
}

const call = (id: number, name = "task_log", meta?: object) => ({
  id,
  method: "tools/call",
  params: { name, arguments: { n: id }, ...(meta === undefined ? {} : { _meta: meta }) },
});
const operationsIn = (heard: readonly Json[]): string[] =>
  heard.filter(({ method }) => method === "tools/call").map(({ params }) => params._meta[OPERATION]);

describe("the bridge", () => {
  it("X-29 after a server's death every later call failed: it connects again, and repeats what was not answered", async () => {
    const test = await haven();
    const path = join(test.dir, "x.sock");
    // Dies when it has heard the second call, as one that was killed between applying and answering it.
    const first = await scripted(path, ({ id }, _socket, die) => {
      if (id === 3) die();
      return id === 3;
    });
    const client = bridge(path, test.env({ RUDDER_AGENT: "ada" }));
    client.send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } });
    await client.answer(1);
    client.send({ method: "notifications/initialized" });
    client.send(call(2));
    await client.answer(2);
    client.send(call(3));
    client.send(call(4));
    await expect.poll(() => first.heard.some(({ id }) => id === 3)).toBe(true);
    const second = await scripted(path);
    expect(await client.answer(3)).toMatchObject({ result: { by: "tools/call" } });
    expect(await client.answer(4)).toMatchObject({ result: { by: "tools/call" } });
    // The same operation, the same words: the server can tell that it is the same call.
    const repeated = first.heard.find(({ id }) => id === 3);
    expect(second.heard.find(({ id }) => id === 3)).toEqual(repeated);
    // It introduced itself and its client again, and the client never saw the second answer.
    expect(second.heard.slice(0, 3).map(({ method }) => method)).toEqual([
      "rudder/caller",
      "initialize",
      "notifications/initialized",
    ]);
    expect(client.lines.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(second.heard.some(({ id }) => id === 2)).toBe(false);
    expect(await client.end()).toBe(0);
  });

  it("X-29 a call that is made while there is no server waits for one", async () => {
    const test = await haven();
    const path = join(test.dir, "x.sock");
    const client = bridge(path, test.env());
    client.send(call(1));
    client.send({ method: "notifications/whatever" });
    await once(client.child.stderr, "data"); // it has said that nobody answers
    const server = await scripted(path);
    expect(await client.answer(1)).toMatchObject({ result: { by: "tools/call" } });
    await expect.poll(() => server.heard.map(({ method }) => method)).toContain("notifications/whatever");
    expect(await client.end()).toBe(0);
  });

  it("X-29 what the client took back is not repeated", async () => {
    const test = await haven();
    const path = join(test.dir, "x.sock");
    const first = await scripted(path, ({ method }) => method === "tools/call");
    const client = bridge(path, test.env());
    client.send(call(1));
    client.send(call(2));
    client.send({ method: "notifications/cancelled", params: { requestId: 1 } });
    await expect.poll(() => first.heard.length).toBe(3);
    await first.die();
    const second = await scripted(path);
    await client.answer(2);
    expect(second.heard.map(({ id }) => id)).toEqual([2]);
  });

  it("X-29 the real server, killed: the next caller has it started again", async () => {
    const test = await haven();
    expect((await test.bin(["mcp", "start"])).code).toBe(0);
    const client = bridge(
      join(test.haven, "mcp.sock"),
      test.env({ RUDDER_AGENT: "ada", SAILING_PROJECT: test.project }),
    );
    client.send(call(1, "versions"));
    await client.answer(1);
    const pid = (await findServer(test.haven))?.pid ?? 0;
    process.kill(pid, "SIGKILL");
    client.send({ id: 2, method: "tools/call", params: { name: "assign_claim", arguments: { task_id: "T001" } } });
    expect((await client.answer(2)).result.content[0].text).toContain("claimed: ada");
    expect((await findServer(test.haven))?.pid).not.toBe(pid);
    expect(await client.end()).toBe(0);
  });
});

describe("operation ids", () => {
  it("X-29 every call has one of its own, within 128 plain signs; one that the client gave stays", async () => {
    const test = await haven();
    const path = join(test.dir, "x.sock");
    const server = await scripted(path);
    const client = bridge(path, test.env());
    client.send(call(1));
    client.send(call(2, "task_log", { progressToken: 7 }));
    client.send(call(3, "task_log", { [OPERATION]: "mine:1" }));
    await client.answer(3);
    const operations = operationsIn(server.heard);
    expect(new Set(operations).size).toBe(3);
    expect(operations[2]).toBe("mine:1");
    for (const operation of operations) expect(operation).toMatch(/^[A-Za-z0-9_.:-]{1,128}$/);
    expect(server.heard[1].params._meta.progressToken).toBe(7);
  });

  it("X-29 a call is changed by that one field, whatever it holds and however it is written", () => {
    const inner = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom({ params: {} }, { _meta: { params: {} } }, "}{", '"params":{'),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), inner),
        fc.option(fc.dictionary(fc.string(), inner)),
        fc.boolean(),
        (args, meta, isWide) => {
          const message = {
            before: { params: { x: 1 } },
            params: { name: "x", arguments: args, ...(meta === null ? {} : { _meta: meta }) },
            id: 1,
            method: "tools/call",
          };
          const text = JSON.stringify(message, null, isWide ? 2 : 0);
          const read = readClientLine(text, () => "op");
          const changed = JSON.parse(read.text);
          expect(changed.params._meta).toEqual({ ...meta, [OPERATION]: meta?.[OPERATION] ?? "op" });
          delete changed.params._meta;
          const { _meta: _gone, ...params } = JSON.parse(text).params;
          expect(changed).toEqual({ ...JSON.parse(text), params });
        },
      ),
    );
  });

  it("X-29 numbers that JavaScript cannot hold, and lines that are no messages, pass as they are", () => {
    const big = '{"id":12345678901234567890,"method":"tools/call","params":{"n":1e999}}';
    expect(readClientLine(big, () => "op").text).toBe(
      big.replace('"params":{', '"params":{"_meta":{"jeeves/operation":"op"},'),
    );
    for (const text of ["", "{", "[]", "null", '{"id":1}', '{"method":3}']) {
      expect(readClientLine(text, () => "op")).toEqual({ text });
    }
    expect(answeredIds('{"id":1,"result":{}}')).toEqual(["1"]);
    expect(answeredIds('[{"id":"a","result":{}},{"method":"x","id":2}]')).toEqual(['"a"']);
    expect(answeredIds("bye")).toBeUndefined();
  });
});
