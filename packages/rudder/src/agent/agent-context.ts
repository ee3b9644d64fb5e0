// What everything about agents works with: a haven, whose project it is, and when. A session of the command line is one.
import type { Place } from "../haven/locate.ts";
import type { HavenStore } from "../haven/store.ts";
import type { Clock } from "../lease/instant.ts";

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

/** The haven's server and what the runner can do, as far as agents need them. Given by the rim. */
export interface AgentServices {
  /** the agent's own socket, served until it is dropped. */
  serveAgent(taskId: string, options: { readonly name: string }): Promise<{ readonly socketPath: string }>;
  dropAgent(taskId: string): Promise<void>;
  /** Ends every process that carries the mark; how many there were. */
  endMarked(mark: string): Promise<number>;
  /** R-30 in the sandbox, R-31 outside it. */
  mcpConfig(way: { readonly sandbox: boolean; readonly socket: string }): Promise<McpConfig>;
}

/** The variable that marks what an agent started. */
export const MARK_VARIABLE = "RUDDER_AGENT_MARK";
