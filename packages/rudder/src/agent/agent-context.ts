// What everything about agents works with: a haven, whose project it is, and when. A session of the command line is one.

import type { Clock } from "../haven/instant.ts";
import type { Place } from "../haven/locate.ts";
import type { HavenStore } from "../haven/store.ts";

export interface AgentContext {
  readonly store: HavenStore;
  readonly place: Place;
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly projectHash: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
}

export interface McpConfig {
  readonly mcpServers: { readonly rudder: { readonly command: string; readonly args: readonly string[] } };
}

/** Who speaks on an agent's socket, and about what. */
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

/** The haven's server and what the runner can do, as far as agents need them. Given by the rim. */
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
