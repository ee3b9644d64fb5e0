// An HTTP server of ours in this process, with raw ways to talk to it: fetch chooses its own Host and would not send
// half of what these tests must.
import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { createEvents } from "../../src/events/index.ts";
import { type HttpRoute, type HttpServer, type HttpServerOptions, serveHttp } from "../../src/http/index.ts";

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what comes off the wire is looked at field by field
  readonly json: any;
}

export interface Serving extends HttpServer {
  readonly logged: readonly { readonly event: string; readonly data?: Readonly<Record<string, unknown>> }[];
  ask(path: string, how?: Asking): Promise<Answered>;
  raw(): Promise<Socket>;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export async function serveRoutes(
  routes: readonly HttpRoute[],
  options: Partial<Omit<HttpServerOptions, "routes">> = {},
): Promise<Serving> {
  const logged: { event: string; data?: Record<string, unknown> }[] = [];
  const stderr = new PassThrough();
  stderr.on("data", (chunk) => {
    for (const line of String(chunk).split("\n")) if (line !== "") logged.push(JSON.parse(line));
  });
  const events = createEvents({ stderr });
  // Most tests are not about who asks; those that are declare their access.
  const declared = routes.map((route) => ({ access: "open" as const, ...route }));
  const server = await serveHttp({ host: "127.0.0.1", port: 0, events, ...options, routes: declared });
  return {
    ...server,
    logged,
    ask: (path, how) => ask(server.port, path, how),
    async raw() {
      const socket = connect({ host: "127.0.0.1", port: server.port });
      socket.on("error", () => {});
      await once(socket, "connect");
      return socket;
    },
  };
}

export async function ask(port: number, path: string, how: Asking = {}): Promise<Answered> {
  const { method = how.body === undefined ? "GET" : "POST", headers = {}, body } = how;
  const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false });
  asked.end(body);
  const [response] = await once(asked, "response");
  // A server that refuses a body may close while we still send it.
  asked.on("error", () => {});
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  const text = Buffer.concat(parts).toString("utf8");
  const isJson = text !== "" && String(response.headers["content-type"]).startsWith("application/json");
  return { status: response.statusCode, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** All that comes until the other side closes. */
export async function readToEnd(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  await once(socket, "close");
  return Buffer.concat(parts).toString("utf8");
}
