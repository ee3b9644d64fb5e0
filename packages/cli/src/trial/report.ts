// The report of a trial: the two halves side by side, their differences, and how much is still missing. Only numbers.
import { counted, percent, tokens } from "../stats/figures.ts";
import type { SessionFigures, TrialSessions } from "./trial-sessions.ts";
import { type Difference, differenceOf, meanOf, neededFor } from "./welch.ts";

/** The difference in the bill that is worth knowing. */
const WORTH_TELLING = 0.05;

const FIGURES = ["bill", "turns", "reReads", "failures"] as const;
type Figure = (typeof FIGURES)[number];
const NAMES: Readonly<Record<Figure, string>> = {
  bill: "bill",
  turns: "turns",
  reReads: "re-reads",
  failures: "failing results",
};

/** One figure of both halves: the means, and on less shadow. */
export interface Compared {
  readonly on: number;
  readonly shadow: number;
  /** Absent where a half has fewer than two sessions. */
  readonly difference?: Difference;
}

/** What a trial has shown so far. */
interface TrialReport {
  readonly sessions: { readonly on: number; readonly shadow: number };
  readonly figures: Readonly<Record<Figure, Compared>>;
  /** Sessions of both halves that would show 5 % of the bill at the present variance, beyond those that are there. */
  readonly missing: number | undefined;
  readonly leftOut: number;
}

/** Compares the halves. */
export function reportOf({ on, shadow, leftOut }: TrialSessions): TrialReport {
  const of = (some: readonly SessionFigures[], name: Figure) => some.map((each) => each[name]);
  const compare = (name: Figure): Compared => {
    const [a, b] = [of(on, name), of(shadow, name)];
    const difference = differenceOf(a, b);
    return { on: meanOf(a), shadow: meanOf(b), ...(difference === undefined ? {} : { difference }) };
  };
  const needed = neededFor(WORTH_TELLING, of(on, "bill"), of(shadow, "bill"));
  return {
    sessions: { on: on.length, shadow: shadow.length },
    figures: {
      bill: compare("bill"),
      turns: compare("turns"),
      reReads: compare("reReads"),
      failures: compare("failures"),
    },
    missing: needed === undefined ? undefined : Math.max(0, needed - on.length - shadow.length),
    leftOut,
  };
}

/** The report as lines. */
export function linesOfReport({ sessions, figures, missing, leftOut }: TrialReport): string[] {
  const row = (name: string, on: string, shadow: string, rest = "") =>
    `${name.padEnd(16)} ${on.padStart(8)} ${shadow.padStart(8)}  ${rest}`.trimEnd();
  const value = (name: Figure, figure: number) => (name === "bill" ? tokens(figure) : figure.toFixed(1));
  return [
    row("per session", "on", "shadow", "on less shadow (95 %)"),
    row("sessions", String(sessions.on), String(sessions.shadow)),
    ...FIGURES.map((name) => {
      const { on, shadow, difference } = figures[name];
      const words = difference === undefined ? "" : differenceWords(difference, name === "bill" ? shadow : undefined);
      return row(NAMES[name], value(name, on), value(name, shadow), words);
    }),
    ...verdictLines(figures.bill, missing),
    ...(leftOut === 0 ? [] : [`${counted(leftOut, "session")} left out: another mode was set for them`]),
  ];
}

function verdictLines({ difference, shadow }: Compared, missing: number | undefined): string[] {
  if (difference === undefined || missing === undefined)
    return ["two sessions in each half are needed before anything can be told"];
  const isTold = difference.low > 0 || difference.high < 0;
  const word = difference.difference < 0 ? "lowers" : "raises";
  return [
    isTold
      ? `on ${word} the bill: ${percent(difference.low / shadow)} to ${percent(difference.high / shadow)}`
      : "the bill shows no difference yet",
    missing === 0
      ? "there are enough sessions to tell a difference of 5 % of the bill"
      : `about ${counted(missing, "more session")} to tell a difference of 5 % of the bill, as much as they vary now`,
  ];
}

/** `whole`: as shares of it. */
function differenceWords({ difference, low, high }: Difference, whole: number | undefined): string {
  const show = (value: number) => {
    const figure = whole === undefined ? value.toFixed(1) : percent(whole === 0 ? 0 : value / whole);
    return value > 0 ? `+${figure}` : figure;
  };
  return `${show(difference)} (${show(low)} to ${show(high)})`;
}
