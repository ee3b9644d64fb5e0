// All providers by their names. Each module is imported only when its provider is used.
import { PROVIDER_NAMES, type ProviderName } from "@jeeves/base";
import type { AgentProvider } from "./provider.ts";
import { RunnerError } from "./runner-error.ts";

const LOADERS: Readonly<Record<ProviderName, () => Promise<AgentProvider>>> = {
  claude: async () => (await import("./providers/claudeAgentSdk.ts")).createClaudeProvider(),
  codex: async () => (await import("./providers/codexSdk.ts")).createCodexProvider(),
  scripted: async () => (await import("./providers/scripted.ts")).createScriptedProvider(),
};

/** Whether a word names a provider. */
export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(LOADERS, name);
}

/** Loads a provider by its name. Rejects with a RunnerError that lists the names where there is no such provider. */
export async function createProvider(name: string): Promise<AgentProvider> {
  if (isProviderName(name)) return LOADERS[name]();
  throw new RunnerError("unknown_provider", `there is no provider ${JSON.stringify(name)}`, {
    hint: `one of ${PROVIDER_NAMES.join(", ")}`,
  });
}
