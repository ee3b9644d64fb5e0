// What the tools of this server share.
import type { Answerer } from "../answer/answer.ts";
import type { RemotePrunerDeps } from "../answer/remote-pruner.ts";
import type { RulesOfCall } from "../call-rules.ts";

/** What every tool needs: root, settings, store and meter, the rules of a call, and the answerer. */
export interface ToolDeps extends RemotePrunerDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly rulesOf: RulesOfCall;
  readonly answerer: Answerer;
}
