// what is shown of a text that is not cut but is longer than its client displays. The text is stored, so that the rest
// can be brought back as after any other cut.
import { type LineTable, type MatchLines, otherMatches, splitLines, WHY } from "@jeeves/prune";
import type { RecoveryStore } from "@jeeves/state";
import { toCutRecord } from "./cut-record.ts";
import type { CutRequest, ShownCut } from "./cut-request.ts";
import type { Engine } from "./engine/engine.ts";
import { cutMatches, withList } from "./search/cut-matches.ts";
import { findSearch } from "./search/find-search.ts";
import { isMixed } from "./search/read-search.ts";
import { selectInOrder } from "./search/select-lines.ts";
import {
  blocksOf,
  FAILURE_SHARE,
  type Fitted,
  fitToClient,
  RESERVED_CHARS,
  tellsOutcome,
} from "./show/fit-to-client.ts";
import { recoveryLine } from "./show/recovery-line.ts";
import { renderParts, type Shown } from "./show/shown.ts";
import { startStoring } from "./store-text.ts";

const FILL = WHY.indexOf("fill") + 1;

/** The part of a text that fits, and how to get the rest. */
export type FittedWhole = Pick<ShownCut, "parts" | "isShown" | "others" | "lastLine" | "pruneId" | "table">;

/** The part of a text that its client displays; undefined where all of it fits, or where it cannot be stored. */
export async function fitWhole(
  request: CutRequest,
  { engine, store }: { readonly engine: Engine; readonly store?: RecoveryStore },
): Promise<FittedWhole | undefined> {
  const { text, room, project, isWholeFile = false } = request;
  const source = typeof request.source === "function" ? request.source() : request.source;
  const maxChars = room?.maxChars;
  if (store === undefined || maxChars === undefined || text.length <= maxChars - RESERVED_CHARS) return undefined;
  const table = splitLines(text);
  const focus = typeof request.focus === "string" ? request.focus : await request.focus();
  const matches = findSearch(table, request, focus)?.lines;
  const shown = (matches && (await pageOfMatches(matches, request, { maxChars, endsOf }))) ?? (await endsOf());
  if (shown === undefined) return undefined;
  // Another client's page of the same text is another cut.
  const options = { tool: source.tool, page: maxChars };
  const cut = toCutRecord(keptIn(table, shown));
  const put = { text, focus, options, source, cut, ...(project === undefined ? {} : { project }) };
  const stored = await startStoring(store, put)();
  if (stored.kind !== "stored") return undefined;
  const { parts, isShown } = shown;
  const { pruneId } = stored;
  const lastLine = recoveryLine({ pruneId, isWholeFile, isWeak: false });
  return { parts, isShown, table, pruneId, lastLine, ...(matches && { others: othersOf(matches, isShown) }) };

  async function endsOf(chars = maxChars ?? 0) {
    const maxFailureChars = Math.floor(chars * FAILURE_SHARE);
    const failures = await failuresIn(request, {
      table,
      engine,
      focus,
      maxChars: maxFailureChars,
    });
    const { barriers } = request;
    const parts = renderParts(table, { kept: new Uint8Array(table.count).fill(1), blocks: [] }, { barriers });
    return fitToClient(table, { pruned: undefined, shown: parts }, { ...room, maxChars: chars, barriers, failures });
  }
}

/** The shown lines, and the blocks between them. */
function keptIn({ count }: LineTable, { isShown, blocks }: Shown & Partial<Fitted>) {
  const kept = Uint8Array.from({ length: count }, (_, line) => (isShown(line) ? FILL : 0));
  const inside = blocks?.some(({ chars }) => chars !== undefined) === true;
  return { kept, blocks: inside ? (blocks ?? []) : blocksOf(kept, []) };
}

/**
 * the first matches of a search, and a list of the others; where other output stands around them, both ends and
 * the list.
 */
async function pageOfMatches(
  lines: MatchLines,
  { text, barriers }: CutRequest,
  { maxChars, endsOf }: { readonly maxChars: number; readonly endsOf: (chars: number) => Promise<Shown | undefined> },
): Promise<Shown | undefined> {
  const select = async (chars: number) => {
    const ends = await endsOf(chars + RESERVED_CHARS);
    return Uint8Array.from(lines.entries, (_, line) => (ends?.isShown(line) === false ? 0 : 1));
  };
  const cut = await cutMatches(lines, {
    select: isMixed(lines) ? select : (chars) => selectInOrder(lines, chars),
    keepChars: maxChars,
    maxChars: maxChars - RESERVED_CHARS,
    isWorth: (shown) => shown.length < text.length,
    ...(barriers === undefined ? {} : { barriers }),
  });
  if (cut === undefined) return undefined;
  const { pruned, list } = cut;
  const [first = "", ...others] = renderParts(lines.table, pruned, { barriers });
  return { parts: [withList(first, list), ...others], isShown: (line: number) => pruned.kept[line] !== 0 };
}

function othersOf(lines: MatchLines, isShown: Shown["isShown"]) {
  return otherMatches(
    lines,
    Uint8Array.from(lines.entries, (_, line) => (isShown(line) ? 1 : 0)),
  );
}

/** per line, whether something failed there, as much as fits; undefined where the engine fails. */
async function failuresIn(
  { kind, path, barriers, signal }: CutRequest,
  {
    table,
    engine,
    focus,
    maxChars,
  }: { readonly table: LineTable; readonly engine: Engine; readonly focus: string; readonly maxChars: number },
): Promise<Uint8Array | undefined> {
  const pruned = await engine.prune(table, {
    focus,
    amount: { mode: "auto", maxChars },
    signal,
    ...(kind === undefined ? {} : { kind }),
    ...(path === undefined ? {} : { path }),
    ...(barriers === undefined ? {} : { barriers }),
  });
  if ("failed" in pruned) return undefined;
  // A log that is kept whole consists of failures.
  if (pruned.status === "whole" && pruned.kind === "logs") return pruned.kept;
  return pruned.kept.map((why) => (tellsOutcome(why) ? why : 0));
}
