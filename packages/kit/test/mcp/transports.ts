// The same server behind each transport, for the contract suite: what is asked in, what comes back out.
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough, type Writable } from "node:stream";
import { createEvents } from "../../src/events/index.ts";
import { createMcpRoute, createRpcRoute } from "../../src/mcp/http.ts";
import { createDispatcher, serveSocket, serveTcp } from "../../src/mcp/index.ts";
import { buildFixtureServer, startServer } from "../fixture-server.ts";
import { profile } from "../fixture-tools.ts";
import { serveRoutes } from "../http/serving.ts";

// biome-ignore lint/suspicious/noExplicitAny: what comes off the wire is looked at field by field
export type Wire = any;

export interface Client {
  /** Sends a text as one message; resolves with what comes back for the id, or for null where it has none. */
  send(text: string, id: string | number | null): Promise<Wire>;
  /** Sends what wants no answer, and resolves once it has been taken. */
  tell(text: string): Promise<void>;
}

export interface Transport {
  readonly name: string;
  open(): Promise<Client & { close(): Promise<void> }>;
}

export const quiet = () => createEvents({ stderr: new PassThrough().resume() });

const env = {};

/** Sent with every call: not every system tells the user at the other end of a connection. */
export const TOKEN = "the-token";
export const AUTH = { authorization: `Bearer ${TOKEN}` };

/** A line of JSON with the token; any other as it is. */
function withToken(text: string): string {
  try {
    const message: Wire = JSON.parse(text);
    return JSON.stringify({ ...message, params: { ...message.params, _meta: { "jeeves/token": TOKEN } } });
  } catch {
    return text;
  }
}

/** Answers are found by their id; several calls may be under way. */
export function speakLines(input: NodeJS.ReadableStream, output: Writable): Client {
  const arrived: Wire[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input }).on("line", (line) => {
    arrived.push(JSON.parse(line));
    for (const look of [...waiting]) look();
  });
  return {
    send: (text, id) =>
      new Promise((resolve) => {
        const look = () => {
          const at = arrived.findIndex((message) => message.id === id);
          if (at < 0) return;
          waiting.delete(look);
          resolve(arrived.splice(at, 1)[0]);
        };
        waiting.add(look);
        output.write(`${text}\n`);
      }),
    tell: (text) => new Promise((resolve) => void output.write(`${text}\n`, () => resolve())),
  };
}

export async function connectTo(where: { readonly path: string } | { readonly port: number }): Promise<Socket> {
  const socket = connect({ ...where, allowHalfOpen: true });
  await once(socket, "connect");
  return socket;
}

const stdio: Transport = {
  name: "stdio",
  async open() {
    const built = await buildFixtureServer();
    const server = startServer(built.file);
    return {
      ...speakLines(server.child.stdout, server.child.stdin),
      async close() {
        server.child.stdin.end();
        await server.exit();
        await built.remove();
      },
    };
  },
};

const unixSocket: Transport = {
  name: "a Unix socket",
  async open() {
    const dir = await mkdtemp(join(tmpdir(), "jeeves-kit-"));
    const server = await serveSocket(profile, { path: join(dir, "s"), events: quiet(), env });
    const socket = await connectTo(server);
    return {
      ...speakLines(socket, socket),
      async close() {
        socket.end();
        await server.stop();
        await rm(dir, { recursive: true, force: true });
      },
    };
  },
};

const tcp: Transport = {
  name: "TCP",
  async open() {
    const server = await serveTcp(profile, { port: 0, events: quiet(), env, tokens: [TOKEN] });
    const socket = await connectTo({ port: server.port });
    const client = speakLines(socket, socket);
    return {
      ...client,
      send: (text, id) => client.send(withToken(text), id),
      async close() {
        socket.end();
        await server.stop();
      },
    };
  },
};

async function post(url: string, text: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...AUTH, ...headers },
    body: text,
  });
}

const rpc: Transport = {
  name: "/rpc",
  async open() {
    const events = quiet();
    const server = await serveRoutes([createRpcRoute(createDispatcher(profile, { events, env }), { path: "/rpc" })]);
    const url = `${server.url}/rpc`;
    return {
      send: async (text) => (await post(url, text)).json(),
      tell: async (text) => {
        const response = await post(url, text);
        if (response.status !== 202 || (await response.text()) !== "") throw new Error("not 202 without a body");
      },
      close: async () => void (await server.stop()),
    };
  },
};

const mcp: Transport = {
  name: "/mcp",
  async open() {
    const events = quiet();
    const dispatcher = createDispatcher(profile, { events, env });
    const route = createMcpRoute(dispatcher, { path: "/mcp", profile, events, maxBodyBytes: 1 << 26 });
    const server = await serveRoutes([route], { ownerTokens: [TOKEN] });
    const url = `${server.url}/mcp`;
    const accept = "application/json, text/event-stream";
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const first = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello }), {
      accept,
    });
    const headers = { accept, "mcp-session-id": first.headers.get("mcp-session-id") ?? "" };
    await first.text();
    return {
      async send(text) {
        // The SDK gives a session one initialize; a second one is a session of its own.
        const response = await post(url, text, text.includes('"initialize"') ? { accept } : headers);
        const body = await response.text();
        const data = /^data: (.*)$/m.exec(body)?.[1];
        return JSON.parse(data ?? body);
      },
      tell: async (text) => {
        const response = await post(url, text, headers);
        if (response.status !== 202) throw new Error(`HTTP ${response.status}`);
      },
      close: async () => void (await server.stop()),
    };
  },
};

export const TRANSPORTS: readonly Transport[] = [stdio, unixSocket, tcp, rpc, mcp];
