// One question to a server that listens on a socket, and its answer. For our own control methods; it gives up in time.
import { connect, type NetConnectOpts } from "node:net";
import { createLineReader, textLinesOf } from "@jeeves/base";

interface AskOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1_000_000;

/** undefined: nothing listens there, or nothing answers in time. Throws what the server refuses. */
export async function askServer(
  where: NetConnectOpts,
  question: { readonly method: string; readonly params?: unknown },
  options: AskOptions = {},
): Promise<unknown> {
  const { signal } = options;
  signal?.throwIfAborted();
  const socket = connect(where);
  let giveUp = (): void => {};
  const line = new Promise<string | undefined>((resolve) => {
    const reader = createLineReader({ maxBytes: MAX_ANSWER_BYTES, reportEarly: true });
    socket.setTimeout(options.timeoutMs ?? TIMEOUT_MS, () => resolve(undefined));
    socket.on("data", (chunk: Buffer) => {
      const [first] = reader.push(chunk);
      if (first !== undefined) resolve(first.kind === "lines" ? textLinesOf(first.bytes)[0] : undefined);
    });
    socket.on("error", () => resolve(undefined)).on("close", () => resolve(undefined));
    giveUp = () => resolve(undefined);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
  try {
    socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, ...question })}\n`);
    const answer = await line;
    signal?.throwIfAborted();
    return answer === undefined ? undefined : toResult(answer);
  } finally {
    signal?.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}

function toResult(line: string): unknown {
  let value: { readonly result?: unknown; readonly error?: { readonly message?: unknown } };
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // another user's program listens there
  }
  if (value.error !== undefined) throw new Error(`the server refused: ${String(value.error.message)}`);
  return value.result;
}
