// What the replay needs of the product, in one bundle.
export { estimateTokens, prune, renderPruned, shortMarker } from "@jeeves/prune";
export { createTreeSitterGrammars } from "@jeeves/prune/grammars";
export { createCutter, createInProcessEngine } from "../../packages/cut/src/index.ts";
export { isDiff } from "../../packages/cut/src/policy/gates.ts";
export { cutCommandOutput } from "../../packages/intercept/src/index.ts";
export {
  grepSurface,
  INSTRUCTIONS,
  readSurface,
  recoverSurface,
} from "../../packages/mcp-pruner/src/surface/surface.ts";
