// What a search finds, and how much of it is let through: so many matches, so many bytes of text
// (J-50, J-51, X-50).

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
  /** False when nothing more is wanted: the search may stop. */
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

export function createMatchLimit({ maxMatches, maxBytes, contextLines }: MatchLimitOptions): MatchLimit {
  const matches: Match[] = [];
  let last: Match | undefined; // the last that is more than context
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
    // J-50: reached is truncated, whether or not there would have been more.
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
