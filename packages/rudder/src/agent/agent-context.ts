// What all functions about agents work with: a haven, its project, and a clock. A session of the command line is one.

import type { Clock } from "../haven/instant.ts";
import type { Place } from "../haven/locate.ts";
import type { HavenStore } from "../haven/store.ts";

/** A haven and its project. `ttlMs` is how long a lease lasts without a renewal. */
export interface AgentContext {
  readonly store: HavenStore;
  readonly place: Place;
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly projectHash: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
}

/** The content of an agent's `mcp-config.json`. */
export interface McpConfig {
  readonly mcpServers: { readonly rudder: { readonly command: string; readonly args: readonly string[] } };
}

/** Under which name calls on an agent's socket are made, and what they may concern. */
export interface AgentSocket {
  readonly name: string;
  /** Calls on it may concern the agent's own task alone. */
  readonly restricted?: boolean;
}

/** What is known of the haven's server while an agent runs. */
export interface ServerWatch {
  /** How often the server went away. */
  readonly outages: number;
  stop(): Promise<void>;
}

/** The haven's server and the runner, as far as agents need them. The command line provides them. */
export interface AgentServices {
  /** the agent's own socket, served until it is dropped. */
  serveAgent(taskId: string, options: AgentSocket): Promise<{ readonly socketPath: string }>;
  /** Starts the haven's server again, with the agent's socket, whenever it goes away. */
  keepServing(taskId: string, options: AgentSocket & { say(words: string): void }): ServerWatch;
  dropAgent(taskId: string): Promise<void>;
  /** Ends every process that carries the mark; how many there were. */
  endMarked(mark: string): Promise<number>;
  /** R-30 in the sandbox, R-31 outside it. */
  mcpConfig(way: { readonly sandbox: boolean; readonly socket: string }): Promise<McpConfig>;
}

/** The variable that marks what an agent started. */
export { AGENT_MARK as MARK_VARIABLE } from "../tasks/session.ts";
