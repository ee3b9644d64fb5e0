// Shortens a match list without losing a match: some of its lines in full, the others in a list behind them
// with every path and line number. The list has the lines of each file; counts only where that is longer than the kept
// lines even after more of them are kept, or than the room that the client leaves.
import { shownName } from "@jeeves/base";
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
} from "@jeeves/prune";
import { KEPT, MARKER_CHARS } from "./select-lines.ts";

/** A shortened match list. */
export interface MatchCut {
  readonly pruned: Pruned;
  /** The list alone, as it stands behind the kept lines. */
  readonly list: string;
  readonly others: readonly OtherMatches[];
  /** How many matches the list names by their file. */
  readonly named: number;
  /** Kept lines with their markers, then the list; it ends in a line end if the whole text does. */
  readonly text: string;
}

interface MatchCutOptions {
  /** Which lines to keep within so many characters. */
  readonly select: (maxChars: number) => Uint8Array | Promise<Uint8Array>;
  /** Characters of kept lines to aim for; more are kept where the list is longer than that. */
  readonly keepChars: number;
  /** Room for the whole text. */
  readonly maxChars?: number;
  /** Lines at which a new part of the text starts; no block spans one. */
  readonly barriers?: readonly number[];
  readonly match?: Pruned["match"];
  /** Default: matches. Other lines may make the text something else. */
  readonly kind?: Pruned["kind"];
  /** The client would show the whole text, although it is longer than `maxChars`. */
  readonly isShownWhole?: boolean;
  /** Whether a shown text is short enough to be worth the cut. */
  readonly isWorth: (text: string) => boolean;
}

/** Lists up to this size are never too long beside the kept lines. */
const SMALL_LIST_CHARS = 500;
/** More lines than this, some 4,500 tokens, are not kept for the sake of the list. */
const MAX_GROWN_CHARS = 16_000;
/** Messages of the search program are shown up to this size: a search of the whole disk has one for every directory. */
const MAX_NOTE_CHARS = 1_000;
const MAX_NOTE_SHARE = 0.05;
/** Share of the room that kept lines get even if files then go unnamed. */
const LEAST_SHARE = 0.2;
const TRIES = 6;

/** The shortened list; undefined if no shorter text is worth it. */
export async function cutMatches(lines: MatchLines, options: MatchCutOptions): Promise<MatchCut | undefined> {
  const chosen = new Map<number, Uint8Array>();
  const make: MakeCut = async (target, list) => {
    const kept = chosen.get(target) ?? complete(lines, await options.select(target), options);
    chosen.set(target, kept);
    return toCut(lines, kept, list, options);
  };
  const byDirectory = nameByDirectory(lines, options);
  if (byDirectory !== undefined) return options.isWorth(byDirectory.text) ? byDirectory : undefined;
  // Any other cut of a list of files leaves names out, which the client would have shown.
  if (lines.unit === "files" && options.isShownWhole === true) return undefined;
  const named = await nameLines(make, { ...options, wholeChars: lines.table.starts[lines.table.count] ?? 0 });
  const cut = named === "too long" ? await countByFile(make, options) : named;
  return cut !== undefined && options.isWorth(cut.text) ? cut : undefined;
}

type MakeCut = (
  target: number,
  list: { readonly form: ListForm; readonly maxChars?: number },
) => Promise<MatchCut | undefined>;

/**
 * Every path below its directory; undefined where the list is not of paths alone, has room as it is, or is too long in
 * this form, too.
 */
function nameByDirectory(lines: MatchLines, options: MatchCutOptions): MatchCut | undefined {
  const { maxChars: room = Number.POSITIVE_INFINITY } = options;
  const { table, arePaths = false } = lines;
  if (!arePaths || table.text.length <= room) return undefined;
  const cut = toCut({ ...lines, unit: "paths" }, new Uint8Array(table.count), { form: "lines" }, options);
  const isShort = cut !== undefined && cut.text.length <= room && cut.list.length <= MAX_GROWN_CHARS;
  return isShort ? cut : undefined;
}

const keptChars = (cut: MatchCut) => cut.text.length - cut.list.length;

