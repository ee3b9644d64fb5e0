// Drives an agent with our servers wired in, and writes down what happened. The agents themselves are found at run time.
export { createProvider, isProviderName, PROVIDER_NAMES, type ProviderName } from "./create-provider.ts";
export type { Launcher } from "./launcher.ts";
export { buildMcpConfig, DEFAULT_PRUNER_URL, type McpConfig, type McpConfigIssue } from "./mcpConfig.ts";
export { createRunProcesses } from "./processes-of-run.ts";
export type {
  AgentProvider,
  McpServerConfig,
  ProviderEvent,
  ProviderRunOptions,
  RunHooks,
  Sizes,
  Usage,
} from "./provider.ts";
export type { RunStatus } from "./run-file.ts";
export type { HookParts } from "./run-hooks.ts";
export type { RunState } from "./run-states.ts";
export { type RunOutcome, type RunRequest, runAgent } from "./runner.ts";
export { RunnerError, type RunnerErrorCode } from "./runner-error.ts";
