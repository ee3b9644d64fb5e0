// The server of this package as a value: its name, its tools, its instructions. Transports are somebody else's business.
import { createMeter } from "@jeeves/intercept";
import type { Profile } from "@jeeves/kit/mcp";
import type { RecoveryStore } from "@jeeves/state";
import type { Root } from "@jeeves/workspace";
import manifest from "../package.json" with { type: "json" };
import { createRulesOfCall } from "./call-rules.ts";
import type { Config, ToolName } from "./config.ts";
import { createOutputPruner } from "./prune-output.ts";
import { NO_SESSION, type Session } from "./session.ts";
import { INSTRUCTIONS, RECOVERY_INSTRUCTIONS } from "./surface.ts";
import { withSurfaceMeter } from "./surface-meter.ts";
import { createBashTool } from "./tools/bash.ts";
import { createGrepTool } from "./tools/grep.ts";
import { createHookTool } from "./tools/jeeves-hook.ts";
import { withMeter } from "./tools/metered-recover.ts";
import { createReadTool } from "./tools/read.ts";
import { createRecoverTool } from "./tools/recover-text.ts";

export interface ProfileDeps {
  readonly config: Config;
  readonly root: Root;
  /** The project of the root (`findProject`). */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly store: RecoveryStore;
  /** Whose calls these are; nobody's where they cannot be told apart. */
  readonly session?: Session;
}

export function createProfile(given: ProfileDeps): Profile {
  const loadGrammars = async () => (await import("@jeeves/prune/grammars")).createTreeSitterGrammars();
  let grammars: ReturnType<typeof loadGrammars> | undefined;
  const meter = createMeter(given.env);
  const session = given.session ?? NO_SESSION;
  const cutting = {
    ...given,
    meter,
    session,
    loadGrammars: () => {
      grammars ??= loadGrammars();
      return grammars;
    },
  };
  const pruner = createOutputPruner(cutting);
  const deps = { ...given, pruner, rulesOf: createRulesOfCall(given) };
  const recover = withMeter(createRecoverTool({ ...deps, meter, session }), {
    meter,
    session,
    project: given.root.path,
  });
  const all = [createReadTool(deps), createBashTool(deps), createGrepTool(deps), recover];
  const offered = new Set<string>(given.config.MCP_PRUNER_TOOLS satisfies readonly ToolName[]);
  const tools = [
    ...all.filter((tool) => offered.has(tool.name)),
    createHookTool({ ...cutting, rulesOf: deps.rulesOf }),
  ];
  const takesQuestions = all.some((tool) => offered.has(tool.name) && tool !== recover);
  const instructions = takesQuestions ? INSTRUCTIONS : RECOVERY_INSTRUCTIONS;
  return {
    name: manifest.name,
    version: manifest.version,
    instructions,
    tools: withSurfaceMeter({ instructions, tools }, { meter, session, project: given.root.path, env: given.env }),
    unknownTool: "invalid_params",
  };
}
