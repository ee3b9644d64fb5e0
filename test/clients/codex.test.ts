import { codex } from "./codex.ts";
import { describePruner } from "./pruner-suite.ts";

describePruner(codex);
