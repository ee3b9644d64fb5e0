// Rule 5 of the policy: a session whose cuts have cost more than they saved is no longer cut. Computed from the meter, so
// that the server, jeeves-exec and the statistics give the same answer.
import type { MeterEntry } from "../meter/meter.ts";
import { recoveryCost, TOKEN_WORTH } from "../meter/rates.ts";

/** Fewer cuts prove nothing about a session. */
const MIN_CUTS = 4;

/** What the cuts of a session were worth so far, in plain input tokens. */
export function sessionNetOf(entries: Iterable<MeterEntry>): { readonly cuts: number; readonly net: number } {
  let cuts = 0;
  let net = 0;
  for (const { kind, by, raw_tokens, kept_tokens, shown_tokens = raw_tokens, ...entry } of entries) {
    if (by === "person") continue;
    if (kind === "cut") {
      cuts++;
      const saved = shown_tokens - kept_tokens;
      // what a cut shows beyond the client is there on purpose. It is no sign that cuts were not enough.
      net += (entry.made_visible ? Math.max(0, saved) : saved) * TOKEN_WORTH;
    } else if (kind === "recovered" || kind === "repeated") net -= recoveryCost(raw_tokens, entry.context_tokens);
  }
  return { cuts, net };
}

/** Whether a session is no longer cut: after four cuts that cost more than they saved. */
export function hasLost(entries: Iterable<MeterEntry>): boolean {
  const { cuts, net } = sessionNetOf(entries);
  return cuts >= MIN_CUTS && net < 0;
}

/** The notice where cutting stops, shown once by the first hook, tool or command that is refused. */
export const STOPPED_LINE = "[jeeves: cuts cost more than they saved; this session is no longer cut]";

/** Whether that notice was shown. */
export function hasStopped(entries: readonly MeterEntry[]): boolean {
  return entries.some(({ kind }) => kind === "stopped");
}
