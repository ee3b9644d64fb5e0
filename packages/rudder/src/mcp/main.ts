// rudder-server as a function: words in, exit code out. stdio unless a socket or a port is named (R-06 … R-08).
import { createEvents } from "@jeeves/kit/events";
import { serveStdio } from "@jeeves/kit/mcp";
import { requireOwnName } from "../agent/agent-names.ts";
import type { AgentHome } from "../agent/agent-store.ts";
import type { CommandLine } from "../command-line.ts";
import { locate } from "../haven/locate.ts";
import { readDigits } from "../haven/place/project-settings.ts";
import { normaliseId } from "../ids.ts";
import type { Caller } from "../lease/lease.ts";
import { RudderError } from "../rudder-error.ts";
import { createCallers } from "./server/callers.ts";
import { serveHaven } from "./server/serve-haven.ts";
import { parseServerConfig } from "./server/server-config.ts";
import { createServerLog } from "./server/server-log.ts";
import { createProfile } from "./tools/profile.ts";
import { createTaskService } from "./tools/task-service.ts";

/** A disk that hangs does not keep the process. */
export { endProcess } from "@jeeves/kit/mcp";

interface MainOptions {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly commandLine: CommandLine;
}

/** Runs the server until it ends. Resolves with the exit code: 2 for words that are wrong, 1 for another refusal. */
export async function runServer({ argv, env, cwd, stdout, stderr, commandLine }: MainOptions): Promise<number> {
  const log = createServerLog(stderr);
  const parsed = parseServerConfig(argv, env);
  if (parsed.kind === "usage") {
    stdout.write(parsed.text);
    return 0;
  }
  if (parsed.kind === "wrong") {
    for (const line of parsed.message.split("\n")) log.say(`rudder-server: ${line}`);
    return 2;
  }
  const { config } = parsed;
  const isKept = env.JEEVES_EVENT_LOG !== undefined && env.JEEVES_EVENT_LOG !== "";
  // R-36 is what people read; every call as an event is for a file that JEEVES_EVENT_LOG names.
  const events = createEvents({
    stderr,
    minLevel: isKept ? "info" : "warn",
    ...(isKept ? { file: env.JEEVES_EVENT_LOG ?? "" } : {}),
  });
  try {
    const place = await locate({
      cwd,
      root: config.PROJECT_ROOT ?? config.SAILING_PROJECT,
      haven: config.RUDDER_HAVEN,
      home: config.HOME,
      env,
    });
    const service = createTaskService({ place, env, ttlMs: Math.round(config.RUDDER_LEASE_TTL_S * 1000), commandLine });
    const { SOCKET: socket, PORT: port, TASK_ID: given } = config;
    const taskId = given === undefined ? undefined : normaliseId(given, readDigits(place.project));
    if (socket !== undefined || port !== undefined) {
      return await serveHaven({ service, events, env, log, socket, port, taskId });
    }
    const name = config.RUDDER_AGENT;
    if (name !== undefined) await requireOwnName(service.home, name);
    const way = name === undefined ? createCallers(service.home).next() : named(service.home, name);
    const onReady = () => log.started({ mode: "stdio", at: [], taskId, project: place.project });
    await serveStdio(createProfile(service, { ...way, taskId }), { events, env, onReady });
    return 0;
  } catch (error) {
    if (!(error instanceof RudderError)) throw error;
    log.say(`rudder-server: ${error.message}`);
    log.say(error.hint);
    return error.code === "invalid_argument" ? 2 : 1;
  } finally {
    await events.flush();
  }
}

/** looked at with each call, because an agent may have been started under this name since. */
function named(home: AgentHome, name: string): { caller(): Promise<Caller> } {
  return {
    async caller() {
      await requireOwnName(home, name);
      return { kind: "name", name };
    },
  };
}
