// A profile as the SDK's low-level Server. It chooses the protocol version, answers `initialize`, `ping` and
// `server/discover`, cancels, and completes results for their version. All other methods come through its fallback handler:
// with a handler per method, the SDK would validate the parameters and answer with its own messages (J-23).

import { isRecord } from "@jeeves/base";
import {
  CLIENT_INFO_META_KEY,
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Answer } from "../call/answer.ts";
import { answerMethod } from "../call/answer-method.ts";
import type { CallContext, Incoming } from "../call/call-tool.ts";
import type { ClientIdentity } from "../client.ts";

/** A request from the SDK, with a callback for its answer. */
export interface ServedRequest extends Incoming {
  answered(answer: Answer): void;
}

/** An SDK server for one connection or one request. */
export function createSdkServer(
  context: CallContext,
  serve: (request: JSONRPCRequest, sdk: ServerContext) => ServedRequest,
): Server {
  const { name, version, instructions } = context.profile;
  const server = new Server(
    { name, version },
    { capabilities: { tools: { listChanged: false } }, ...(instructions === undefined ? {} : { instructions }) },
  );
  server.fallbackRequestHandler = async (request, sdk): Promise<Result> => {
    const served = serve(request, sdk);
    const answer = await answerMethod(request.method, served, context);
    served.answered(answer);
    if (answer.kind === "result") return answer.result;
    if (answer.kind === "cancelled") return {}; // the SDK sends nothing for a request that its client has cancelled
    const { code, message, data } = answer.failure;
    throw new ProtocolError(code, message, data);
  };
  return server;
}

/** The client in the envelope of a request (MCP 2026-07-28); undefined without an envelope. */
export function clientInEnvelope(sdk: ServerContext): ClientIdentity | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = sdk.mcpReq.envelope;
  const info = envelope?.[CLIENT_INFO_META_KEY];
  if (!isRecord(info)) return undefined;
  const { name, version } = info;
  return { name: typeof name === "string" ? name : "", version: typeof version === "string" ? version : "" };
}
