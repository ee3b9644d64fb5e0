// One client on a pair of streams, one message per line (stdio, Unix socket, TCP). It reads, dispatches and writes; its
// caller decides when it ends, and what happens to the process then.
import type { Readable, Writable } from "node:stream";
import { byteLinesOf, createLineReader, type LineBlock, within } from "@jeeves/base";
import type { Dispatcher } from "../dispatch.ts";
import { toLine } from "../json-rpc.ts";
import type { Reply } from "../reply.ts";
import { createSession, type SessionAccess } from "../session.ts";

interface LineConnectionOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly dispatcher: Dispatcher;
  readonly maxLineBytes?: number | undefined;
  /**
   * A page in a browser can reach a TCP port, and its request is lines, too (HTTP, TLS, TURN). It cannot choose how they
   * begin: the first line that is neither blank nor the start of a JSON object or array ends the connection.
   */
  readonly endAtNonJson?: boolean;
  /** Default: the other end is the owner. */
  readonly access?: SessionAccess | undefined;
}

interface LineConnection {
  /** Resolves when the input has ended and all of it was read. */
  readonly ended: Promise<void>;
  /** Resolves when the output is broken, or must not be written to any more. */
  readonly cut: Promise<void>;
  /** Calls that were accepted and not answered yet. */
  readonly pending: number;
  readonly isOutputBroken: boolean;
  stopReading(): void;
  /** Waits until nothing is pending; what is pending only shrinks once nothing is read. */
  settled(until: { readonly withinMs: number; readonly unless?: Promise<unknown> }): Promise<void>;
  /** Aborts the signals of the calls in flight. */
  abort(): void;
  /** Removes the listeners from the streams, except those for errors. */
  release(): void;
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;
// Reading pauses for a client that sends requests faster than they are answered. For one that does not read its answers it
// pauses earlier, but not at once, because the end of its input must still be seen.
const MAX_PENDING = 1_024;
const MAX_PENDING_UNTAKEN = 32;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const JSON_SPACES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0d]);
const JSON_OPENERS: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]); // { [

/** Reads at once. The caller must stop it: `stopReading`, then `settled` or `abort`, then `release`. */
export function openLineConnection(options: LineConnectionOptions): LineConnection {
  const { input, output, dispatcher, maxLineBytes: maxBytes = MAX_LINE_BYTES } = options;
  const reader = createLineReader({ maxBytes, reportEarly: true });
  const pending = new Set<Promise<void>>();
  const cut = deferred();
  const ended = deferred();
  let isOutputBroken = false;
  let hasRoom = true;
  let isReading = true;

  const isFull = () => pending.size >= (hasRoom ? MAX_PENDING : MAX_PENDING_UNTAKEN);
  const write = (text: string) =>
    new Promise<Error | undefined>((resolve) => {
      if (isOutputBroken) return resolve(new Error("the output is closed"));
      hasRoom = output.write(`${text}\n`, (error) => resolve(error ?? undefined));
      if (isFull()) input.pause();
    });
  const session = createSession({ notify: (message) => void write(toLine(message)), access: options.access });

  const deliver = async (reply: Reply | undefined) => {
    if (reply === undefined) return;
    const error = await write(reply.text);
    reply.sent(error);
    if (error !== undefined || reply.thenClose) cut.resolve();
  };
  /** undefined: a line of more than `maxBytes`. */
  const accept = (line: Buffer | undefined) => {
    const isLast = options.endAtNonJson === true && !mayBeMessage(line);
    if (isLast) stopReading(); // the rest of the chunk is not read
    const reply =
      line === undefined
        ? Promise.resolve(dispatcher.refuse(`a message may have ${maxBytes} bytes`))
        : dispatcher.receive(line, session);
    const answered = reply.then((made) => deliver(made !== undefined && isLast ? { ...made, thenClose: true } : made));
    const done = answered.finally(() => {
      pending.delete(done);
      if (isReading && !isFull()) input.resume();
    });
    pending.add(done);
    if (isFull()) input.pause();
  };

  const onData = (chunk: Uint8Array | string) => {
    for (const line of linesIn(reader.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk))) {
      if (!isReading) return;
      accept(line);
    }
  };
  const onInputEnd = () => {
    for (const line of linesIn(reader.end())) accept(line);
    ended.resolve();
  };
  const onDrain = () => {
    hasRoom = true;
    if (isReading && !isFull()) input.resume();
  };
  const onOutputGone = () => {
    isOutputBroken = true;
    cut.resolve();
  };
  const stopReading = () => {
    isReading = false;
    input.off("data", onData).off("end", onInputEnd).off("close", onInputEnd).pause();
  };

  input.on("data", onData).on("end", onInputEnd).on("close", onInputEnd).on("error", onInputEnd);
  output.on("drain", onDrain).on("error", onOutputGone).on("close", onOutputGone);
  return {
    ended: ended.promise,
    cut: cut.promise,
    get pending() {
      return pending.size;
    },
    get isOutputBroken() {
      return isOutputBroken;
    },
    stopReading,
    settled: (until) => settled(pending, until),
    abort: () => session.abortAll(),
    release() {
      // The error listeners stay: a late EPIPE without a listener would crash the process.
      output.off("drain", onDrain).off("close", onOutputGone);
    },
  };
}

function linesIn(blocks: readonly LineBlock[]): (Buffer | undefined)[] {
  return blocks.flatMap((block) => (block.kind === "lines" ? byteLinesOf(block.bytes) : [undefined]));
}

/** True for the start of a JSON object or array, and for a blank line, which is skipped; false for an unread, oversized line. */
function mayBeMessage(bytes: Buffer | undefined): boolean {
  if (bytes === undefined) return false;
  let at = BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? BYTE_ORDER_MARK.length : 0;
  while (JSON_SPACES.has(bytes[at])) at += 1;
  return at === bytes.length || JSON_OPENERS.has(bytes[at]);
}

async function settled(
  pending: ReadonlySet<Promise<void>>,
  until: { readonly withinMs: number; readonly unless?: Promise<unknown> },
): Promise<void> {
  if (pending.size === 0) return;
  const all = Promise.allSettled(pending);
  await within(until.withinMs, until.unless === undefined ? all : Promise.race([all, until.unless]));
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
