// The text pruner as a value: its tools, and the methods that its older clients know (K-10 … K-12, X-40).
import type { Profile } from "@jeeves/kit/mcp";
import { SERVER_NAME, toHealth, version } from "./health.ts";
import { healthTool } from "./tools/health.ts";
import { createPruneTool, type PruneDeps } from "./tools/prune-text.ts";
import { createRecoverTools } from "./tools/recover-text.ts";

export function createProfile(deps: PruneDeps): Profile {
  return {
    name: SERVER_NAME,
    version,
    tools: [createPruneTool(deps), ...createRecoverTools(deps), healthTool],
    unknownTool: "invalid_params",
    methods: {
      health: () => toHealth(),
      "notifications/initialized": () => ({ ok: true }),
      "resources/list": () => ({ resources: [] }),
      "resources/templates/list": () => ({ resourceTemplates: [] }),
      "prompts/list": () => ({ prompts: [] }),
    },
  };
}
