// What can be read off the entries of one session in the meter without any price. Pure.
import type { MeterEntry } from "@jeeves/cut";

/**
 * Whether an entry can be set against cuts that recorded what the client would have shown. A way back belongs to its cut;
 * a repeated call and our surface to the session, which must have one such cut, or none at all.
 */
export function comparableOf(
  entries: readonly MeterEntry[],
): (entry: Pick<MeterEntry, "kind" | "prune_id">) => boolean {
  const cuts = entries.filter(({ kind }) => kind === "cut");
  const comparable = cuts.filter(({ shown_tokens }) => shown_tokens !== undefined);
  const older = new Set(cuts.flatMap(({ shown_tokens, prune_id }) => (shown_tokens === undefined ? [prune_id] : [])));
  for (const { prune_id } of comparable) older.delete(prune_id);
  const isSessionComparable = comparable.length > 0 || cuts.length === 0;
  return ({ kind, prune_id }) => (kind === "recovered" ? !older.has(prune_id) : isSessionComparable);
}

/** Each cut with a prediction, and whether something of it was asked for again. */
export function predictionsOf(entries: readonly MeterEntry[]) {
  const recovered = new Set(entries.flatMap(({ kind, prune_id }) => (kind === "recovered" ? [prune_id] : [])));
  const repeated = new Set(entries.flatMap(({ kind, what }) => (kind === "repeated" && what ? [what] : [])));
  return entries.flatMap((entry) => {
    const { kind, risk, prune_id, what = "" } = entry;
    if (kind !== "cut" || risk === undefined) return [];
    const isAsked = (prune_id !== undefined && recovered.has(prune_id)) || repeated.has(what);
    return [{ entry, riskCuts: 1, predicted: risk, actual: isAsked ? 1 : 0 }];
  });
}
