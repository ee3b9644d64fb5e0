// A match list made shorter without losing a match: some of its lines in full, the others in a list behind them
// with every path and line number. The list has the lines of each file; counts only where that is longer than the kept
// lines even after more of them are kept, or than the room that the client leaves.
import {
  type Block,
  type ListForm,
  lineLength,
  type MatchLines,
  type OtherMatches,
  otherMatches,
  type Pruned,
  renderOtherMatches,
  renderPruned,
  shortMarker,
  WHY,
} from "@jeeves/prune";

export interface MatchCut {
  readonly pruned: Pruned;
  /** The list alone, as it stands behind the kept lines. */
  readonly list: string;
  readonly others: readonly OtherMatches[];
  /** Kept lines with their markers, then the list; it ends in a line end if the whole text does. */
  readonly text: string;
}

export interface MatchCutOptions {
  /** Which lines to keep within so many characters. */
  readonly select: (maxChars: number) => Uint8Array | Promise<Uint8Array>;
  /** Characters of kept lines to aim for; more are kept where the list is longer than that. */
  readonly keepChars: number;
  /** Room for the whole text. */
  readonly maxChars?: number;
  /** Lines at the top that were shown already. */
  readonly headLines?: number;
  /** Lines at which a new part of the text starts; no block spans one. */
  readonly barriers?: readonly number[];
  readonly match?: Pruned["match"];
  /** Whether a shown text is short enough to be worth the cut. */
  readonly isWorth: (text: string) => boolean;
}

/** Lists up to this size are never too long beside the kept lines. */
const SMALL_LIST_CHARS = 500;
/** More lines than this, some 4,500 tokens, are not kept for the sake of the list. */
const MAX_GROWN_CHARS = 16_000;
/** A longer match, of a minified file mostly, is listed and not shown. */
const LONG_LINE_CHARS = 2_000;
/** Messages of the search program are shown up to this size: a search of the whole disk has one for every directory. */
const MAX_NOTE_CHARS = 1_000;
const MARKER_CHARS = 32;
const TRIES = 6;
const KEPT = WHY.indexOf("fill") + 1;

/** Returns undefined if no shorter text is worth it. */
export async function cutMatches(lines: MatchLines, options: MatchCutOptions): Promise<MatchCut | undefined> {
  const room = options.maxChars ?? Number.POSITIVE_INFINITY;
  const chosen = new Map<number, Uint8Array>();
  const make = async (target: number, list: { readonly form: ListForm; readonly maxChars?: number }) => {
    const kept = chosen.get(target) ?? complete(lines, await options.select(target), options.headLines ?? 0);
    chosen.set(target, kept);
    return toCut(lines, kept, list, options);
  };
  for (const form of ["lines", "counts"] as const) {
    let target = Math.min(options.keepChars, room);
    let before = -1;
    for (let tries = 0; tries < TRIES; tries++) {
      const cut = await make(target, { form });
      if (cut === undefined) break;
      const listChars = cut.list.length;
      const keptChars = cut.text.length - listChars;
      // Where no line is short enough to be kept, the list is all there is.
      const isAlone = !cut.pruned.kept.some((why) => why !== 0);
      const isSmall = listChars <= Math.max(isAlone ? MAX_GROWN_CHARS : keptChars, SMALL_LIST_CHARS);
      if (isSmall && cut.text.length <= room) {
        if (options.isWorth(cut.text)) return cut;
        break;
      }
      // Keep as much as the list takes, or leave the room that it takes.
      const grown = Math.min(Math.ceil(listChars * 1.1), room - listChars, MAX_GROWN_CHARS);
      const next = isSmall ? keptChars - (cut.text.length - room) : grown;
      if (next <= 0 || keptChars === before) break;
      before = keptChars;
      target = next;
    }
  }
  const half = Math.min(options.keepChars, Number.isFinite(room) ? Math.floor(room / 2) : options.keepChars);
  const first = await make(half, { form: "counts" });
  if (first === undefined) return undefined;
  const keptChars = first.text.length - first.list.length;
  const maxChars = Math.max(1, Math.min(Math.max(keptChars, SMALL_LIST_CHARS), room - keptChars));
  const cut = await make(half, { form: "counts", maxChars });
  return cut !== undefined && options.isWorth(cut.text) ? cut : undefined;
}

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
export function withoutLongLines({ table }: MatchLines, kept: Uint8Array): Uint8Array {
  const shorter = kept.map((why, index) => (lineLength(table, index) > LONG_LINE_CHARS ? 0 : why));
  return shorter.some((why) => why !== 0) ? shorter : kept;
}

