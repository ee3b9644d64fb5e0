// The entry of the pruning engine. Grammars are a separate one (@jeeves/prune/grammars), and so are the functions for text
// alone (@jeeves/prune/text).

export { prune, scoreLines } from "./load-prune.ts";
export { parseFileLines } from "./matches/file-lines.ts";
export { findMatches } from "./matches/find-matches.ts";
export { parseJsonMatches } from "./matches/json-matches.ts";
export {
  type MatchForm,
  type MatchLine,
  type MatchLines,
  parseMatchLines,
  parseTextLines,
  withoutColours,
} from "./matches/match-lines.ts";
export { type ListForm, type OtherMatches, otherMatches, renderOtherMatches } from "./matches/other-matches.ts";
export type { SourceKind } from "./outline/extensions.ts";
export { type Outline, ROLE } from "./outline/outline.ts";
export type { Grammar, Grammars } from "./outline/syntax.ts";
export type { PruneOptions } from "./prune.ts";
export type { Block, BlockLabel, CharRange, Pruned } from "./pruned.ts";
export type { Use } from "./rank/learned/use.ts";
export type { Ranker, RankInput, Ranking } from "./rank/score.ts";
export { type RenderHow, renderedLength, renderPruned, shortMarker } from "./render.ts";
export { type FailureReport, findReports } from "./reruns/reports.ts";
export { type StableLines, stableLines } from "./reruns/stable-words.ts";
export type { ScoredLines, ScoreLinesOptions } from "./score-lines.ts";
export type { Amount } from "./select/amount.ts";
export type { OutlineAmount } from "./select/outline-first.ts";
export { WHY, type Why } from "./select/why.ts";
export { countLines, type LineTable, lineAt, lineLength, linesOf, splitLines } from "./text/lines.ts";
export { estimateTokens, tokensUpToLines } from "./text/tokens.ts";
