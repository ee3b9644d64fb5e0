#!/usr/bin/env node
// The part of jeeves-hook that decides: a tool call of the client arrives as JSON on stdin, and its hook's answer leaves on
// stdout. Launchers that an earlier init wrote start this file: its arguments and the form of its answer stay as they are.
import { clientHomeOf, clientOf, isRecord, shownCharsOf } from "@jeeves/base";
import { createCutter, createInProcessEngine, createMeter, hookOwnerOf } from "@jeeves/cut";
import { createInterceptor, parseToolEvent, toGeminiOutput } from "@jeeves/intercept";
import { hasOverdueWork, openRecoveryStore } from "@jeeves/state";
import { SERVER_NAME } from "./init/what-to-set-up.ts";

/** Shorter than the client's own limit (init/gemini.ts): a late answer is never sent. */
const MAX_MS = 55_000;
const NOT_CUT = 3;
const { env } = process;
/** The name of the client in `jeeves init`, and the name that the client gives itself. */
const CLIENTS: Readonly<Record<string, string>> = { gemini: "gemini-cli" };

setTimeout(() => end(NOT_CUT), MAX_MS).unref();
/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<void> = decide()
  .catch(() => undefined)
  .then((output) => {
    if (output === undefined) end(NOT_CUT);
    process.stdout.write(JSON.stringify(output), () => end(0));
  });

/** `process.exit` would wait for a system call that hangs. */
function end(code: number): never {
  if (hasOverdueWork()) process.kill(process.pid, "SIGKILL");
  process.exit(code);
}

async function decide(): Promise<Readonly<Record<string, unknown>> | undefined> {
  const client = CLIENTS[process.argv[2] ?? ""];
  const traits = client === undefined ? undefined : clientOf(client);
  if (client === undefined || traits === undefined || hookOwnerOf(env) !== "server") return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  const given: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const event = isRecord(given) ? parseToolEvent({ ...given, own_server: SERVER_NAME }) : undefined;
  if (event === undefined) return undefined;
  const meter = createMeter(env);
  const store = openRecoveryStore({ env });
  const cutter = createCutter({ engine: createInProcessEngine(), store, meter, env });
  const interceptor = createInterceptor({
    ...{ cutter, store, meter, env, recovery: "file", isShortLived: true },
    onUnknownShape: () => {},
  });
  const maxChars = shownCharsOf(traits, "result", env);
  const answer = await interceptor.handle(event, { client, maxChars, signal: new AbortController().signal });
  return toGeminiOutput(answer, event, { home: clientHomeOf(traits, env), cwd: event.cwd ?? process.cwd() });
}
