// `jeeves serve`: the text pruner and the tools for agents on one port, in one process, until it is told to stop.
// stdout says once what answers where; everything else is events on stderr.
import { type ConfigIssue, parseConfig, toConfigMessage } from "@jeeves/kit/config";
import { createEvents, type EventSinks } from "@jeeves/kit/events";
import { type HttpServer, ListenError, serveUntilStopped } from "@jeeves/kit/http";
import { createMcpPrunerRoutes, httpConfigSchema, toToolConfig } from "@jeeves/mcp-pruner/http";
import { createPrunerRoutes, maxBodyBytesFor, configSchema as prunerSchema } from "@jeeves/pruner-service";
import { createDiskStore } from "@jeeves/state";
import { killBackground, openRoot } from "@jeeves/workspace";
import { CliError } from "../cli-error.ts";

export interface ServeCommandOptions {
  readonly host?: string;
  readonly port?: string;
  readonly root?: string;
  readonly logFormat?: string;
}

const ENDPOINTS = [
  ["/rpc", "prune_text and recover_text (JSON-RPC)"],
  ["/prune", "the swe-pruner contract"],
  ["/mcp", "read, bash, grep and recover_text (MCP)"],
  ["/health", "is the text pruner up"],
  ["/healthz", "are the tools up"],
] as const;

export async function serveCommand(options: ServeCommandOptions): Promise<number> {
  const { env } = process;
  const given = (names: Readonly<Record<string, string | undefined>>) =>
    Object.entries(names).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  const pruner = parseConfig(prunerSchema, {
    env,
    argv: {
      args: given({ host: options.host, port: options.port, "log-format": options.logFormat }),
      flags: { host: "MCP_PRUNER_HOST", port: "MCP_PRUNER_PORT", "log-format": "JEEVES_LOG_FORMAT" },
    },
  });
  if (!pruner.ok) return refuse(pruner.issues);
  const tools = parseConfig(httpConfigSchema, {
    env,
    argv: { args: given({ root: options.root }), flags: { root: "--root" } },
  });
  if (!tools.ok) return refuse(tools.issues);

  const events = createEvents({
    stderr: process.stderr,
    format: pruner.value.JEEVES_LOG_FORMAT,
    ...(env.JEEVES_EVENT_LOG ? { file: env.JEEVES_EVENT_LOG } : {}),
  });
  const where = tools.value["--root"] ?? tools.value.JEEVES_MCP_PRUNER_ROOT_DIR ?? process.cwd();
  const root = await openRoot(where).catch(() => {
    throw new CliError(`${where} is not a directory`, "--root names the directory that the tools may see");
  });
  const { MCP_PRUNER_MAX_INPUT_CHARS: maxInputChars, MCP_PRUNER_PRUNE_ID_TTL_S: defaultTtlS } = pruner.value;
  const store = createDiskStore({ env, defaultTtlS });
  const routes = [
    ...createPrunerRoutes({ maxInputChars, store, events, env }),
    ...createMcpPrunerRoutes({ config: toToolConfig(tools.value), root, env, store, events }),
  ];
  try {
    const end = await serveUntilStopped({
      host: pruner.value.MCP_PRUNER_HOST,
      port: pruner.value.MCP_PRUNER_PORT,
      token: pruner.value.JEEVES_TOKEN,
      events,
      routes,
      limits: { maxBodyBytes: maxBodyBytesFor(maxInputChars) },
      onReady: (server) => announce(server, root.path, events),
    });
    await killBackground();
    events.emit("info", "serve.stopped", { graceful: end.graceful, duration_ms: end.durationMs });
    return 0;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    process.stderr.write(`jeeves: ${error.message}\n`);
    return 2;
  } finally {
    await events.flush();
  }
}

function announce({ url, host, port }: HttpServer, root: string, events: EventSinks): void {
  const width = Math.max(...ENDPOINTS.map(([path]) => `${url}${path}`.length));
  for (const [path, about] of ENDPOINTS) process.stdout.write(`${`${url}${path}`.padEnd(width)}  ${about}\n`);
  events.emit("info", "serve.ready", { host, port, root });
}

function refuse(issues: readonly ConfigIssue[]): number {
  for (const issue of issues) process.stderr.write(`jeeves: ${toConfigMessage(issue)}\n`);
  return 2;
}
