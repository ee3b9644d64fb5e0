// The pruning engine's front: what servers and tools call. Grammars are a separate entry (@jeeves/prune/grammars).
export type { Amount } from "./amount.ts";
export type { SourceKind } from "./kind.ts";
export { countLines, type LineTable, lineAt, lineLength, linesOf, splitLines } from "./lines.ts";
export {
  type MatchForm,
  type MatchLine,
  type MatchLines,
  parseFileLines,
  parseMatchLines,
  parseTextLines,
  withoutColours,
} from "./matches/match-lines.ts";
export { type ListForm, type OtherMatches, otherMatches, renderOtherMatches } from "./matches/other-matches.ts";
export { type PruneOptions, prune } from "./prune.ts";
export type { Block, BlockLabel, Pruned } from "./pruned.ts";
export { type RenderHow, renderPruned, shortMarker } from "./render.ts";
export type { Ranker, RankInput, Ranking } from "./score.ts";
export type { Grammar, Grammars } from "./syntax.ts";
export { estimateTokens, tokensUpToLines } from "./tokens.ts";
export { WHY, type Why } from "./why.ts";
