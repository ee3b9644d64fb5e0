// The server of this package as a value: its name, its tools, its instructions. Transports are somebody else's business.
import type { Profile } from "@jeeves/kit/mcp";
import type { RecoveryStore } from "@jeeves/state";
import type { Root } from "@jeeves/workspace";
import manifest from "../package.json" with { type: "json" };
import type { Config, ToolName } from "./config.ts";
import { createOutputPruner } from "./prune-output.ts";
import { INSTRUCTIONS } from "./surface.ts";
import { createBashTool } from "./tools/bash.ts";
import { createGrepTool } from "./tools/grep.ts";
import { createHookTool } from "./tools/jeeves-hook.ts";
import { withMeter } from "./tools/metered-recover.ts";
import { createReadTool } from "./tools/read.ts";
import { createRecoverTool } from "./tools/recover-text.ts";

export interface ProfileDeps {
  readonly config: Config;
  readonly root: Root;
  readonly env: NodeJS.ProcessEnv;
  readonly store: RecoveryStore;
}

export function createProfile(given: ProfileDeps): Profile {
  const loadGrammars = async () => (await import("@jeeves/prune/grammars")).createTreeSitterGrammars();
  let grammars: ReturnType<typeof loadGrammars> | undefined;
  const cutting = {
    ...given,
    loadGrammars: () => {
      grammars ??= loadGrammars();
      return grammars;
    },
  };
  const pruner = createOutputPruner(cutting);
  const deps = { ...given, pruner };
  const recover = withMeter(createRecoverTool(deps), { env: given.env, project: given.root.path });
  const tools = [createReadTool(deps), createBashTool(deps), createGrepTool(deps), recover];
  const offered = new Set<string>(given.config.MCP_PRUNER_TOOLS satisfies readonly ToolName[]);
  return {
    name: manifest.name,
    version: manifest.version,
    instructions: INSTRUCTIONS,
    tools: [...tools.filter((tool) => offered.has(tool.name)), createHookTool(cutting)],
    unknownTool: "invalid_params",
  };
}
