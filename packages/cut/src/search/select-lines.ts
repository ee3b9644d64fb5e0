// Which matches of a list are kept in full, where nothing ranks them.
import { lineLength, type MatchLines, WHY } from "@jeeves/prune";

/** Why a line stays that was chosen to fill the room. */
export const KEPT = WHY.indexOf("fill") + 1;
/** What a marker takes, about. */
export const MARKER_CHARS = 32;
/** A longer match, of a minified file mostly, is listed and not shown. */
const LONG_LINE_CHARS = 2_000;

/**
 * The first lines that fit. Lines of enormous length are passed over, unless all matches are that long, and so are
 * messages, which are kept anyway.
 */
export function selectInOrder({ table, entries }: MatchLines, maxChars: number): Uint8Array {
  const kept = new Uint8Array(table.count);
  const isLong = (index: number) => lineLength(table, index) > LONG_LINE_CHARS;
  const hasShort = entries.some(({ kind }, index) => kind === "match" && !isLong(index));
  let left = maxChars - MARKER_CHARS;
  for (let index = 0; index < table.count; index++) {
    if ((hasShort && isLong(index)) || entries[index]?.kind === "note") continue;
    left -= lineLength(table, index);
    if (left < 0) break;
    kept[index] = KEPT;
  }
  return kept;
}

/** Drops matches of enormous length, unless nothing else would be left. */
export function withoutLongLines({ table, entries }: MatchLines, kept: Uint8Array): Uint8Array {
  const isLong = (index: number) => entries[index]?.kind !== "other" && lineLength(table, index) > LONG_LINE_CHARS;
  const shorter = kept.map((why, index) => (isLong(index) ? 0 : why));
  return shorter.some((why) => why !== 0) ? shorter : kept;
}
