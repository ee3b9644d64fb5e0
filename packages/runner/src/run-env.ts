// What the servers of a run share with it. Agents scrub the environment of servers, so it is named to each.
import { resolve } from "node:path";
import type { McpServerConfig } from "./provider.ts";

type Servers = Readonly<Record<string, McpServerConfig>>;

/** Undefined where there is no server to tell. */
export function withRunEnv(
  servers: Servers,
  run: { readonly env: NodeJS.ProcessEnv; readonly eventsFile: string | undefined },
): Servers | undefined {
  const { JEEVES_STATE_DIR: stateDir, XDG_STATE_HOME: stateHome } = run.env;
  const shared = {
    ...(run.eventsFile === undefined ? {} : { JEEVES_EVENT_LOG: run.eventsFile }),
    // A server starts in another directory than we did.
    ...(stateDir ? { JEEVES_STATE_DIR: resolve(stateDir) } : {}),
    ...(stateHome ? { XDG_STATE_HOME: stateHome } : {}),
  };
  const entries = Object.entries(servers);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, server]) => [name, { ...server, env: { ...server.env, ...shared } }]));
}
