// The sums of all replayed sessions, by client. Only figures of a session are kept.
import type { ReplayedOutput, ReplayedSession } from "./replay-session.ts";

/** Sums over results. */
interface OutputSums {
  readonly outputs: number;
  readonly tokens: number;
  readonly used: number;
  readonly usedKept: number;
  readonly cuts: number;
  readonly saved: number;
  /** Cuts of which a lost line was used later. */
  readonly asked: number;
  readonly madeVisible: number;
  /** The value, less one turn for what was lost. */
  readonly once: number;
}

/**
 * Four ways to count what the cuts are worth. once: a turn for all that a cut lost; each: a turn for each call that used
 * some; traced: once, only results with a line that was used later; perfect: each result cut to exactly these lines.
 */
interface Nets {
  readonly once: number;
  readonly each: number;
  readonly traced: number;
  readonly perfect: number;
}

type Open<T> = { -readonly [name in keyof T]: T[name] };
interface OpenFigures {
  calls: number;
  readonly bill: {
    starting: number;
    misses: number;
    output: number;
    rest: number;
    readonly results: Record<string, number>;
  };
  readonly shares: Readonly<Record<keyof Nets, number[]>>;
  readonly nets: Open<Nets>;
  gross: number;
  readonly byTool: Record<string, Open<OutputSums>>;
  readonly byReason: Record<string, number>;
  readonly all: Open<OutputSums>;
}

/** The figures of one client. */
export type ClientTally = ReturnType<typeof endOf>;

/** Adds up replayed sessions. */
export function createTally() {
  const clients: Record<string, OpenFigures> = {};
  let sessions = 0;
  let leftOut = 0;
  return {
    get sessions() {
      return sessions;
    },
    leaveOut: () => void leftOut++,
    add(session: ReplayedSession): void {
      sessions++;
      const figures = clients[session.client] ?? noFigures();
      clients[session.client] = figures;
      addSession(figures, session);
    },
    end() {
      const ended = Object.entries(clients).map(([name, figures]) => [name, endOf(figures)] as const);
      return { sessions, leftOut, clients: Object.fromEntries(ended) };
    },
  };
}

function noFigures(): OpenFigures {
  return {
    calls: 0,
    bill: { starting: 0, misses: 0, output: 0, rest: 0, results: {} },
    shares: { once: [], each: [], traced: [], perfect: [] },
    nets: { once: 0, each: 0, traced: 0, perfect: 0 },
    gross: 0,
    byTool: {},
    byReason: {},
    all: noOutputs(),
  };
}

function noOutputs(): Open<OutputSums> {
  return { outputs: 0, tokens: 0, used: 0, usedKept: 0, cuts: 0, saved: 0, asked: 0, madeVisible: 0, once: 0 };
}

function addSession(figures: OpenFigures, { calls, bill, outputs }: ReplayedSession): void {
  figures.calls += calls;
  for (const part of ["starting", "misses", "output", "rest"] as const) figures.bill[part] += bill[part];
  for (const [tool, cost] of Object.entries(bill.results))
    figures.bill.results[tool] = (figures.bill.results[tool] ?? 0) + cost;
  const own = { once: 0, each: 0, traced: 0, perfect: 0 };
  for (const output of outputs) {
    const name = [output.tool, output.class].filter(Boolean).join(" ");
    const sums = figures.byTool[name] ?? noOutputs();
    figures.byTool[name] = sums;
    addOutput(sums, output);
    addOutput(figures.all, output);
    figures.byReason[output.reason] = (figures.byReason[output.reason] ?? 0) + 1;
    own.perfect += output.perfect;
    if (output.cut === undefined) continue;
    own.once += output.cut.once;
    own.each += output.cut.each;
    figures.gross += output.cut.gross;
    if (output.used > 0) own.traced += output.cut.once;
  }
  const total = totalOf(bill);
  for (const name of Object.keys(own) as (keyof Nets)[]) {
    figures.nets[name] += own[name];
    figures.shares[name].push(total === 0 ? 0 : own[name] / total);
  }
}

function addOutput(sums: Open<OutputSums>, { tokens, used, usedKept, cut }: ReplayedOutput): void {
  sums.outputs++;
  sums.tokens += tokens;
  sums.used += used;
  sums.usedKept += usedKept;
  if (cut === undefined) return;
  sums.cuts++;
  sums.saved += cut.saved;
  sums.once += cut.once;
  if (cut.isAsked) sums.asked++;
  if (cut.madeVisible > 0) sums.madeVisible++;
}

function endOf({ calls, bill, shares, nets, gross, byTool, byReason, all }: OpenFigures) {
  const total = totalOf(bill);
  const netOf = (name: keyof Nets) => {
    const list = shares[name];
    return {
      ofAll: total === 0 ? 0 : nets[name] / total,
      mean: list.reduce((sum, share) => sum + share, 0) / list.length,
      lose: list.filter((share) => share < 0).length / list.length,
    };
  };
  const ofBill = (sums: OutputSums) => ({ ...sums, net: total === 0 ? 0 : sums.once / total });
  const tools = Object.entries(byTool).sort(([, a], [, b]) => b.tokens - a.tokens);
  return {
    sessions: shares.once.length,
    calls,
    bill: { total, ...bill },
    net: { once: netOf("once"), each: netOf("each"), traced: netOf("traced"), perfect: netOf("perfect") },
    /** In plain input tokens: what the cuts are worth, and that less a turn for what each of them lost. */
    gross,
    once: nets.once,
    sessionsThatLose: shares.once.filter((share) => share < 0).length,
    all: ofBill(all),
    byTool: Object.fromEntries(tools.map(([name, sums]) => [name, ofBill(sums)])),
    byReason,
  };
}

function totalOf({ starting, misses, output, rest, results }: ReplayedSession["bill"]): number {
  return starting + misses + output + rest + Object.values(results).reduce((sum, cost) => sum + cost, 0);
}
