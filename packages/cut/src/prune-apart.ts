// Cuts the matches of a search and the output of other programs around them separately, each by its own kind.
import { type Amount, type LineTable, lineAt, type MatchLines, type Pruned, splitLines } from "@jeeves/prune";
import type { EngineFailure, EngineOptions } from "./engine/engine.ts";
import { fitToClient, RESERVED_CHARS } from "./show/fit-to-client.ts";
import { renderParts } from "./show/shown.ts";

type PartOptions = Pick<EngineOptions, "amount" | "kind" | "barriers">;

/** The best first. */
const MATCHES: readonly Pruned["match"][] = ["clear", "weak", "none"];

/** Prunes both parts and joins their kept lines; the kind of the result is that of the other lines. */
export async function pruneApart(
  { table, entries }: MatchLines,
  { amount, kind, barriers = [], keepsTail }: PartOptions & { readonly keepsTail: boolean },
  prune: (part: LineTable, options: PartOptions) => Promise<Pruned | EngineFailure>,
): Promise<Pruned | EngineFailure> {
  const kept = new Uint8Array(table.count);
  const pruneRows = async (rows: readonly number[], kindOfRows: PartOptions["kind"]) => {
    const part = splitLines(rows.map((row) => `${lineAt(table, row)}\n`).join(""));
    const own = shareOf(amount, part.text.length / table.text.length);
    const made = await prune(part, {
      amount: own,
      // No block spans two parts of the text, nor what stood between two rows.
      barriers: rows.flatMap((row, index) => {
        const before = rows[index - 1];
        const isBreak = before !== undefined && (before !== row - 1 || barriers.includes(row));
        return isBreak ? [index] : [];
      }),
      ...(kindOfRows === undefined ? {} : { kind: kindOfRows }),
    });
    if ("failed" in made) return made;
    const isShown = shownWithin(part, made, own, keepsTail);
    for (const [index, row] of rows.entries()) kept[row] = isShown(index) ? (made.kept[index] ?? 0) : 0;
    return made;
  };
  const isOther = (row: number) => entries[row]?.kind === "other";
  const rows = [...entries.keys()];
  const found = await pruneRows(
    rows.filter((row) => !isOther(row)),
    "matches",
  );
  if ("failed" in found) return found;
  const rest = await pruneRows(rows.filter(isOther), kind);
  if ("failed" in rest) return rest;
  return {
    status: kept.includes(0) ? "pruned" : "whole",
    kind: rest.kind,
    lineCount: table.count,
    kept,
    blocks: [],
    match: MATCHES.find((match) => match === found.match || match === rest.match) ?? "none",
  };
}

/** Which lines are shown of a part that came out longer than its share, a log of failures for example: its ends. */
function shownWithin(part: LineTable, pruned: Pruned, amount: Amount, keepsTail: boolean): (line: number) => boolean {
  if (amount.mode !== "auto" || amount.maxChars === undefined) return () => true;
  const maxChars = amount.maxChars + RESERVED_CHARS;
  const fitted = fitToClient(part, { pruned, shown: renderParts(part, pruned, {}) }, { maxChars, keepsTail });
  return fitted?.isShown ?? (() => true);
}

function shareOf(amount: Amount, share: number): Amount {
  if (amount.mode !== "auto" || amount.maxChars === undefined) return amount;
  return { ...amount, maxChars: Math.floor(amount.maxChars * share) };
}