/** Adds what the kept lines cannot be read without, and what costs more to leave out than to show. */
function complete({ table, entries }: MatchLines, chosen: Uint8Array, headLines: number): Uint8Array {
  const kept = chosen.slice();
  const keep = (index: number) => {
    if (kept[index] === 0) kept[index] = KEPT;
  };
  for (let index = 0; index < Math.min(headLines, kept.length); index++) keep(index);
  let heading = -1;
  let noteChars = 0;
  entries.forEach((entry, index) => {
    if (entry.kind === "note") noteChars += lineLength(table, index);
    if (entry.kind === "note" && noteChars <= MAX_NOTE_CHARS) keep(index);
    if (entry.kind === "heading") heading = index;
    if (entry.kind === "continued" && kept[index - 1] !== 0) keep(index);
    if (entry.kind === "continued" && kept[index - 1] === 0) kept[index] = 0;
    if (heading >= 0 && kept[index] !== 0) keep(heading);
  });
  for (let from = 0; from < kept.length; from++) {
    if (kept[from] !== 0) continue;
    let to = from;
    let saved = 0;
    for (; to < kept.length && kept[to] === 0; to++) saved += lineLength(table, to) - listedChars(entries[to]);
    if (saved <= MARKER_CHARS) for (let index = from; index < to; index++) keep(index);
    from = to;
  }
  return kept;
}

function listedChars(entry: MatchLines["entries"][number] | undefined): number {
  return entry?.kind === "match" && entry.line !== undefined ? String(entry.line).length + 2 : 0;
}

/** Returns undefined where nothing is left out, or nothing but the place of a single match is left. */
function toCut(
  lines: MatchLines,
  kept: Uint8Array,
  list: { readonly form: ListForm; readonly maxChars?: number },
  { match = "clear", barriers = [] }: MatchCutOptions,
): MatchCut | undefined {
  const { table } = lines;
  if (!kept.includes(0)) return undefined;
  const others = otherMatches(lines, kept);
  const isSingle = others.length < 2 && (others[0]?.count ?? 0) < 2;
  if (isSingle && kept.every((why) => why === 0)) return undefined;
  const pruned: Pruned = {
    status: "pruned",
    kind: "matches",
    lineCount: table.count,
    kept,
    blocks: blocksOf(lines, kept, barriers),
    match,
  };
  const rendered = renderOtherMatches(others, { ...list, unit: lines.unit });
  const body = renderPruned(table, pruned, { marker: shortMarker });
  return { pruned, list: rendered, others, text: withList(body, rendered) };
}

/** Puts the list behind a text that may end in a line end, which then stands behind the list. */
export function withList(body: string, list: string): string {
  if (list === "") return body;
  return body.endsWith("\n") ? `${body}${list}\n` : `${body}\n${list}`;
}

function blocksOf({ entries }: MatchLines, kept: Uint8Array, barriers: readonly number[]): Block[] {
  const blocks: Block[] = [];
  for (let from = 0; from < kept.length; from++) {
    if (kept[from] !== 0) continue;
    let to = from;
    while (to + 1 < kept.length && kept[to + 1] === 0 && !barriers.includes(to + 1)) to++;
    const first = entries.slice(from, to + 1).find((entry) => entry.kind === "match");
    const name = first?.kind === "match" ? first.path : "";
    blocks.push({ startLine: from + 1, endLine: to + 1, lineCount: to - from + 1, label: { what: "lines", name } });
    from = to;
  }
  return blocks;
}
