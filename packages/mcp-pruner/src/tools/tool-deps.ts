// What every tool of this server is given: the root, the settings, the way to prune and the store.
import type { RecoveryStore } from "@jeeves/state";
import type { Root } from "@jeeves/workspace";
import type { Config } from "../config.ts";
import type { OutputPruner } from "../prune-output.ts";

export interface ToolDeps {
  readonly root: Root;
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly pruner: OutputPruner;
  readonly store: RecoveryStore;
}
