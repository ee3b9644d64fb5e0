// A swe-pruner on loopback that answers as a test tells it to. It stands for a model, nothing else.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakePruner {
  readonly url: string;
  readonly port: number;
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }[];
  close(): Promise<void>;
}

export async function startFakePruner(
  answer: (body: string, response: ServerResponse, path: string) => void,
  options: { readonly port?: number } = {},
): Promise<FakePruner> {
  const requests: FakePruner["requests"] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
    answer(body, response, request.url ?? "");
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/prune`,
    port,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(value));
}
