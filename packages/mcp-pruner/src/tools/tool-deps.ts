// What every tool of this server is given: the root, the settings, the way to prune and the store.
import type { RecoveryStore } from "@jeeves/state";
import type { Root } from "@jeeves/workspace";
import type { RulesOfCall } from "../call-rules.ts";
import type { Config } from "../config.ts";
import type { OutputPruner } from "../prune-output.ts";

export interface ToolDeps {
  readonly root: Root;
  /** The project of the root: the stored texts that this server may give back are its own. */
  readonly project: string;
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly pruner: OutputPruner;
  readonly store: RecoveryStore;
  readonly rulesOf: RulesOfCall;
}
