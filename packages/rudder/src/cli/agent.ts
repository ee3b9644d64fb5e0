// Connects rudder's agents with the runner, which drives them, and with the haven's server. The only file of this
// package that imports the runner.
import { dirname, join } from "node:path";
import { PROVIDER_NAMES } from "@jeeves/base";
import { createProvider, createRunProcesses, isProviderName, runAgent } from "@jeeves/runner";
import { type AgentServices, MARK_VARIABLE } from "../agent/agent-context.ts";
import { agentLayoutOf } from "../agent/agent-layout.ts";
import type { AgentRecord } from "../agent/agent-record.ts";
import { startPipeBridge } from "../agent/sandbox/pipe-bridge.ts";
import { readMcpConfig } from "../agent/start/mcp-config.ts";
import type { DriveAgent } from "../agent/supervise/supervise-agent.ts";
import { readMcpCommand } from "../haven/place/agent-settings.ts";
import { builtFile } from "../mcp/built-file.ts";
import { internalConfig, socketConfig } from "../mcp/mcp-config.ts";
import { dropAgent, serveAgent } from "../mcp/server/haven-server.ts";
import { keepServing } from "../mcp/server/keep-serving.ts";
import { RudderError } from "../rudder-error.ts";
import type { Session } from "./session.ts";

/** What is left of an agent is asked to end, and forced after this long. */
const END_MS = 2_000;

/** The services for agents of the haven of a session. */
export function agentServices(session: Session): AgentServices {
  const { place, env, signal } = session;
  return {
    serveAgent: (taskId, options) => serveAgent(place, taskId, { ...options, env, signal }),
    keepServing: (taskId, options) => keepServing(place, taskId, { ...options, env }),
    // Also after a stop: a socket must not stay behind.
    dropAgent: (taskId) => dropAgent(place, taskId, { env }),
    async endMarked(mark) {
      const processes = createRunProcesses({ environment: [`${MARK_VARIABLE}=${mark}`] });
      const count = processes.look().length;
      if (count > 0) await processes.end({ graceMs: END_MS });
      return count;
    },
    // No environment in the file: it is named when the agent is launched.
    mcpConfig: async ({ sandbox, socket }) =>
      sandbox ? socketConfig(socket, readMcpCommand(place.project)) : internalConfig(place, {}),
  };
}

/** The program that this is, to be started again as a supervisor. */
export function rudderProgram(): string {
  return join(dirname(builtFile("rudder-server.js")), "rudder.js");
}

/** The name of a provider; throws `invalid_argument` with all names for another one. */
export function requireProvider(name: string): string {
  if (isProviderName(name)) return name;
  throw new RudderError("invalid_argument", `there is no provider ${JSON.stringify(name)}`, {
    hint: `--provider is one of ${PROVIDER_NAMES.join(", ")}`,
  });
}

/** Drives agents with the runner; where their record has a sandbox, below `srt`. */
export function driveWith(session: Session): DriveAgent {
  return async ({ record, prompt, signal, onRecord }) => {
    const layout = agentLayoutOf(session.place.haven, record.task_id);
    // The agent is launched with what the file holds.
    const { rudder } = readMcpConfig(layout.mcpConfig).mcpServers;
    const bridge = builtFile("rudder-bridge.js");
    const env = { ...session.env, ...agentEnv(session, record) };
    const pipes = record.pipes === true ? startPipeBridge(layout, { bridge, env }) : undefined;
    const outcome = await runAgent({
      provider: await createProvider(record.provider),
      prompt,
      cwd: record.cwd,
      env,
      timeoutMs: Math.round(record.timeout_s * 1000),
      signal,
      onRecord,
      // Codex takes variables out of the environment of servers, Claude hands them on: naming them works for both.
      mcpServers: { rudder: { ...rudder, env: agentEnv(session, record) } },
      mcpConfigFile: layout.mcpConfig,
      ...(record.sandbox ? { launcher: { command: "srt", args: ["--settings", layout.srtSettings, "-c"] } } : {}),
    }).finally(() => pipes?.stop());
    const { status, text, message, error } = outcome;
    return { status, text, message: error === undefined ? message : `${error.message} (${error.hint})` };
  };
}

/** who the agent is, for its own server and for `rudder` on its command line. */
function agentEnv(session: Session, record: AgentRecord): Record<string, string> {
  const ttl = session.env.RUDDER_LEASE_TTL_S;
  return {
    RUDDER_AGENT: record.name,
    RUDDER_HAVEN: session.place.haven,
    SAILING_PROJECT: session.place.project,
    [MARK_VARIABLE]: record.mark,
    ...(ttl === undefined ? {} : { RUDDER_LEASE_TTL_S: ttl }),
  };
}
