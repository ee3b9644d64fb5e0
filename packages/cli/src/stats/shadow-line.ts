// `jeeves stats --shadow`: should it be turned on? One line, from what would have happened in the sessions that ran in
// shadow.

import { ownCommand } from "../terminal/own-command.ts";
import { createRandom, resample } from "../trial/resample.ts";
import type { Account } from "./account.ts";
import { counted, percent, tokens } from "./figures.ts";
import { billOf, shadowNetOf, shareOf } from "./sums.ts";

/** With fewer sessions there is no advice, however alike they are. */
const MIN_SESSIONS = 5;

/** What turning it on would come to. */
interface ShadowVerdict {
  /** Share of the bill; a loss is negative. */
  readonly share: number;
  /** 95 % of what other sessions like these would give. */
  readonly low: number;
  readonly high: number;
  readonly bill: number;
  readonly sessions: number;
  readonly cuts: number;
}

/** From the sessions in which nothing was cut, the first shadow entry on. */
export function shadowVerdict(sessions: readonly Account[]): ShadowVerdict {
  const startMs = Math.min(...sessions.filter(({ total }) => total.shadowCuts > 0).map(({ firstMs }) => firstMs));
  const own = sessions
    .filter(({ total, lastMs }) => total.cuts === 0 && lastMs >= startMs)
    .map(({ total }) => ({ net: shadowNetOf(total), bill: billOf(total), cuts: total.shadowCuts }));
  const sum = (some: typeof own, name: "net" | "bill" | "cuts") => some.reduce((all, each) => all + each[name], 0);
  const ratio = (some: typeof own) => shareOf(sum(some, "net"), sum(some, "bill"));
  const [low, high] = resample(own, ratio, createRandom(1));
  return { share: ratio(own), low, high, bill: sum(own, "bill"), sessions: own.length, cuts: sum(own, "cuts") };
}

/** The verdict as one line. */
export function shadowLine({ share, low, high, bill, sessions, cuts }: ShadowVerdict): string {
  if (cuts === 0) return `nothing was counted in shadow yet: start with ${ownCommand("shadow")}`;
  const over = `(${percent(low)} to ${percent(high)}) of ${tokens(bill)} tokens over ${counted(sessions, "session")}`;
  if (sessions < MIN_SESSIONS)
    return `on would save about ${percent(share)} of ${tokens(bill)} tokens over ${counted(sessions, "session")}: too few to tell, leave it in shadow for more sessions`;
  if (low > 0) return `on would save about ${percent(share)} ${over}: turn it on with ${ownCommand("on")}`;
  if (high < 0)
    return `on would cost about ${percent(-share)} more ${over.replace(/^\(.*?\)/, `(${percent(-high)} to ${percent(-low)})`)}: leave it in shadow`;
  return `on would save about ${percent(share)} ${over}: too close to tell, leave it in shadow for more sessions`;
}
