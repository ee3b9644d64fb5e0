// What doors need to know about texts, from the engine that counts and splits them.
export { countLines, estimateTokens, lineAt, type MatchLine, parseMatchLines, splitLines, WHY } from "@jeeves/prune";
