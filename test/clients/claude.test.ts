import { claude } from "./claude.ts";
import { describePruner } from "./pruner-suite.ts";

describePruner(claude);
