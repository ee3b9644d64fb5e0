// The text pruner as a value: its tools, and the methods that its older clients know (K-10 … K-12, X-40).
import { VERSION } from "@jeeves/base";
import type { Cutter, RecoverDeps } from "@jeeves/cut";
import type { Profile } from "@jeeves/kit/mcp";
import { SERVER_NAME, toHealth } from "./health.ts";
import { healthTool } from "./tools/health.ts";
import { createPruneTool } from "./tools/prune-text.ts";
import { createRecoverTools } from "./tools/recover-text.ts";

/** The pipeline that cuts, and the store and meter that recoveries use. */
export interface ProfileDeps extends RecoverDeps {
  readonly cutter: Cutter;
}

/** The profile, with `prune_text`, `recover_text` (also as `recover_range`) and `health`. */
export function createProfile(deps: ProfileDeps): Profile {
  return {
    name: SERVER_NAME,
    version: VERSION,
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
