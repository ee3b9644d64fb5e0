// JSON-RPC in one POST: a message or a batch in, the answer or answers out. Each POST has a session of its own. JSON-RPC
// errors have the status 200 (D-04); where there is no answer, the status is 202 without a body.
import { type Exchange, type HttpAnswer, type HttpRoute, requireJson } from "../../http/index.ts";
import type { BatchLimits } from "../batch.ts";
import type { Dispatcher } from "../dispatch.ts";
import { parseJson } from "../json-rpc.ts";
import type { Reply } from "../reply.ts";
import { createSession } from "../session.ts";

/** A route for JSON-RPC by POST. */
export function createRpcRoute(
  dispatcher: Dispatcher,
  options: { readonly path: string; readonly batch?: BatchLimits },
): HttpRoute {
  return {
    path: options.path,
    methods: ["POST"],
    // Open to every local client; a tool that shows more to the owner checks the caller itself.
    access: "handler",
    handle: (exchange) => answerRpc(dispatcher, exchange, options.batch),
  };
}

/** Answers the message or batch of one POST. */
export async function answerRpc(
  dispatcher: Dispatcher,
  exchange: Exchange,
  limits: BatchLimits = {},
): Promise<HttpAnswer> {
  requireJson(exchange.request);
  const parsed = parseJson(await exchange.readBody());
  if (parsed.kind !== "value") return toAnswer(dispatcher.unreadable());

  const { value } = parsed;
  // Notifications cannot be sent: the response is the answer alone.
  const access = { isOwner: () => exchange.isOwner(), ownerOnly: false };
  const session = createSession({ notify: () => {}, access, isStateless: true });
  const abort = () => session.abortAll();
  exchange.signal.addEventListener("abort", abort, { once: true });
  try {
    return toAnswer(
      await (Array.isArray(value)
        ? dispatcher.receiveBatch(value, session, limits)
        : dispatcher.receiveValue(value, session)),
    );
  } finally {
    exchange.signal.removeEventListener("abort", abort);
  }
}

function toAnswer(reply: Reply | undefined): HttpAnswer {
  if (reply === undefined) return { status: 202 };
  return {
    status: 200,
    body: reply.text,
    ...(reply.thenClose ? { headers: { connection: "close" } } : {}),
    sent: (error) => reply.sent(error),
  };
}
