// Drives an agent with our servers wired in, and writes down what happened. The agents themselves are found at run time.
export { createProvider, isProviderName } from "./create-provider.ts";
export type { RunStatus } from "./log/run-file.ts";
export { buildMcpConfig, DEFAULT_PRUNER_URL, type McpConfig, type McpConfigIssue } from "./mcpConfig.ts";
export type { Launcher } from "./process/launcher.ts";
export { createRunProcesses } from "./process/processes-of-run.ts";
export type {
  AgentProvider,
  McpServerConfig,
  ProviderEvent,
  ProviderRunOptions,
  RunHooks,
  Sizes,
  Usage,
} from "./provider.ts";
export { codexHookHash } from "./providers/codex-hooks.ts";
export { type StdioServer, startStdioServer } from "./providers/stdio-server.ts";
export { type RunOutcome, type RunRequest, runAgent } from "./runner.ts";
export { RunnerError, type RunnerErrorCode } from "./runner-error.ts";
export type { HookParts } from "./wiring/run-hooks.ts";
export type { RunState } from "./wiring/run-states.ts";
