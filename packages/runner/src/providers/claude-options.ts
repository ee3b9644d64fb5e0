// The options of the Claude Agent SDK's `query`, made from a run's options alone. Only the fields that we set
// are typed here: the SDK is found at run time, so its own types cannot be imported.
import { CLAUDE_MATCHERS, type HookMoment } from "@jeeves/intercept";
import type { AgentProcess } from "../process/agent-process.ts";
import type { McpServerConfig, ProviderRunOptions, RunHooks } from "../provider.ts";

/** The SDK calls it before and after a tool runs. */
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
  /** Options of Claude Code's own command line, without their dashes. */
  readonly extraArgs?: Readonly<Record<string, string>>;
}

/** What we use of the SDK. */
export interface ClaudeSdk {
  query(call: { readonly prompt: string; readonly options: ClaudeCall }): AsyncIterable<unknown>;
}

/** The options of one `query`, with the functions that we add for process control. */
export interface ClaudeCall extends ClaudeOptions {
  readonly abortController: AbortController;
  readonly spawnClaudeCodeProcess: (asked: ClaudeSpawn) => AgentProcess["child"];
}

/** The process that the SDK asks us to start. */
export interface ClaudeSpawn {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The SDK's options for one run: edits and the run's servers are allowed, the user's settings decide about the rest. */
export function toClaudeOptions(options: ProviderRunOptions): ClaudeOptions {
  const { cwd, env, model, maxTurns, mcpServers, mcpConfigFile, hooks } = options;
  const inFile = mcpConfigFile?.servers ?? [];
  const inline = Object.entries(mcpServers ?? {}).filter(([name]) => !inFile.includes(name));
  return {
    cwd,
    env: hooks === undefined ? env : withHookEnv(env, hooks),
    // There is no user to ask. Edits are part of the task; the user's own settings decide about everything else.
    permissionMode: "acceptEdits",
    settingSources: ["user", "project", "local"],
    allowedTools: Object.keys(mcpServers ?? {}).map((name) => `mcp__${name}`),
    ...(model === undefined ? {} : { model }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    // J-89: the key is absent where no server is given.
    ...(inline.length === 0 ? {} : { mcpServers: Object.fromEntries(inline) }),
    // R-32, RU-20: servers come from the file alone.
    ...(mcpConfigFile === undefined
      ? {}
      : { strictMcpConfig: true as const, extraArgs: { "mcp-config": mcpConfigFile.path } }),
    ...(hooks === undefined ? {} : { hooks: toClaudeHooks(hooks) }),
  };
}

/** Claude Code runs every command through the program of CLAUDE_CODE_SHELL_PREFIX; one that the user has set is kept. */
function withHookEnv(env: NodeJS.ProcessEnv, { execPath }: RunHooks): NodeJS.ProcessEnv {
  return {
    ...env,
    CLAUDE_CODE_SHELL_PREFIX: env.CLAUDE_CODE_SHELL_PREFIX || execPath,
    JEEVES_NODE: env.JEEVES_NODE || process.execPath,
    // The user's settings may contain our hooks as well; with this value those do nothing.
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
