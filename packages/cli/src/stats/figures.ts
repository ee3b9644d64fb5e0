// Figures as people read them, the same in a terminal and on the page.
import type { Statistics } from "./statistics.ts";
import { lostOf } from "./statistics.ts";
import { billOf, netOf, netShareOf } from "./sums.ts";

const UNITS = ["", " k", " M", " G"] as const;

/** 41,234,567 → `41 M`, 3,412 → `3.4 k`. */
export function tokens(value: number): string {
  let size = Math.abs(value);
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  const digits = unit === 0 || size >= 9.95 ? 0 : 1;
  const figure = size.toFixed(digits);
  return `${value < 0 && Number(figure) !== 0 ? "-" : ""}${figure}${UNITS[unit]}`;
}

/** With a plus where it is a gain. */
export function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${tokens(value)}`;
}

/** 0.0712 → `7.1 %`. */
export function percent(share: number): string {
  const figure = (share * 100).toFixed(1);
  return `${figure === "-0.0" ? "0.0" : figure} %`;
}

/** `1 session`, `2 sessions`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/**
 * The first line: `net 7.1 % of 41 M tokens over 58 sessions (3 lost); 14 failures made visible`, with `and 3 answers`
 * where there are any.
 */
export function headline({ total, sessions, lost, others, othersTotal }: Statistics): string {
  const failures = counted(total.failuresVisible + othersTotal.failuresVisible, "failure");
  const answers = total.answersVisible + othersTotal.answersVisible;
  const visible = `${failures}${answers === 0 ? "" : ` and ${counted(answers, "answer")}`} made visible`;
  if (sessions.length === 0) {
    const without = `${counted(others.length, "session")} without a transcript (${lostOf(others).length} lost)`;
    return `net about ${signed(netOf(othersTotal))} tokens over ${without}; ${visible}`;
  }
  const without = tokens(billOf(total) + netOf(total));
  const over = `${counted(sessions.length, "session")} (${lost.length} lost)`;
  return `net ${percent(netShareOf(total))} of ${without} tokens over ${over}; ${visible}`;
}
