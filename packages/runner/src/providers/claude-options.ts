// The options of the Claude Agent SDK's `query`, made from a run's options and from nothing else. Only the fields that
// we set are typed here: the SDK is found at run time, and its types are not.
import { CLAUDE_MATCHERS, type HookMoment } from "@jeeves/intercept";
import type { AgentProcess } from "../process/agent-process.ts";
import type { McpServerConfig, ProviderRunOptions, RunHooks } from "../provider.ts";

/** What the SDK calls about a tool: the event, the call's id, a signal. */
type HookCallback = (
  event: Readonly<Record<string, unknown>>,
  callId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<Readonly<Record<string, unknown>>>;

type ClaudeHooks = Readonly<
  Record<HookMoment, readonly { readonly matcher: string; readonly hooks: readonly HookCallback[] }[]>
>;

interface ClaudeOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly permissionMode: "acceptEdits";
  readonly settingSources: readonly string[];
  readonly allowedTools: readonly string[];
  readonly model?: string;
  readonly maxTurns?: number;
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  readonly hooks?: ClaudeHooks;
  readonly strictMcpConfig?: true;
  /** Words of Claude Code's own command line. */
  readonly extraArgs?: Readonly<Record<string, string>>;
}

/** What we use of the SDK. */
export interface ClaudeSdk {
  query(call: { readonly prompt: string; readonly options: ClaudeCall }): AsyncIterable<unknown>;
}

/** One call of it. */
export interface ClaudeCall extends ClaudeOptions {
  readonly abortController: AbortController;
  readonly spawnClaudeCodeProcess: (asked: ClaudeSpawn) => AgentProcess["child"];
}

/** The process that it wants to be started. */
export interface ClaudeSpawn {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
}

export function toClaudeOptions(options: ProviderRunOptions): ClaudeOptions {
  const { cwd, env, model, maxTurns, mcpServers, mcpConfigFile, hooks } = options;
  const inFile = mcpConfigFile?.servers ?? [];
  const inline = Object.entries(mcpServers ?? {}).filter(([name]) => !inFile.includes(name));
  return {
    cwd,
    env: hooks === undefined ? env : withHookEnv(env, hooks),
    // There is no user to ask: edits are the task, and what else is allowed is the user's own settings' business.
    permissionMode: "acceptEdits",
    settingSources: ["user", "project", "local"],
    allowedTools: Object.keys(mcpServers ?? {}).map((name) => `mcp__${name}`),
    ...(model === undefined ? {} : { model }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    // J-89: the key is absent where no server is given.
    ...(inline.length === 0 ? {} : { mcpServers: Object.fromEntries(inline) }),
    // R-32, RU-20: the file itself, and no server that it does not name.
    ...(mcpConfigFile === undefined
      ? {}
      : { strictMcpConfig: true as const, extraArgs: { "mcp-config": mcpConfigFile.path } }),
    ...(hooks === undefined ? {} : { hooks: toClaudeHooks(hooks) }),
  };
}

/** Claude Code hands every command to the program that is named here; a program of the user's stays, two cannot stand in one place. */
function withHookEnv(env: NodeJS.ProcessEnv, { execPath }: RunHooks): NodeJS.ProcessEnv {
  return {
    ...env,
    CLAUDE_CODE_SHELL_PREFIX: env.CLAUDE_CODE_SHELL_PREFIX || execPath,
    JEEVES_NODE: env.JEEVES_NODE || process.execPath,
    // The user's settings may hold our hooks as well: one answer is enough.
    JEEVES_HOOKS: "runner",
  };
}

function toClaudeHooks(hooks: RunHooks): ClaudeHooks {
  const callback: HookCallback = (event, _callId, { signal }) => hooks.answer(event, { signal });
  return {
    PreToolUse: [{ matcher: CLAUDE_MATCHERS.PreToolUse, hooks: [callback] }],
    PostToolUse: [{ matcher: CLAUDE_MATCHERS.PostToolUse, hooks: [callback] }],
  };
}
