#!/usr/bin/env node
// rudder: the command line. This file reads argv and the environment, prints, and sets the exit code. `mcp bridge` runs
// before anything else is loaded, because every agent runs one.
const stop = new AbortController();

/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<void> = main();

async function main(): Promise<void> {
  const [group, command, socket] = process.argv.slice(2).flatMap((word, at) => (at === 0 ? word.split(":") : [word]));
  if (group === "mcp" && command === "bridge" && socket !== undefined && !socket.startsWith("-")) {
    const { runBridge } = await import("./mcp/bridge.ts");
    process.exit(await runBridge(socket, process.env));
  }

  const { runRudder } = await import("./cli/run.ts");
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort(new Error(signal)));
  // A reader like `head` may close the pipe early: that is no failure.
  process.stdout.on("error", () => process.exit(0));

  const outcome = await runRudder(process.argv.slice(2), {
    cwd: await whereWeAre(),
    env: process.env,
    signal: stop.signal,
    columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    // On a terminal a lease is held under the user's name: one of a process that ends with the command would be
    // useless.
    person: process.stdin.isTTY === true ? await personName() : undefined,
    readInput: async () => Buffer.from(await readInput(Number.MAX_SAFE_INTEGER)).toString("utf8"),
    readInputBytes: readInput,
    hasColours: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb",
  }).catch((error: unknown) => {
    const isStopped = stop.signal.aborted;
    process.stderr.write(isStopped ? "rudder: stopped\n" : `rudder: internal error\n${toStack(error)}\n`);
    process.exit(isStopped ? 130 : 70);
  });
  const out = outcome.exitCode === 0 || outcome.isJson ? process.stdout : process.stderr;
  const prefix = out === process.stderr ? "rudder: " : "";
  out.write(outcome.isPainted === true ? outcome.text : toShown(prefix + outcome.text, out.isTTY === true));
  for (const note of outcome.notes) process.stderr.write(toShown(`note: ${note}\n`, process.stderr.isTTY === true));
  process.exitCode = outcome.exitCode;
}

async function whereWeAre(): Promise<string> {
  const { currentDir } = await import("@jeeves/workspace");
  try {
    return currentDir();
  } catch (error) {
    process.stderr.write(`rudder: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

async function personName(): Promise<string | undefined> {
  const { hostname, userInfo } = await import("node:os");
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return undefined; // a user without an entry in the system's list
  }
}

async function readInput(maxBytes: number): Promise<Uint8Array> {
  const { readBounded } = await import("./cli/read-document.ts");
  return readBounded(process.stdin, { maxBytes, signal: stop.signal });
}

function toStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Without control characters: text from artefacts and logs must not steer a terminal. */
function toShown(text: string, isTerminal: boolean): string {
  return isTerminal ? text.replace(/[^\P{Cc}\n\t]/gu, "\u{fffd}") : text;
}
