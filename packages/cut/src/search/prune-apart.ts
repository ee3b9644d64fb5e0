// The matches of a search and what other programs printed around them, each cut as what it is.
import { type Amount, type LineTable, lineAt, type MatchLines, type Pruned, splitLines } from "@jeeves/prune";
import type { EngineFailure, EngineOptions } from "../engine/engine.ts";

type PartOptions = Pick<EngineOptions, "amount" | "kind" | "barriers">;

/** The best first. */
const MATCHES: readonly Pruned["match"][] = ["clear", "weak", "none"];

/** Prunes both parts and puts the kept lines together; what is said about the whole is said of the other lines. */
export async function pruneApart(
  { table, entries }: MatchLines,
  { amount, kind, barriers = [] }: PartOptions,
  prune: (part: LineTable, options: PartOptions) => Promise<Pruned | EngineFailure>,
): Promise<Pruned | EngineFailure> {
  const kept = new Uint8Array(table.count);
  const pruneRows = async (rows: readonly number[], kindOfRows: PartOptions["kind"]) => {
    const part = splitLines(rows.map((row) => `${lineAt(table, row)}\n`).join(""));
    const pruned = await prune(part, {
      amount: shareOf(amount, part.text.length / table.text.length),
      // No block spans two parts of the text, nor what stood between two rows.
      barriers: rows.flatMap((row, index) => {
        const before = rows[index - 1];
        const isBreak = before !== undefined && (before !== row - 1 || barriers.includes(row));
        return isBreak ? [index] : [];
      }),
      ...(kindOfRows === undefined ? {} : { kind: kindOfRows }),
    });
    if (!("failed" in pruned)) for (const [index, row] of rows.entries()) kept[row] = pruned.kept[index] ?? 0;
    return pruned;
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

function shareOf(amount: Amount, share: number): Amount {
  if (amount.mode !== "auto" || amount.maxChars === undefined) return amount;
  return { ...amount, maxChars: Math.floor(amount.maxChars * share) };
}
