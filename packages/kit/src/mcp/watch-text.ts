// The body of a request on its way to the SDK, watched: the SDK replaces bytes that are no UTF-8, and a command or a path
// would no longer be the one that was sent. It changes nothing and keeps nothing.
import type { IncomingMessage } from "node:http";

export interface WatchedText {
  readonly body: AsyncIterable<Uint8Array>;
  /** To be asked once the body has been read. */
  readonly isText: boolean;
}

export function watchText(request: IncomingMessage): WatchedText {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isText = true;
  const look = (part?: Uint8Array) => {
    try {
      if (isText) decoder.decode(part, { stream: part !== undefined });
    } catch {
      isText = false;
    }
  };
  return {
    body: {
      async *[Symbol.asyncIterator]() {
        for await (const part of request) {
          look(part);
          yield part;
        }
        look();
      },
    },
    get isText() {
      return isText;
    },
  };
}
