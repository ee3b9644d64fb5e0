// `jeeves serve`: the text pruner and the tools for agents on one port, in one process, until it is stopped.
// stdout lists once what answers where; everything else is events on stderr.
import { createEvents, type EventSinks } from "@jeeves/kit/events";
import { type HttpServer, ListenError, readOwnerTokens, serveUntilStopped } from "@jeeves/kit/http";
import { killBackground } from "@jeeves/workspace";
import { openServices, type ServiceFlags } from "../open-services.ts";

const ENDPOINTS = [
  ["/rpc", "prune_text and recover_text (JSON-RPC)"],
  ["/prune", "the text pruner for clients of swe-pruner"],
  ["/mcp", "read, bash, grep and recover_text (MCP)"],
  ["/health", "is the text pruner up"],
  ["/healthz", "are the tools up"],
] as const;

/** Serves until it is stopped. Returns the exit code: 0, or 2 where a setting is wrong or the port cannot be used. */
export async function serveCommand(flags: ServiceFlags): Promise<number> {
  const { env } = process;
  const services = await openServices(flags, env);
  if (services === undefined) return 2;
  const events = createEvents({
    stderr: process.stderr,
    format: services.logFormat,
    ...(env.JEEVES_EVENT_LOG ? { file: env.JEEVES_EVENT_LOG } : {}),
  });
  try {
    const end = await serveUntilStopped({
      host: services.host,
      port: services.port,
      token: services.token,
      ownerTokens: await readOwnerTokens(env, events),
      events,
      routes: services.createRoutes(events),
      limits: { maxBodyBytes: services.maxBodyBytes },
      onReady: (server) => announce(server, services.root, events),
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
