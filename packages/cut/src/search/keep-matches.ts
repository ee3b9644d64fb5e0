// Which matches of a search are shown in full: the best ones, or the first ones where all were asked for.
import { type Amount, estimateTokens, lineLength, type MatchLines, type Pruned } from "@jeeves/prune";
import { cutMatches, type MatchCut } from "./cut-matches.ts";
import { selectInOrder, withoutLongLines } from "./select-lines.ts";

/** The text of a search, and the limits of its cut. */
export interface MatchRequest {
  readonly text: string;
  /** Whether a shown text of so many tokens is worth the cut. */
  readonly isWorth: (tokens: number) => boolean;
  /** Room for all that is shown. */
  readonly maxChars?: number;
  /** Room for matches in full, unless the list of the others is longer. */
  readonly maxFullChars?: number;
  readonly barriers?: readonly number[];
  /** The client would show all of it, although it is longer than `maxChars`. */
  readonly isShownWhole?: boolean;
}

/** Characters kept of a search that asks for all, unless the list of the others is longer. */
const FIRST_MATCHES_CHARS = 2_000;

/** Keeps the first matches, in the order of the search; undefined where that is not worth it. */
export function keepFirstMatches(request: MatchRequest, lines: MatchLines): Promise<MatchCut | undefined> {
  return cutMatches(lines, {
    ...limitsOf(request),
    select: (maxChars) => selectInOrder(lines, maxChars),
    keepChars: keepCharsOf(lines, request),
  });
}

function keepCharsOf({ unit }: MatchLines, { maxFullChars = Number.POSITIVE_INFINITY }: MatchRequest): number {
  if (unit === "matches") return FIRST_MATCHES_CHARS;
  // Paths are all in the list; other names of files and lines without a place have no shorter form: as many as fit.
  return unit === "paths" ? 1 : maxFullChars;
}

interface RankedMatches {
  readonly lines: MatchLines;
  /** The engine's own choice, made with `amount`. */
  readonly pruned: Pruned;
  readonly amount: Extract<Amount, { mode: "auto" }>;
  /** Chooses again, with another amount. */
  readonly run: (amount: Amount) => Promise<Pruned>;
}

/** Keeps the matches that the engine ranks highest; undefined where that is not worth it. */
export function keepBestMatches(request: MatchRequest, ranked: RankedMatches): Promise<MatchCut | undefined> {
  const { lines, pruned, amount, run } = ranked;
  const best = withoutLongLines(lines, pruned.kept);
  const { table } = lines;
  const bestChars = best.reduce((sum, why, index) => (why === 0 ? sum : sum + lineLength(table, index)), 0);
  return cutMatches(lines, {
    ...limitsOf(request),
    match: pruned.match,
    kind: pruned.kind,
    keepChars: Math.min(bestChars, request.maxFullChars ?? bestChars),
    async select(maxChars) {
      if (maxChars === bestChars) return best;
      if (maxChars <= 0) return new Uint8Array(table.count);
      const other: Amount =
        maxChars > bestChars ? { mode: "share", keep: maxChars / request.text.length } : { ...amount, maxChars };
      return withoutLongLines(lines, (await run(other)).kept);
    },
  });
}

function limitsOf({ text, maxChars, barriers, isShownWhole, isWorth }: MatchRequest) {
  return {
    ...(maxChars === undefined ? {} : { maxChars }),
    ...(barriers === undefined ? {} : { barriers }),
    ...(isShownWhole === undefined ? {} : { isShownWhole }),
    // X-19, and X-23's gate; a text that its client cannot show whole is cut whatever it saves (X-51).
    isWorth: (shown: string) =>
      shown.length < text.length &&
      (text.length > (maxChars ?? Number.POSITIVE_INFINITY) || isWorth(estimateTokens(shown))),
  };
}
