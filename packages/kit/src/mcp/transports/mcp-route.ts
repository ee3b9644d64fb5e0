// `/mcp`: Streamable HTTP for clients that speak it, plain JSON-RPC for the rest (D-03). The SDK's half is loaded with
// the first request that needs it. Calls are for the user who started the server; listing tools is open to others.
import type { IncomingHttpHeaders } from "node:http";
import { type Exchange, type HttpRoute, methodNotAllowed } from "../../http/index.ts";
import type { Dispatcher } from "../dispatch.ts";
import { parseJson } from "../json-rpc.ts";
import { isOpenMessage } from "./open-methods.ts";
import { answerRpc } from "./rpc-route.ts";
import type { StreamableHttp, StreamableHttpOptions } from "./streamable-http.ts";

/** A route that serves MCP by Streamable HTTP; the SDK's part loads with the first request. */
export function createMcpRoute(
  dispatcher: Dispatcher,
  options: Omit<StreamableHttpOptions, "dispatcher"> & { readonly path: string },
): HttpRoute {
  let loading: Promise<StreamableHttp> | undefined;
  const load = async () => (await import("./streamable-http.ts")).createStreamableHttp({ ...options, dispatcher });
  return {
    path: options.path,
    methods: ["POST", "GET", "DELETE"],
    access: "handler",
    async handle(given) {
      const exchange = await admit(given);
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

/** Checks the client, and returns the exchange with the body that was read for that. */
async function admit(exchange: Exchange): Promise<Exchange> {
  if (exchange.request.method !== "POST") {
    await exchange.requireOwner();
    return exchange;
  }
  const body = await exchange.readBody();
  const parsed = parseJson(body);
  const isOpen = parsed.kind === "value" && [parsed.value].flat().every(isOpenMessage);
  if (!isOpen) await exchange.requireOwner();
  return { ...exchange, readBody: async () => body };
}

function isStreamable(headers: IncomingHttpHeaders): boolean {
  return (
    /\btext\/event-stream\b/i.test(headers.accept ?? "") ||
    headers["mcp-session-id"] !== undefined ||
    headers["mcp-protocol-version"] !== undefined
  );
}
