// What the model reads of a text that stays whole, in tokens.
import { estimateTokens } from "@jeeves/prune";
import type { CutRequest } from "../cut-request.ts";

/** Tokens of the whole text as its client shows it, or of our own tools as much as the client displays. */
export function wholeTokensOf(request: CutRequest): number {
  const { text, clientView, shownTokens } = request;
  if (clientView === undefined && shownTokens === undefined) return ownShownTokens(request, undefined);
  return shownTokens ?? estimateTokens(clientView?.(text) ?? text);
}

/** Tokens of what our own tool would have shown without a cut. `rawTokens`: of the whole text, where they are known. */
export function ownShownTokens({ text, room }: CutRequest, rawTokens: number | undefined): number {
  const { maxChars = text.length } = room ?? {};
  return text.length <= maxChars ? (rawTokens ?? estimateTokens(text)) : estimateTokens(text.slice(0, maxChars));
}
