// A batch: its messages in order, a few at a time. Once the answers are too long together, the remaining requests are
// refused.
import { type RequestId, toFrame } from "./json-rpc.ts";
import { batchReply, type Reply } from "./reply.ts";
import type { Session } from "./session.ts";

/** The dispatcher, as far as a batch needs it. */
interface BatchServer {
  receiveValue(value: unknown, session: Session): Promise<Reply | undefined>;
  refuse(reason: string, id?: RequestId): Reply;
}

/** Limits of one batch. */
export interface BatchLimits {
  /** The length of all answers together, beyond which further requests are refused. Default: 64 Mi characters. */
  readonly maxAnswerChars?: number | undefined;
}

const MAX_MESSAGES = 100;
/** Messages of one batch that run at once. */
const MAX_AT_ONCE = 8;
const MAX_ANSWER_CHARS = 64 * 1024 * 1024;

/** The answers in the order of the messages; undefined where no message wants one. */
export async function answerBatch(
  messages: readonly unknown[],
  on: { readonly server: BatchServer; readonly session: Session; readonly limits?: BatchLimits | undefined },
): Promise<Reply | undefined> {
  const { server, session, limits = {} } = on;
  if (messages.length === 0 || messages.length > MAX_MESSAGES) {
    return server.refuse(`a batch has 1 to ${MAX_MESSAGES} messages`);
  }
  const { maxAnswerChars: maxChars = MAX_ANSWER_CHARS } = limits;
  const replies: (Reply | undefined)[] = new Array(messages.length);
  let next = 0;
  let chars = 0;
  const answerOne = (message: unknown): Reply | Promise<Reply | undefined> => {
    if (chars <= maxChars) return server.receiveValue(message, session);
    const frame = toFrame(message);
    if (frame.kind !== "request") return server.receiveValue(message, session);
    return server.refuse(`the answers before it hold ${chars} characters; send this one by itself`, frame.id);
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
  return batchReply(replies);
}
