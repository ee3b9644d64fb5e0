// `/mcp`: Streamable HTTP for clients that speak it, plain JSON-RPC for the rest (D-03). The SDK's half is loaded with
// the first request that needs it.
import type { IncomingHttpHeaders } from "node:http";
import { type HttpRoute, methodNotAllowed } from "../http/index.ts";
import type { Dispatcher } from "./dispatch.ts";
import { answerRpc } from "./rpc-route.ts";
import type { StreamableHttp, StreamableHttpOptions } from "./streamable-http.ts";

export function createMcpRoute(
  dispatcher: Dispatcher,
  options: Omit<StreamableHttpOptions, "dispatcher"> & { readonly path: string },
): HttpRoute {
  let loading: Promise<StreamableHttp> | undefined;
  const load = async () => (await import("./streamable-http.ts")).createStreamableHttp({ ...options, dispatcher });
  return {
    path: options.path,
    methods: ["POST", "GET", "DELETE"],
    async handle(exchange) {
      const { request } = exchange;
      if (!isStreamable(request.headers)) {
        if (request.method !== "POST") throw methodNotAllowed(request.method ?? "", ["POST"]);
        return answerRpc(dispatcher, exchange);
      }
      loading ??= load();
      await (await loading).handle(exchange);
      return undefined;
    },
    async close() {
      await (await loading)?.close();
    },
  };
}

function isStreamable(headers: IncomingHttpHeaders): boolean {
  return (
    /\btext\/event-stream\b/i.test(headers.accept ?? "") ||
    headers["mcp-session-id"] !== undefined ||
    headers["mcp-protocol-version"] !== undefined
  );
}
