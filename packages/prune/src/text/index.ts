// @jeeves/prune/text: lines, words, stems and token counts, for callers that read text but prune nothing.
export { countLines, type LineTable, lineAt, lineLength, linesOf, splitLines } from "./lines.ts";
export { stem } from "./stem.ts";
export { estimateTokens, tokensUpToLines } from "./tokens.ts";
export { scanWords, termsOf, wholeOf } from "./words.ts";
