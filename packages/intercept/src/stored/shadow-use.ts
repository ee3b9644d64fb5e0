// X-52 in shadow mode: whether an edit quotes lines that a cut of this session would have left out, and how much would have
// come back then. The cut may have been made by any of our processes: the meter lists it, and the store has its text and
// its blocks.

import { isRecord } from "@jeeves/base";
import { countLines, estimateTokens, type LineRun, lineAt, type Meter, parseCutRecord, splitLines } from "@jeeves/cut";
import type { RecoveryStore } from "@jeeves/state";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

/** Shorter quotes occur in too many places. */
const MIN_QUOTED_CHARS = 12;
/** So many of the latest texts are searched for one edit. */
const MAX_TEXTS = 20;
/** Places of a quote in one text that are looked at. */
const MAX_PLACES = 50;
/** Blocks of a session that are remembered. */
const MAX_BACK = 5_000;

/** What an agent would have asked for again. */
interface Missed {
  /** The latest cut that it is missing from. */
  readonly pruneId: string;
  /** The tokens of the blocks that contain the quoted lines. */
  readonly tokens: number;
}

interface MissedDeps {
  readonly meter: Meter;
  readonly store: RecoveryStore;
  /** Blocks that would have been asked for before: these are in the context by now. Those of this edit are added. */
  readonly back: Set<string>;
}

/** What this edit would have missed; undefined where all quoted lines would have been shown, or that is not known. */
export async function missedBy(event: ToolEvent, { meter, store, back }: MissedDeps): Promise<Missed | undefined> {
  let quotes = quotesOf(event).filter((quote) => quote.length >= MIN_QUOTED_CHARS);
  if (quotes.length === 0 || event.sessionId === undefined) return undefined;
  const entries = await meter.entriesOf(event.sessionId);
  const ids = new Set(entries.flatMap(({ kind, prune_id }) => (kind === "shadow" && prune_id ? [prune_id] : [])));
  const missing = new Map<string, { readonly id: string; readonly block: string; readonly tokens: number }[]>();
  for (const id of [...ids].reverse().slice(0, MAX_TEXTS)) {
    const stored = await store.get(id).catch(() => undefined);
    if (stored === undefined) continue;
    const blocks = parseCutRecord(stored.cut, Number.MAX_SAFE_INTEGER)?.blocks ?? [];
    const visible = new Set<string>();
    for (const quote of quotes) {
      const places = placesOf(stored.text, quote).map((lines) => blocks.filter((block) => overlaps(block, lines)));
      const isShown = (hidden: readonly LineRun[]) => hidden.every(([first]) => back.has(`${id} ${first}`));
      if (places.some(isShown)) visible.add(quote);
      const [hidden] = places;
      if (hidden === undefined || missing.has(quote)) continue;
      const toBlock = ([first, last]: LineRun) => ({
        id,
        block: `${id} ${first}`,
        tokens: tokensOf(stored.text, first, last),
      });
      missing.set(quote, hidden.map(toBlock));
    }
    // One text that would have shown it is enough.
    for (const quote of visible) missing.delete(quote);
    quotes = quotes.filter((quote) => !visible.has(quote));
  }
  const blocks = new Map([...missing.values()].flat().map((one) => [one.block, one]));
  const [latest] = blocks.values();
  if (latest === undefined) return undefined;
  const tokens = [...blocks.values()].reduce((sum, one) => sum + (back.has(one.block) ? 0 : one.tokens), 0);
  for (const block of blocks.keys()) back.add(block);
  for (const oldest of back) if (back.size > MAX_BACK) back.delete(oldest);
  return { pruneId: latest.id, tokens };
}

function quotesOf({ tool, input }: ToolEvent): string[] {
  if (tool === "Edit") return [textOf(input.old_string)?.trim() ?? ""];
  if (tool === "MultiEdit" && Array.isArray(input.edits))
    return input.edits.filter(isRecord).map((edit) => textOf(edit.old_string)?.trim() ?? "");
  if (tool !== "apply_patch") return [];
  const patch = textOf(input.command) ?? textOf(input.input) ?? "";
  return patch.split("\n").flatMap((line) => (/^[ -](?!--)/.test(line) ? [line.slice(1).trim()] : []));
}

/** The 1-based lines at which the quote begins in a text. */
function placesOf(text: string, quote: string): LineRange[] {
  const places: LineRange[] = [];
  const height = countLines(quote) - 1;
  let line = 1;
  for (let from = 0; places.length < MAX_PLACES; ) {
    const at = text.indexOf(quote, from);
    if (at < 0) break;
    line += text.slice(from, at).split("\n").length - 1;
    places.push({ first: line, last: line + height });
    from = at;
    // Past this place, by a line: another one may begin within it.
    const next = text.indexOf("\n", at);
    if (next < 0) break;
    from = next + 1;
    line++;
  }
  return places;
}

interface LineRange {
  readonly first: number;
  readonly last: number;
}

function overlaps([from, to]: LineRun, { first, last }: LineRange): boolean {
  return from <= last && first <= to;
}

function tokensOf(text: string, first: number, last: number): number {
  const table = splitLines(text);
  const lines: string[] = [];
  for (let index = first - 1; index < Math.min(last, table.count); index++) lines.push(lineAt(table, index));
  return estimateTokens(lines.join("\n"));
}
