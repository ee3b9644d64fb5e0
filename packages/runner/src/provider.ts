// What an agent is to the runner: a prompt goes in, one stream of events comes out. The union below is all that a
// provider reports; what differs between Claude and Codex is in providers/. No process is started here.
import { z } from "zod";

/** Cuts the results of the agent's own tools (run-hooks.ts). Each provider connects it as its agent allows. */
export interface RunHooks {
  /** The program that commands run under. */
  readonly execPath: string;
  /** The name of the MCP server that answers hooks, for agents that call a server instead of this process. */
  readonly server: string;
  /** Takes a tool event and answers it, both in the agent's own format; `{}` changes nothing. Never rejects. */
  answer(
    event: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal },
  ): Promise<Readonly<Record<string, unknown>>>;
  /** The size of a call's result before and after the cut. */
  sizesOf(callId: string): Sizes | undefined;
}

/** J-87: how a stdio server is started. */
export interface McpServerConfig {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** An MCP configuration file of the caller's, as Claude Code reads it with `--mcp-config`. */
export interface McpConfigFile {
  readonly path: string;
  /** The names of the servers in it. */
  readonly servers: readonly string[];
}

/** What an agent is started with. */
export interface ProviderRunOptions {
  readonly cwd: string;
  /** The whole environment of the agent; nothing is added from ours. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly model?: string;
  /** After so many answers of the model the run is ended as `max_turns`. */
  readonly maxTurns?: number;
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  /** A file with the settings of some of `mcpServers`, for agents that read one. The agent needs these to work at all. */
  readonly mcpConfigFile?: McpConfigFile;
  readonly hooks?: RunHooks;
  /** Called with the id of every process that the provider itself starts, so that none is left behind. */
  readonly onProcess?: (pid: number) => void;
  /** The agent runs inside the caller's sandbox, where it cannot make one of its own. */
  readonly isSandboxed?: true;
}

const count = z.int().nonnegative();

/** The schema of token counts. */
export const usageSchema = z.strictObject({
  /** All input tokens, cached ones included. */
  inputTokens: count,
  cachedInputTokens: count,
  outputTokens: count,
});
/** What an agent was billed for, in tokens. */
export type Usage = z.infer<typeof usageSchema>;

/** UTF-8 bytes. `kept` is what the model was shown of `raw`; `recovered` came back by `recover_text`. */
const sizesSchema = z.strictObject({ rawBytes: count, keptBytes: count, recoveredBytes: count });
/** The sizes of a result, in bytes. */
export type Sizes = z.infer<typeof sizesSchema>;

/** A tool's name: the agent's own (`Bash`), or J-92's `mcp:SERVER/TOOL`. */
const toolName = z.string().min(1);

/** The schema of provider events; scripts for the scripted provider are checked against it. */
export const providerEventSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("started"), sessionId: z.string().optional(), model: z.string().optional() }),
  /** What the agent itself reports about a server; some agents report nothing. */
  z.strictObject({
    kind: z.literal("server"),
    name: z.string(),
    status: z.enum(["connected", "failed"]),
    message: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal("message"), text: z.string() }),
  z.strictObject({ kind: z.literal("reasoning"), text: z.string() }),
  z.strictObject({ kind: z.literal("tool_call"), id: z.string(), tool: toolName, input: z.unknown() }),
  z.strictObject({
    kind: z.literal("tool_result"),
    id: z.string(),
    tool: toolName,
    isError: z.boolean(),
    text: z.string(),
    /** Only where the result came from a server of ours, or was cut by one of our hooks. */
    sizes: sizesSchema.optional(),
  }),
  /** Totals of the whole run so far. */
  z.strictObject({ kind: z.literal("usage"), usage: usageSchema, costUsd: z.number().optional() }),
  z.strictObject({
    kind: z.literal("notice"),
    code: z.enum(["garbage_line", "event_too_large", "agent_warning"]),
    message: z.string(),
  }),
  /** The agent has answered the prompt, or given up on it. */
  z.strictObject({ kind: z.literal("turn_ended") }),
  /** Always the last event, and always there. */
  z.strictObject({
    kind: z.literal("ended"),
    status: z.enum(["completed", "failed", "max_turns", "cancelled"]),
    /** The agent's last message. */
    text: z.string(),
    /** Why it was not completed. */
    message: z.string().optional(),
  }),
]);
/** Something that an agent reports while it works. */
export type ProviderEvent = z.infer<typeof providerEventSchema>;

/** A coding agent that can be driven: Claude, Codex or a script. */
export interface AgentProvider {
  readonly name: string;
  /**
   * Begins with `started` and ends with `ended`. Throws a RunnerError, before any event, where the agent is not installed
   * or cannot be started; a later failure is reported in `ended`.
   */
  run(prompt: string, options: ProviderRunOptions): AsyncIterable<ProviderEvent>;
}

/** The name of a server's tool as it is written in events and logs (J-92). */
export function toMcpToolName(server: string, tool: string): string {
  return `mcp:${server}/${tool}`;
}
