// JSON-RPC in one POST: a message or a batch in, the answer or answers out. Each POST is a session of its own; errors
// of JSON-RPC are HTTP 200 (D-04), and what wants no answer is 202 without a body.
import { type Exchange, type HttpAnswer, type HttpRoute, requireJson } from "../../http/index.ts";
import type { Dispatcher } from "../dispatch.ts";
import { parseJson, toFrame } from "../json-rpc.ts";
import type { Reply } from "../reply.ts";
import { createSession, type Session } from "../session.ts";

const MAX_BATCH = 100;
/** Of one batch at once: its answers are held until the last one is there. */
const MAX_AT_ONCE = 8;
/** All answers of one batch: a string has an end, and so has the memory of all. */
const MAX_BATCH_ANSWER_CHARS = 64 * 1024 * 1024;

interface RpcOptions {
  readonly maxBatchAnswerChars?: number;
}

export function createRpcRoute(dispatcher: Dispatcher, options: RpcOptions & { readonly path: string }): HttpRoute {
  return {
    path: options.path,
    methods: ["POST"],
    // Open to every local client; a tool that shows more to the owner asks who calls.
    access: "handler",
    handle: (exchange) => answerRpc(dispatcher, exchange, options),
  };
}

export async function answerRpc(
  dispatcher: Dispatcher,
  exchange: Exchange,
  options: RpcOptions = {},
): Promise<HttpAnswer> {
  requireJson(exchange.request);
  const parsed = parseJson(await exchange.readBody());
  if (parsed.kind !== "value") return toAnswer([dispatcher.unreadable()], { isBatch: false });

  const { value } = parsed;
  // Nothing can be told to somebody who is waiting for one answer.
  const access = { isOwner: () => exchange.isOwner(), ownerOnly: false };
  const session = createSession({ notify: () => {}, access, isStateless: true });
  const abort = () => session.abortAll();
  exchange.signal.addEventListener("abort", abort, { once: true });
  try {
    if (!Array.isArray(value)) return toAnswer([await dispatcher.receiveValue(value, session)], { isBatch: false });
    if (value.length === 0 || value.length > MAX_BATCH) {
      return toAnswer([dispatcher.refuse(`a batch has 1 to ${MAX_BATCH} messages`)], { isBatch: false });
    }
    return toAnswer(await answerEach(value, { dispatcher, session, options }), { isBatch: true });
  } finally {
    exchange.signal.removeEventListener("abort", abort);
  }
}

/** In order, a few at a time. Once the answers are too long together, what is left is refused and not run. */
async function answerEach(
  messages: readonly unknown[],
  on: { readonly dispatcher: Dispatcher; readonly session: Session; readonly options: RpcOptions },
): Promise<readonly (Reply | undefined)[]> {
  const { dispatcher, session, options } = on;
  const { maxBatchAnswerChars: maxChars = MAX_BATCH_ANSWER_CHARS } = options;
  const replies: (Reply | undefined)[] = new Array(messages.length);
  let next = 0;
  let chars = 0;
  const answerOne = (message: unknown): Reply | Promise<Reply | undefined> => {
    if (chars <= maxChars) return dispatcher.receiveValue(message, session);
    const frame = toFrame(message);
    if (frame.kind !== "request") return dispatcher.receiveValue(message, session);
    return dispatcher.refuse(`the answers before it hold ${chars} characters; send this one by itself`, frame.id);
  };
  const answerSome = async (): Promise<void> => {
    while (next < messages.length) {
      const at = next++;
      const reply = await answerOne(messages[at]);
      replies[at] = reply;
      chars += reply?.text.length ?? 0;
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, answerSome));
  return replies;
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
