// The options of the Claude Agent SDK's `query`, made from a run's options and from nothing else. Only the fields that
// we set are typed here: the SDK is found at run time, and its types are not.
import type { McpServerConfig, ProviderRunOptions } from "../provider.ts";

export interface ClaudeOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly permissionMode: "acceptEdits";
  readonly settingSources: readonly string[];
  readonly allowedTools: readonly string[];
  readonly model?: string;
  readonly maxTurns?: number;
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
}

export function toClaudeOptions(options: ProviderRunOptions): ClaudeOptions {
  const { cwd, env, model, maxTurns, mcpServers } = options;
  return {
    cwd,
    env,
    // Nobody is there to ask: edits are the task, and what else is allowed is the user's own settings' business.
    permissionMode: "acceptEdits",
    settingSources: ["user", "project", "local"],
    allowedTools: Object.keys(mcpServers ?? {}).map((name) => `mcp__${name}`),
    ...(model === undefined ? {} : { model }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    // J-89: the key is absent where no server is given.
    ...(mcpServers === undefined ? {} : { mcpServers }),
  };
}
