// JSON-RPC in one POST: a message or a batch in, the answer or answers out. Each POST is a session of its own; errors
// of JSON-RPC are HTTP 200 (D-04), and what wants no answer is 202 without a body.
import { type Exchange, type HttpAnswer, type HttpRoute, requireJson } from "../http/index.ts";
import type { Dispatcher } from "./dispatch.ts";
import { parseJson } from "./json-rpc.ts";
import type { Reply } from "./reply.ts";
import { createSession } from "./session.ts";

const MAX_BATCH = 100;

export function createRpcRoute(dispatcher: Dispatcher, options: { readonly path: string }): HttpRoute {
  return { path: options.path, methods: ["POST"], handle: (exchange) => answerRpc(dispatcher, exchange) };
}

export async function answerRpc(dispatcher: Dispatcher, exchange: Exchange): Promise<HttpAnswer> {
  requireJson(exchange.request);
  const parsed = parseJson(await exchange.readBody());
  if (parsed.kind !== "value") return toAnswer([dispatcher.unreadable()], { isBatch: false });

  const { value } = parsed;
  // Nothing can be told to somebody who is waiting for one answer.
  const session = createSession({ notify: () => {} });
  const abort = () => session.abortAll();
  exchange.signal.addEventListener("abort", abort, { once: true });
  try {
    if (!Array.isArray(value)) return toAnswer([await dispatcher.receiveValue(value, session)], { isBatch: false });
    if (value.length === 0 || value.length > MAX_BATCH) {
      return toAnswer([dispatcher.refuse(`a batch has 1 to ${MAX_BATCH} messages`)], { isBatch: false });
    }
    const replies = await Promise.all(value.map((each: unknown) => dispatcher.receiveValue(each, session)));
    return toAnswer(replies, { isBatch: true });
  } finally {
    exchange.signal.removeEventListener("abort", abort);
  }
}

function toAnswer(replies: readonly (Reply | undefined)[], how: { readonly isBatch: boolean }): HttpAnswer {
  const wanted = replies.filter((reply) => reply !== undefined);
  const texts = wanted.map((reply) => reply.text);
  if (texts.length === 0) return { status: 202 };
  return {
    status: 200,
    body: how.isBatch ? `[${texts.join(",")}]` : texts.join(""),
    ...(wanted.some((reply) => reply.thenClose) ? { headers: { connection: "close" } } : {}),
    sent: (error) => {
      for (const reply of wanted) reply.sent(error);
    },
  };
}
