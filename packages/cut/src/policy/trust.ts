// how far a session trusts our cuts, read off what happened in it. Pure: the same entries give the same answer in
// the server, in jeeves-exec and in the statistics.
import type { MeterEntry } from "../meter/meter.ts";

export type Trust = "full" | "careful" | "none";

const WINDOW_CUTS = 6;
const RECOVERIES = 2;

/** After two recoveries in the last six cuts twice as much is kept; after two more, pruning stops for the session. */
export function trustOf(entries: Iterable<MeterEntry>): Trust {
  let level: 0 | 1 | 2 = 0;
  let window: boolean[] = []; // one per cut: whether it was recovered since
  for (const entry of entries) {
    if (entry.by === "person") continue;
    if (entry.kind === "cut") {
      window.push(false);
      if (window.length > WINDOW_CUTS) window.shift();
    } else if (entry.kind === "recovered") {
      // Which cut it was does not matter; a cut that is asked for twice counts once for each.
      const index = window.indexOf(false);
      if (index >= 0) window[index] = true;
      if (window.filter(Boolean).length >= RECOVERIES) {
        level = level === 0 ? 1 : 2;
        window = [];
      }
    }
    if (level === 2) return "none";
  }
  return level === 0 ? "full" : "careful";
}

/** what is said once where pruning stops, by a hook, a tool or a command, whichever comes first. */
export const STOPPED_LINE = "[jeeves: too much of what was left out was asked for; this session is no longer cut]";

export function hasStopped(entries: readonly MeterEntry[]): boolean {
  return entries.some(({ kind }) => kind === "stopped");
}

export function generosityOf(trust: Trust): number {
  return trust === "careful" ? 2 : 1;
}
