// The server of this package as a value: its name, its tools, its instructions. It knows no transport.
import { VERSION } from "@jeeves/base";
import { createCutter, createInProcessEngine, createMeter } from "@jeeves/cut";
import type { Profile } from "@jeeves/kit/mcp";
import type { RecoveryStore } from "@jeeves/state";
import type { Root } from "@jeeves/workspace";
import manifest from "../package.json" with { type: "json" };
import { createAnswerer } from "./answer/answer.ts";
import { createRulesOfCall } from "./call-rules.ts";
import type { Config, ToolName } from "./config.ts";
import type { Sessions } from "./session.ts";
import { INSTRUCTIONS, RECOVERY_INSTRUCTIONS } from "./surface/surface.ts";
import { withSurfaceMeter } from "./surface/surface-meter.ts";
import { createBashTool } from "./tools/bash.ts";
import { createGrepTool } from "./tools/grep.ts";
import { createHookTool } from "./tools/jeeves-hook.ts";
import { createReadTool } from "./tools/read.ts";
import { createRecoverTool } from "./tools/recover-text.ts";
import type { ToolDeps } from "./tools/tool-deps.ts";

/** What the server is made from; its settings are already parsed and its root is open. */
export interface ProfileDeps {
  readonly config: Config;
  readonly root: Root;
  /** The project of the root (`findProject`). */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly store: RecoveryStore;
  readonly sessions: Sessions;
}

/** The server with the tools that the settings name, and always with `jeeves_hook`, which is not listed. */
export function createProfile(given: ProfileDeps): Profile {
  const { config, env, store, root } = given;
  const meter = createMeter(env);
  const cutter = createCutter({ engine: createInProcessEngine(), store, meter, env });
  const parts = { ...given, meter, cutter };
  const deps: ToolDeps = { ...parts, rulesOf: createRulesOfCall(given), answerer: createAnswerer(parts) };
  const recover = createRecoverTool(deps);
  const all = [createReadTool(deps), createBashTool(deps), createGrepTool(deps), recover];
  const offered = new Set<string>(config.MCP_PRUNER_TOOLS satisfies readonly ToolName[]);
  const tools = [...all.filter((tool) => offered.has(tool.name)), createHookTool(deps)];
  const takesQuestions = all.some((tool) => offered.has(tool.name) && tool !== recover);
  // With no tool there is nothing to explain: each cut text ends with the way to its rest.
  const instructions = takesQuestions ? INSTRUCTIONS : offered.size > 0 ? RECOVERY_INSTRUCTIONS : undefined;
  return {
    name: manifest.name,
    version: VERSION,
    ...(instructions === undefined ? {} : { instructions }),
    tools: withSurfaceMeter(
      { instructions: instructions ?? "", tools },
      { meter, sessions: given.sessions, dir: root.path, env },
    ),
    unknownTool: "invalid_params",
  };
}
