// The bridge: stdin and stdout of an agent's MCP client, carried to a socket. A server that goes away is waited for:
// the bridge connects again, introduces its client again, and repeats what was not answered; each call has an operation
// id, so that the server applies it once. It loads next to nothing, because every agent runs one. `fd:3` is a socket that
// was inherited, and cannot be had again.
import { randomBytes } from "node:crypto";
import { connect, Socket } from "node:net";
import { createLineReader, type LineBlock, textLinesOf } from "@jeeves/base";
import { SERVER_GONE } from "../server-gone.ts";
import { answeredIds, type ClientMessage, readClientLine, withId } from "./bridge-messages.ts";
import { startServerAt } from "./bridge-start.ts";

const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** The server refuses longer messages without reading their id, so no answer can be waited for. */
const MAX_ANSWERED_CHARS = 4_000_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
/** Without a word from a server for so long, its client gets errors; the first connection is given less time. */
const GIVE_UP_MS = 120_000;
const GIVE_UP_FIRST_MS = 20_000;
const GONE = `${SERVER_GONE}; start it with: rudder mcp start`;

/** Carries lines until the client ends, or a server that cannot come back. Resolves with the exit code. */
export function runBridge(where: string | undefined, env: NodeJS.ProcessEnv): Promise<number> {
  if (where === undefined || where === "") {
    process.stderr.write("usage: rudder-bridge SOCKET (a path, or fd:N)\n");
    return Promise.resolve(2);
  }
  return new Promise((resolve) => carry(where, env, resolve));
}

function carry(where: string, env: NodeJS.ProcessEnv, finish: (code: number) => void): void {
  const { stdin, stdout, stderr } = process;
  const descriptor = /^fd:(\d{1,5})$/.exec(where)?.[1];
  const run = randomBytes(8).toString("hex");
  const ownId = `rudder-bridge-${run}`;
  /** Requests without an answer, in their order. */
  let pending: ClientMessage[] = [];
  /** What else the client said while there was no connection. */
  let held: string[] = [];
  /** How the client introduced itself; said again to every further server. */
  const hello: { initialize?: string; initialized?: string } = {};
  let socket: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isConnected = false;
  let isEnding = false;
  let hasFailed = false;
  let hasHeard = false;
  let pauseMs = FIRST_PAUSE_MS;
  let silentSince = performance.now();
  let calls = 0;

  const open = (): void => {
    timer = undefined;
    const reader = createLineReader({ maxBytes: MAX_LINE_BYTES });
    const own =
      descriptor === undefined
        ? connect({ path: where, allowHalfOpen: true })
        : new Socket({ fd: Number(descriptor), allowHalfOpen: true });
    socket = own;
    own.on("data", (chunk) => {
      for (const line of linesIn(reader.push(chunk))) receive(line);
    });
    own.on("end", () => {
      isConnected = false;
      own.end();
    });
    own.on("drain", () => void stdin.resume());
    own.on("error", (error) => {
      if (isConnected || hasFailed) return; // lost, or said before
      hasFailed = true;
      stderr.write(`rudder-bridge: ${error.message}\nno server answers there; start it with: rudder mcp start\n`);
      startServerAt(where, env);
    });
    own.on("close", onClose);
    if (descriptor === undefined) own.on("connect", introduce);
    else introduce();
  };

  const introduce = (): void => {
    isConnected = true;
    // who asks, where nothing else tells; said before anything is asked.
    const name = env.RUDDER_AGENT ?? "";
    if (NAME.test(name)) write(JSON.stringify({ jsonrpc: "2.0", method: "rudder/caller", params: { name } }));
    const isKnown = hello.initialize !== undefined && !pending.some(({ method }) => method === "initialize");
    if (isKnown) write(withId(hello.initialize ?? "", ownId));
    if (isKnown && hello.initialized !== undefined) write(hello.initialized);
    for (const { text } of pending) write(text);
    for (const text of held.splice(0)) write(text);
    if (isEnding) socket?.end();
  };

  const write = (text: string): void => {
    if (socket?.write(`${text}\n`) === false) stdin.pause();
  };

  /** A line of the server. */
  const receive = (line: string): void => {
    const ids = answeredIds(line);
    if (ids?.includes(JSON.stringify(ownId))) return; // the client was answered by the first server
    hasHeard ||= ids !== undefined;
    hasFailed = false;
    pauseMs = FIRST_PAUSE_MS;
    silentSince = performance.now();
    for (const id of ids ?? []) drop(id);
    tell(line);
  };

  const drop = (id: string): void => {
    const at = pending.findIndex((request) => request.id === id);
    if (at >= 0) pending.splice(at, 1);
  };

  const tell = (line: string): void => {
    if (stdout.write(`${line}\n`)) return;
    socket?.pause();
    stdout.once("drain", () => socket?.resume());
  };

  /** A line of the client. */
  const accept = (line: string): void => {
    const message = readClientLine(line, () => `${run}-${++calls}`);
    const { text, id, method, cancels } = message;
    if (method === "initialize") hello.initialize = text;
    if (method === "notifications/initialized") hello.initialized = text;
    if (cancels !== undefined) drop(cancels);
    const isTracked = id !== undefined && text.length <= MAX_ANSWERED_CHARS;
    if (isTracked) pending.push(message);
    if (isConnected) write(text);
    else {
      if (!isTracked && method !== "notifications/initialized") held.push(text);
      again();
    }
  };

  const onClose = (): void => {
    socket = undefined;
    isConnected = false;
    const isIdle = pending.length === 0 && held.length === 0;
    // What never spoke JSON is no server that could come back.
    const isOver = descriptor !== undefined || (isIdle && (isEnding || (!hasHeard && !hasFailed)));
    if (isOver) end(hasFailed ? 1 : 0);
    else if (!isIdle) again();
  };

  const again = (): void => {
    if (socket !== undefined || timer !== undefined) return;
    if (performance.now() - silentSince > (hasHeard ? GIVE_UP_MS : GIVE_UP_FIRST_MS)) {
      giveUp();
      return;
    }
    timer = setTimeout(open, pauseMs);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  };

  /** Its client goes on without an answer; the next question begins a new wait. */
  const giveUp = (): void => {
    for (const { id } of pending) {
      tell(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":${JSON.stringify(GONE)}}}`);
    }
    pending = [];
    held = [];
    hasFailed = false; // the next outage is reported again, and the server started
    silentSince = performance.now();
    if (isEnding) end(1);
  };

  const end = (code: number): void => {
    clearTimeout(timer);
    stdin.pause();
    socket?.destroy();
    finish(code);
  };

  const fromClient = createLineReader({ maxBytes: MAX_LINE_BYTES });
  const onEnd = (): void => {
    if (isEnding) return;
    for (const line of linesIn(fromClient.end())) accept(line);
    isEnding = true;
    if (isConnected) socket?.end();
    else if (socket === undefined && timer === undefined) end(hasFailed ? 1 : 0);
  };
  stdin.on("data", (chunk: Buffer) => {
    // A wait begins with the first question that finds no server.
    if (!isConnected && pending.length === 0) silentSince = performance.now();
    for (const line of linesIn(fromClient.push(chunk))) accept(line);
  });
  stdin.on("end", onEnd).on("error", onEnd);
  // A client that is gone wants no more answers.
  stdout.on("error", () => end(0));
  open();
}

/** Lines that are too long for anyone are left out. */
function linesIn(blocks: readonly LineBlock[]): readonly string[] {
  return blocks.flatMap((block) => (block.kind === "lines" ? textLinesOf(block.bytes) : []));
}
