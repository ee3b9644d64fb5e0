// A document by its path, or from stdin where the path is `-`: bounded, whatever it is (a pipe, a device, a huge file).
import { createReadStream, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import { RudderError } from "../rudder-error.ts";
import type { GivenDocument } from "../tasks/document.ts";
import type { Session } from "./session.ts";

interface Bounds {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Reads at most one byte more than `maxBytes`: so much is enough to refuse it. A signal ends it at once. */
export async function readBounded(input: AsyncIterable<Buffer | string>, bounds: Bounds): Promise<Uint8Array> {
  const { signal } = bounds;
  if (signal === undefined) return readChunks(input, bounds);
  signal.throwIfAborted();
  // A terminal that no one types at, or a pipe that no one writes to, never gives another chunk.
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([readChunks(input, bounds), stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function readChunks(input: AsyncIterable<Buffer | string>, { maxBytes, signal }: Bounds): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    signal?.throwIfAborted();
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes + 1);
}

/** The document that the words name. */
export async function readGiven(session: Session, path: string, maxBytes: number): Promise<GivenDocument> {
  if (path === "-") {
    if (session.readInputBytes === undefined) throw unreadable("-", "there is no stdin here");
    return { name: "stdin", bytes: await session.readInputBytes(maxBytes) };
  }
  const full = resolve(session.cwd, path);
  try {
    if (statSync(full).isDirectory()) throw unreadable(path, "it is a directory");
    const stream = createReadStream(full, session.signal === undefined ? {} : { signal: session.signal });
    return { name: basename(full), bytes: await readBounded(stream, { maxBytes, signal: session.signal }) };
  } catch (error) {
    session.signal?.throwIfAborted();
    const code = systemCodeOf(error);
    if (error instanceof RudderError || code === undefined) throw error;
    throw unreadable(path, code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`);
  }
}

function unreadable(path: string, why: string): RudderError {
  return new RudderError("invalid_argument", `${path}: ${why}`, { hint: "name a text file, or - for stdin" });
}
