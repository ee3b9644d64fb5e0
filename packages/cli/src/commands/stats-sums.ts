// What the entries of the meter come to. Pure: the same entries and prices give the same sums. A loss is a negative figure.
import { costOfRecovery, costOfToken, type MeterEntry, type PriceList } from "@jeeves/cut";

export interface Sums {
  readonly cuts: number;
  readonly raw_tokens: number;
  readonly kept_tokens: number;
  readonly recoveries: number;
  readonly recovered_tokens: number;
  /** The same call again: it was not enough. */
  readonly asked_again: number;
  /** Sessions that are no longer cut. */
  readonly stopped: number;
  readonly sessions: number;
  /** Our own tools and instructions, on every turn of a session: the mean of the sessions that have them. */
  readonly surface_tokens: number;
  /** In input tokens, of all sessions with all their turns. */
  readonly surface_cost: number;
  readonly shadow_cuts: number;
  readonly shadow_saved_tokens: number;
  /** Times that lines were used which a shadow cut would have left out. */
  readonly shadow_missed: number;
  /** What the shadow cuts would have come to, the lines that were missed asked for again. */
  readonly shadow_net: number;
  /** In input tokens: what was saved, less what was asked for again and what our own surface costs. */
  readonly net: number;
  /** What a person cut and recovered at a terminal; in none of the other figures. */
  readonly by_hand: { readonly cuts: number; readonly recoveries: number };
}

export interface SumOptions {
  readonly prices: PriceList;
  /** True where the user's own price list says what the surface is. */
  readonly isSurfaceGiven: boolean;
}

export function sumUp(all: readonly MeterEntry[], { prices, isSurfaceGiven }: SumOptions): Sums {
  const entries = all.filter(({ by }) => by !== "person");
  const byHand = all.filter(({ by }) => by === "person");
  const of = (kind: MeterEntry["kind"]) => entries.filter((entry) => entry.kind === kind);
  const add = (some: readonly MeterEntry[], field: "raw_tokens" | "kept_tokens") =>
    some.reduce((sum, entry) => sum + entry[field], 0);
  const back = (some: readonly MeterEntry[]) =>
    some.reduce((sum, entry) => sum + costOfRecovery(prices, entry.raw_tokens), 0);
  const [cuts, shadows, recovered, repeated, missed] = [
    of("cut"),
    of("shadow"),
    of("recovered"),
    of("repeated"),
    of("missed"),
  ];
  const saved = add(cuts, "raw_tokens") - add(cuts, "kept_tokens");
  const shadowSaved = add(shadows, "raw_tokens") - add(shadows, "kept_tokens");
  const surfaces = surfacesOf(entries, isSurfaceGiven ? prices.surfaceTokens : undefined);
  const surfaceTokens = surfaces.reduce((sum, tokens) => sum + tokens, 0);
  const surfaceCost = surfaceTokens * costOfToken(prices);
  return {
    cuts: cuts.length,
    raw_tokens: add(cuts, "raw_tokens"),
    kept_tokens: add(cuts, "kept_tokens"),
    recoveries: recovered.length,
    recovered_tokens: add(recovered, "raw_tokens"),
    asked_again: repeated.length,
    stopped: of("stopped").length,
    sessions: new Set(entries.map(({ session }) => session)).size,
    surface_tokens: surfaces.length === 0 ? 0 : Math.round(surfaceTokens / surfaces.length),
    surface_cost: surfaceCost,
    shadow_cuts: shadows.length,
    shadow_saved_tokens: shadowSaved,
    shadow_missed: missed.length,
    shadow_net: shadowSaved * costOfToken(prices) - back(missed),
    net: saved * costOfToken(prices) - back(recovered) - back(repeated) - surfaceCost,
    by_hand: {
      cuts: byHand.filter(({ kind }) => kind === "cut").length,
      recoveries: byHand.filter(({ kind }) => kind === "recovered").length,
    },
  };
}

/** Tokens per turn, one figure for each session that has our tools; a session may start its server more than once. */
function surfacesOf(entries: readonly MeterEntry[], given: number | undefined): number[] {
  const bySession = new Map<string, number>();
  for (const { kind, session, raw_tokens } of entries) {
    if (kind === "surface") bySession.set(session, given ?? raw_tokens);
    else if (kind === "cut" && given !== undefined) bySession.set(session, given);
  }
  return [...bySession.values()];
}
