// What every tool of this server is given.
import type { Answerer } from "../answer/answer.ts";
import type { RemotePrunerDeps } from "../answer/remote-pruner.ts";
import type { RulesOfCall } from "../call-rules.ts";

export interface ToolDeps extends RemotePrunerDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly rulesOf: RulesOfCall;
  readonly answerer: Answerer;
}
