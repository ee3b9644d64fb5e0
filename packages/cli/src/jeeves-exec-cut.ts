#!/usr/bin/env node
// The part of jeeves-exec that decides: all that a command printed arrives on stdin. On stdout: the length in bytes, a
// line end, and what to print instead. Where nothing is printed, the launcher prints everything as it is.
// Launchers that an earlier init wrote start this file: its variables and the form of its answer stay as they are.
import { createCutter, createInProcessEngine, createMeter } from "@jeeves/cut";
import { cutCommandOutput } from "@jeeves/intercept";
import { hasOverdueWork, openRecoveryStore } from "@jeeves/state";
import { findAgentSession } from "./agent-session.ts";
import { isBuilt } from "./is-built.ts";
import { unquoted } from "./unquoted.ts";

const NOT_CUT = 3;
const { env } = process;
// The signal is meant for the command: what it printed until then still belongs to the client.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<void> = decide()
  .catch(() => undefined)
  .then((shown) => {
    if (shown === undefined) end(NOT_CUT);
    process.stdout.write(`${Buffer.byteLength(shown)}\n${shown}`, () => end(0));
  });

/** `process.exit` would wait for a system call that hangs. */
function end(code: number): never {
  if (hasOverdueWork()) process.kill(process.pid, "SIGKILL");
  process.exit(code);
}

async function decide(): Promise<string | undefined> {
  // An earlier launcher has printed so many bytes already: they cannot be taken back, so the rest stays as it is, too.
  if (Number(env.JEEVES_EXEC_PASSED_ON ?? 0) !== 0) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  if (text.includes("\0")) return undefined;
  // What is cut ends in a line that names a tool of the server.
  if (!(await isBuilt(new URL("../../mcp-pruner/dist/", import.meta.url)))) return undefined;
  const client = env.JEEVES_EXEC_CLIENT ?? "";
  const session = await findAgentSession(client, env);
  const meter = createMeter(env);
  const cutter = createCutter({ engine: createInProcessEngine(), store: openRecoveryStore({ env }), meter, env });
  // Empty while the command still runs.
  const { JEEVES_EXEC_CODE: code = "" } = env;
  return cutCommandOutput(
    {
      // Claude Code's commands come as one word of its own shell line.
      command: env.JEEVES_EXEC_WORD ? unquoted(env.JEEVES_EXEC_WORD) : (env.JEEVES_EXEC_COMMAND ?? ""),
      text,
      exitCode: code === "" ? undefined : Number(code),
      client,
      session: session.id,
      project: process.cwd(),
      ...(session.transcriptPath === undefined ? {} : { transcriptPath: session.transcriptPath }),
      signal: new AbortController().signal,
    },
    { cutter, meter, env },
  );
}
