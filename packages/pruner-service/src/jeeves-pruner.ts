#!/usr/bin/env node
// jeeves-pruner: the text pruner over HTTP, on loopback unless --host names another address. Only this file reads flags and
// environment and sets the exit code. 0: stopped when asked; 2: it could not start, and the reason is on stderr.
import { parseConfig, toConfigHelp, toConfigMessage, usageFor } from "@jeeves/kit/config";
import { createEvents } from "@jeeves/kit/events";
import { ListenError, readOwnerTokens, serveUntilStopped } from "@jeeves/kit/http";
import { endProcess } from "@jeeves/kit/mcp";
import { openRecoveryStore } from "@jeeves/state";
import { CONFIG_FLAGS, type Config, configSchema } from "./config.ts";
import { createPrunerRoutes, maxBodyBytesFor } from "./routes.ts";

const { env } = process;
const args = process.argv.slice(2);

async function main(): Promise<number> {
  const usage = usageFor(args, () => {
    const settings = toConfigHelp(configSchema, { flags: CONFIG_FLAGS });
    return `jeeves-pruner [options]: prune_text and recover_text on /rpc, POST /prune, GET /health\n\n${settings}`;
  });
  if (usage !== undefined) {
    process.stdout.write(usage);
    return 0;
  }
  const parsed = parseConfig(configSchema, { env, argv: { args, flags: CONFIG_FLAGS } });
  if (!parsed.ok) {
    for (const issue of parsed.issues) process.stderr.write(`jeeves-pruner: ${toConfigMessage(issue)}\n`);
    return 2;
  }
  return serve(parsed.value);
}

async function serve(config: Config): Promise<number> {
  const events = createEvents({
    stderr: process.stderr,
    format: config.JEEVES_LOG_FORMAT,
    ...(config.JEEVES_EVENT_LOG === undefined ? {} : { file: config.JEEVES_EVENT_LOG }),
  });
  const maxInputChars = config.MCP_PRUNER_MAX_INPUT_CHARS;
  const store = openRecoveryStore({ env, defaultTtlS: config.MCP_PRUNER_PRUNE_ID_TTL_S });
  try {
    const end = await serveUntilStopped({
      host: config.MCP_PRUNER_HOST,
      port: config.MCP_PRUNER_PORT,
      token: config.JEEVES_TOKEN,
      ownerTokens: await readOwnerTokens(env, events),
      events,
      routes: createPrunerRoutes({ maxInputChars, store, events, env }),
      limits: { maxBodyBytes: maxBodyBytesFor(maxInputChars) },
      onReady: ({ host, port }) => events.emit("info", "pruner.ready", { host, port }),
    });
    events.emit("info", "pruner.stopped", { graceful: end.graceful, duration_ms: end.durationMs });
    return 0;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    events.emit("error", "pruner.start_failed", { code: error.code, message: error.message });
    return 2;
  } finally {
    await events.flush();
  }
}

/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<never> = main().then(endProcess);
