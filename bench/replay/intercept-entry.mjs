// What the replay needs of the product, in one bundle.
export { estimateTokens, prune } from "@jeeves/prune";
export { createTreeSitterGrammars } from "@jeeves/prune/grammars";
export * from "../../packages/intercept/src/index.ts";
export { grepSurface, INSTRUCTIONS, readSurface, recoverSurface } from "../../packages/mcp-pruner/src/surface.ts";