/** Every line number is in the list, which is no longer than the kept lines, unless that is too long. */
async function nameLines(
  make: MakeCut,
  options: MatchCutOptions & { readonly wholeChars: number },
): Promise<MatchCut | "too long" | undefined> {
  const { keepChars, maxChars: room = Number.POSITIVE_INFINITY, isWorth, wholeChars } = options;
  let target = Math.min(keepChars, room);
  let hasGrown = false;
  for (let tries = 0; tries < TRIES && target > 0; tries++) {
    const cut = await make(target, { form: "lines" });
    if (cut === undefined) {
      if (wholeChars <= room) return hasGrown ? "too long" : undefined;
      target = Math.floor(Math.min(target, wholeChars) * 0.9);
      continue;
    }
    const listChars = cut.list.length;
    // Where no line is short enough to be kept, the list is all there is.
    const isAlone = !cut.pruned.kept.some((why) => why !== 0);
    const isSmall = listChars <= Math.max(isAlone ? MAX_GROWN_CHARS : keptChars(cut), SMALL_LIST_CHARS);
    const over = cut.text.length - room;
    if (isSmall && over <= 0) return hasGrown && !isWorth(cut.text) ? "too long" : cut;
    // Leave the room that the list takes, or keep as much as the list takes.
    if (isSmall) target = Math.min(target, keptChars(cut)) - over;
    else {
      // Long lines fill less than they may, so that the target alone is a poor measure.
      const wanted = Math.max(Math.ceil(listChars * 1.1), Math.ceil(target * 1.5));
      const grown = Math.min(wanted, room - listChars, MAX_GROWN_CHARS);
      if (grown <= target) return "too long";
      target = grown;
      hasGrown = true;
    }
  }
  return "too long";
}

/** Files with the number of their matches: every one of them, or as many as the client has room for. */
async function countByFile(make: MakeCut, options: MatchCutOptions): Promise<MatchCut | undefined> {
  const { keepChars, maxChars: room = Number.POSITIVE_INFINITY } = options;
  const most = Math.floor(Math.min(keepChars, room / 2));
  const least = Math.floor(Math.min(keepChars, room * LEAST_SHARE));
  const listChars = (await make(most, { form: "counts" }))?.list.length ?? 0;
  const beside = Math.max(least, Math.min(keepChars, room - listChars));
  let last: MatchCut | undefined;
  for (const target of [beside, Math.min(most, beside), least, 0]) {
    const whole = await make(target, { form: "counts" });
    if (whole === undefined) continue;
    const listRoom = room - keptChars(whole);
    if (whole.list.length <= listRoom) return whole;
    if (target > least) continue;
    last = await make(target, { form: "counts", maxChars: Math.max(1, listRoom) });
    if (last !== undefined && last.text.length <= room) return last;
  }
  return last;
}

/** Adds the headings and messages that kept lines need, and lines that cost less than their marker. */
function complete({ table, entries }: MatchLines, chosen: Uint8Array, options: MatchCutOptions): Uint8Array {
  const { maxChars = Number.POSITIVE_INFINITY } = options;
  const kept = chosen.slice();
  const maxNoteChars = Math.min(MAX_NOTE_CHARS, maxChars * MAX_NOTE_SHARE);
  const keep = (index: number) => {
    if (kept[index] === 0) kept[index] = KEPT;
  };
  let heading = -1;
  let noteChars = 0;
  entries.forEach((entry, index) => {
    if (entry.kind === "note") noteChars += lineLength(table, index);
    if (entry.kind === "note" && noteChars <= maxNoteChars) keep(index);
    if (entry.kind === "heading") heading = index;
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
  { match = "clear", kind = "matches", barriers = [] }: MatchCutOptions,
): MatchCut | undefined {
  const { table } = lines;
  if (!kept.includes(0)) return undefined;
  const others = otherMatches(lines, kept);
  const isSingle = others.length < 2 && (others[0]?.count ?? 0) < 2;
  if (isSingle && kept.every((why) => why === 0)) return undefined;
  const pruned: Pruned = {
    status: "pruned",
    kind,
    lineCount: table.count,
    kept,
    blocks: blocksOf(lines, kept, barriers),
    match,
  };
  const rendered = renderList(lines, kept, others, list);
  const body = renderPruned(table, pruned, { marker: shortMarker });
  // Other names of files and lines without a place are only counted.
  const named =
    lines.unit === "matches" || lines.unit === "paths" ? others.reduce((sum, { count }) => sum + count, 0) : 0;
  return { pruned, list: rendered, others, named, text: withList(body, rendered) };
}

function renderList(
  { entries, unit }: MatchLines,
  kept: Uint8Array,
  others: readonly OtherMatches[],
  { form, maxChars = Number.POSITIVE_INFINITY }: { readonly form: ListForm; readonly maxChars?: number },
): string {
  const messages = entries.filter(({ kind }, index) => kind === "note" && kept[index] === 0).length;
  const last = messages === 0 ? "" : `[${messages} more ${messages === 1 ? "message" : "messages"}]`;
  const shown = others.map((other) => ({ ...other, path: shownName(other.path) }));
  const list = renderOtherMatches(shown, { form, unit, maxChars: Math.max(1, maxChars - last.length - 1) });
  return list === "" || last === "" ? `${list}${last}` : `${list}\n${last}`;
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
