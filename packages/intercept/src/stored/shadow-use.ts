// X-52 in shadow: whether an edit quotes lines that a cut of this session would have left out. The cut may have been made
// by any process of ours, a command's too: the meter knows which, and the store has its text and its blocks.

import { isRecord } from "@jeeves/base";
import { type LineRun, type Meter, parseCutRecord } from "@jeeves/cut";
import type { RecoveryStore } from "@jeeves/state";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

/** A shorter quote is anywhere. */
const MIN_QUOTED_CHARS = 12;
/** Texts looked into for one edit: the latest. */
const MAX_TEXTS = 20;

/** The id of the cut, or undefined where nothing of it was used. */
export async function missedBy(
  event: ToolEvent,
  { meter, store }: { readonly meter: Meter; readonly store: RecoveryStore },
): Promise<string | undefined> {
  const quotes = quotesOf(event).filter((quote) => quote.length >= MIN_QUOTED_CHARS);
  if (quotes.length === 0 || event.sessionId === undefined) return undefined;
  const entries = await meter.entriesOf(event.sessionId);
  const ids = new Set(entries.flatMap(({ kind, prune_id }) => (kind === "shadow" && prune_id ? [prune_id] : [])));
  for (const id of [...ids].reverse().slice(0, MAX_TEXTS)) {
    const stored = await store.get(id).catch(() => undefined);
    if (stored === undefined) continue;
    const blocks = parseCutRecord(stored.cut, Number.MAX_SAFE_INTEGER)?.blocks ?? [];
    if (quotes.some((quote) => isInside(blocks, lineOf(stored.text, quote)))) return id;
  }
  return undefined;
}

function quotesOf({ tool, input }: ToolEvent): string[] {
  if (tool === "Edit") return [textOf(input.old_string)?.trim() ?? ""];
  if (tool === "MultiEdit" && Array.isArray(input.edits))
    return input.edits.filter(isRecord).map((edit) => textOf(edit.old_string)?.trim() ?? "");
  if (tool !== "apply_patch") return [];
  const patch = textOf(input.command) ?? textOf(input.input) ?? "";
  return patch.split("\n").flatMap((line) => (/^[ -](?!--)/.test(line) ? [line.slice(1).trim()] : []));
}

/** Counted from 1; undefined where the text does not hold it. */
function lineOf(text: string, quote: string): number | undefined {
  const at = text.indexOf(quote);
  return at < 0 ? undefined : text.slice(0, at).split("\n").length;
}

function isInside(blocks: readonly LineRun[], line: number | undefined): boolean {
  return line !== undefined && blocks.some(([from, to]) => from <= line && line <= to);
}
