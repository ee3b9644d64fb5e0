// One client on stdin and stdout, one message per line, and the end of both. stdout carries protocol only.
// It kills nothing itself: it aborts the signals of the calls in flight, and returns when the process should exit.
import type { Readable, Writable } from "node:stream";
import type { Events } from "../events/index.ts";
import { createDispatcher } from "./dispatch.ts";
import { createLineReader, type Line } from "./line-reader.ts";
import type { Reply } from "./reply.ts";
import { createSession } from "./session.ts";
import { watchForStop } from "./stop.ts";
import { catchStrayErrors } from "./stray-errors.ts";
import type { Profile } from "./tool.ts";

export interface StdioOptions {
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: Readable;
  readonly output?: Writable;
  readonly onReady?: () => void;
  readonly onDraining?: () => void;
  /** How long calls in flight may go on after the end of the input. */
  readonly drainMs?: number;
  readonly maxLineBytes?: number;
}

export interface StdioEnd {
  /** Every call that was accepted has been answered. */
  readonly graceful: boolean;
  /** From the first sign of the end to its completion. */
  readonly durationMs: number;
}

const DRAIN_MS = 10_000;
// For calls that were aborted to kill their children.
const ABORT_GRACE_MS = 2_000;
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export async function serveStdio(profile: Profile, options: StdioOptions): Promise<StdioEnd> {
  const { events, env, input = process.stdin, output = process.stdout } = options;
  const maxBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  const dispatcher = createDispatcher(profile, { events, env });
  const reader = createLineReader({ maxBytes });
  const pending = new Set<Promise<void>>();
  const watch = watchForStop();
  const letStrayErrorsThrough = catchStrayErrors(events);
  const cut = deferred();
  const ended = deferred();
  let isOutputBroken = false;

  const write = (text: string) =>
    new Promise<Error | undefined>((resolve) => {
      if (isOutputBroken) return resolve(new Error("stdout is closed"));
      const hasRoom = output.write(`${text}\n`, (error) => resolve(error ?? undefined));
      // A client that does not read its answers gets no more questions read.
      if (!hasRoom) input.pause();
    });
  const session = createSession({ notify: (text) => void write(text) });

  const deliver = async (reply: Reply | undefined) => {
    if (reply === undefined) return;
    const error = await write(reply.text);
    reply.sent(error);
    if (error !== undefined || reply.thenClose) cut.resolve();
  };
  const accept = (line: Line) => {
    const reply =
      line.kind === "line"
        ? dispatcher.receive(line.bytes, session)
        : Promise.resolve(dispatcher.refuse(`a message may have ${maxBytes} bytes`));
    const done = reply.then(deliver).finally(() => pending.delete(done));
    pending.add(done);
  };

  const onData = (chunk: Uint8Array | string) => {
    for (const line of reader.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)) accept(line);
  };
  const onInputEnd = () => {
    for (const line of reader.end()) accept(line);
    ended.resolve();
  };
  const onDrain = () => input.resume();
  const onOutputGone = () => {
    isOutputBroken = true;
    cut.resolve();
  };

  input.on("data", onData).on("end", onInputEnd).on("close", onInputEnd).on("error", onInputEnd);
  output.on("drain", onDrain).on("error", onOutputGone).on("close", onOutputGone);
  options.onReady?.();
  try {
    const stopped = Promise.race([cut.promise, watch.stopped]);
    await Promise.race([ended.promise, stopped]);
    const endedAt = performance.now();
    input.off("data", onData).off("end", onInputEnd).off("close", onInputEnd).pause();
    options.onDraining?.();

    // stopped has priority: a signal during the drain ends it at once.
    await settled(pending, { withinMs: options.drainMs ?? DRAIN_MS, unless: stopped });
    const graceful = pending.size === 0 && !isOutputBroken;
    if (pending.size > 0) {
      session.abortAll();
      await settled(pending, { withinMs: ABORT_GRACE_MS });
    }
    return { graceful, durationMs: Math.round(performance.now() - endedAt) };
  } finally {
    watch.close();
    letStrayErrorsThrough();
    output.off("drain", onDrain).off("close", onOutputGone);
    // The error listeners stay: a late EPIPE must find someone, or it would crash the exit.
  }
}

/** Waits until nothing is pending; what is pending only shrinks by now. */
async function settled(
  pending: ReadonlySet<Promise<void>>,
  until: { readonly withinMs: number; readonly unless?: Promise<unknown> },
): Promise<void> {
  if (pending.size === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, until.withinMs);
  });
  try {
    await Promise.race([Promise.allSettled(pending), late, ...(until.unless === undefined ? [] : [until.unless])]);
  } finally {
    clearTimeout(timer);
  }
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
