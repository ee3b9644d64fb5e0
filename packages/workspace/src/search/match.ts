// Matches of a search, and their limits: a number of matches, and bytes of text (J-50, J-51, X-50).

import { cutToUtf8Bytes } from "../utf8.ts";

/** A line that a search found, or one of its context. */
export interface Match {
  /** Relative to the root, with `/`, without `./`. */
  readonly path: string;
  readonly line: number;
  /** In characters, from 1; null where unknown, and for context. */
  readonly column: number | null;
  /** Without its line end. */
  readonly text: string;
  readonly context?: true;
}

interface MatchLimit {
  /** False when a limit is reached: the search may stop. */
  add(match: Match): boolean;
  readonly matches: readonly Match[];
  /** Without context. */
  readonly matchCount: number;
  readonly truncated: boolean;
}

interface MatchLimitOptions {
  readonly maxMatches: number;
  readonly maxBytes: number;
  readonly contextLines: number;
}

/**
 * Collects matches until a limit is reached. Context lines count for `maxBytes` but not for `maxMatches`; a first match that
 * is too long is cut.
 */
export function createMatchLimit({ maxMatches, maxBytes, contextLines }: MatchLimitOptions): MatchLimit {
  const matches: Match[] = [];
  let last: Match | undefined; // the last match that is not context
  let matchCount = 0;
  let bytes = 0;
  let truncated = false;

  function isWanted(match: Match): boolean {
    if (matchCount < maxMatches) return true;
    // Context that follows the last match still belongs to it.
    return match.context === true && match.path === last?.path && match.line <= last.line + contextLines;
  }

  function add(match: Match): boolean {
    if (!isWanted(match)) return false;
    const size = Buffer.byteLength(match.text);
    const fits = bytes + size <= maxBytes;
    if (fits || matches.length === 0) {
      matches.push(fits ? match : { ...match, text: cutToUtf8Bytes(match.text, maxBytes) });
      bytes += size;
      if (match.context === undefined) {
        last = match;
        matchCount++;
      }
    }
    // J-50: a limit that was reached counts as truncated, even if there are no more matches.
    truncated ||= !fits || matchCount >= maxMatches;
    return fits && (matchCount < maxMatches || contextLines > 0);
  }

  return {
    add,
    matches,
    get matchCount() {
      return matchCount;
    },
    get truncated() {
      return truncated;
    },
  };
}
