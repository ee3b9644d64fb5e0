// The engine's functions for texts that doors need, so that they need not depend on it.
export { countLines, estimateTokens, lineAt, type MatchLine, parseMatchLines, splitLines, WHY } from "@jeeves/prune";
