// What the servers of a run share with it. Agents scrub the environment of servers, so it is named to each.
import { resolve } from "node:path";
import { withAbsolutePath } from "@jeeves/base";
import type { McpServerConfig } from "../provider.ts";

type Servers = Readonly<Record<string, McpServerConfig>>;

/** The servers with the run's variables added; undefined where there is none. */
export function withRunEnv(
  servers: Servers,
  run: { readonly env: NodeJS.ProcessEnv; readonly id: string; readonly eventsFile: string | undefined },
): Servers | undefined {
  const { XDG_STATE_HOME: stateHome, JEEVES_MODE: mode } = run.env;
  const shared = {
    JEEVES_RUN_ID: run.id,
    ...(run.eventsFile === undefined ? {} : { JEEVES_EVENT_LOG: run.eventsFile }),
    ...stateDirOf(run.env),
    ...(stateHome ? { XDG_STATE_HOME: stateHome } : {}),
    ...(mode ? { JEEVES_MODE: mode } : {}),
  };
  const entries = Object.entries(servers);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, server]) => [name, { ...server, env: { ...server.env, ...shared } }]));
}

/**
 * The agent's environment: the run's id, by which its processes and its cuts are found; and, where hooks were refused, the
 * variable that also silences those of the user's own settings. Relative entries of PATH are left out: the agent may be a script
 * that starts `node` by its name, and the project's own `./bin/node` would be it.
 */
export function toAgentEnv(
  env: NodeJS.ProcessEnv,
  run: { readonly id: string; readonly areHooksOff: boolean },
): NodeJS.ProcessEnv {
  const own = { ...withAbsolutePath(env), ...stateDirOf(env) };
  return { ...own, JEEVES_RUN_ID: run.id, ...(run.areHooksOff ? { JEEVES_HOOKS: "off" } : {}) };
}

/** A server or a command starts in another directory than we did. */
function stateDirOf({ JEEVES_STATE_DIR: stateDir }: NodeJS.ProcessEnv): { readonly JEEVES_STATE_DIR?: string } {
  return stateDir ? { JEEVES_STATE_DIR: resolve(stateDir) } : {};
}
