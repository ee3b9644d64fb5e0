// One session, result by result, through the product's entry points. The session is taken as it was: what the agent would
// have done otherwise is unknown, so only lines that it demonstrably used count as lost.
import { type BillParts, estimateTokens } from "@jeeves/cut";
import type { RecordedOutput } from "../transcript/recorded-client.ts";
import type { Asked, Doors } from "./doors.ts";
import { createJudge, type Verdict } from "./judge.ts";
import { type GivenSession, type RecordedSession, readSession, type Step } from "./read-session.ts";
import { createTracer } from "./used-later.ts";

/** Smaller results are not counted; policies ignore them, too. */
const MIN_TOKENS = 400;

/** The outcome for one result. Sizes are in estimated tokens, values in plain input tokens. */
export interface ReplayedOutput {
  readonly tool: string;
  /** The class that the policy saw; "" where it was not asked. */
  readonly class: string;
  /** "cut", "not_asked", or the reason why it was not cut. */
  readonly reason: string;
  readonly tokens: number;
  /** Lines that the agent used later, and those of them that are kept. */
  readonly used: number;
  readonly usedKept: number;
  /** What a cut to exactly the used lines would be worth. */
  readonly perfect: number;
  readonly cut?: ReplayedCut;
}

/** A cut that was made in the replay. */
export interface ReplayedCut extends Pick<Verdict, "gross" | "once" | "each"> {
  readonly way: string;
  readonly saved: number;
  /** Lines of failures or of a clear match that the client would not have shown. */
  readonly madeVisible: number;
  readonly isAsked: boolean;
}

/** A result as the model saw it, and as it would have seen it. */
export interface ShownOutput {
  readonly step: Step;
  readonly output: RecordedOutput;
  readonly bare: string;
  /** Undefined where it was not cut. */
  readonly shown: string | undefined;
}

/** A session's figures. */
export interface ReplayedSession {
  readonly name: string;
  readonly client: string;
  readonly bill: BillParts;
  readonly calls: number;
  readonly outputs: readonly ReplayedOutput[];
}

/** A session that can be replayed several times, under different policies. */
export interface Replay {
  readonly session: RecordedSession;
  run(doors: Doors, onShown?: (shown: ShownOutput) => void): Promise<ReplayedSession>;
}

/** Reads a session. Throws an Error where it cannot be replayed. */
export function openReplay(given: GivenSession): Replay {
  const session = readSession(given);
  const judge = createJudge(session);
  const usesOf = createTracer(session);
  const known = new Map<string, Int32Array>();
  const tracedUses = (step: Step, nth: number, output: RecordedOutput): Int32Array => {
    const key = `${step.id} ${nth} ${output.text.length}`;
    const found = known.get(key) ?? usesOf(step, output);
    known.set(key, found);
    return found;
  };

  /** Undefined for a result that is too small to count. */
  function describe(place: OutputPlace, asked: Asked | undefined): Described | undefined {
    const { step, output, nth } = place;
    const request = asked?.request;
    const text = request?.text ?? output.text;
    if (text.length < MIN_TOKENS) return undefined;
    const view = viewOf(asked);
    const tokens = estimateTokens(view(text));
    if (tokens < MIN_TOKENS) return undefined;
    const { call, tool } = step;
    const lines = text.split("\n");
    const uses = tracedUses(step, nth, { ...output, text });
    const isUsed = (index: number) => (uses[index] ?? -1) >= 0;
    const used = countOf(lines, isUsed);
    const figures = {
      tool,
      class: request?.situation?.class ?? "",
      reason: asked === undefined ? "not_asked" : asked.result.kind === "cut" ? "cut" : asked.result.reason,
      tokens,
      used,
      perfect: judge.perfect({ lines, uses, tokens, call }),
    };
    const shown = shownBy(asked);
    if (asked?.result.kind !== "cut" || asked.entry === undefined || shown === undefined)
      return { figures: { ...figures, usedKept: used } };
    const { result, entry } = asked;
    // A line that the session still has from an earlier result is not missing.
    const isKept = (index: number) =>
      index >= result.table.count || result.isShown(index) || (request?.seen?.[index] ?? 0) !== 0;
    const saved = tokens - estimateTokens(view(shown));
    const { gross, once, each, askedAt, back } = judge.judge({ lines, isKept, uses, saved, call });
    const cut = {
      ...{ way: result.way, saved, gross, once, each },
      madeVisible: entry.made_visible ?? 0,
      isAsked: askedAt !== undefined,
    };
    const usedKept = countOf(lines, (index) => isUsed(index) && isKept(index));
    const recovery =
      askedAt === undefined ? {} : { recovery: { pruneId: result.pruneId, call: askedAt, tokens: back } };
    return { figures: { ...figures, usedKept, cut }, ...recovery };
  }

  async function run(doors: Doors, onShown?: (shown: ShownOutput) => void): Promise<ReplayedSession> {
    const outputs: ReplayedOutput[] = [];
    let recoveries: Required<Described>["recovery"][] = [];
    doors.open(given.name, session.client);
    try {
      for (const [index, line] of given.lines.entries()) {
        for (const step of session.resultsAt.get(index) ?? []) {
          // Lost lines that were used by now count as asked for, so that the policy's account of the session has them.
          for (const due of recoveries)
            if (due.call <= step.call)
              doors.noteRecovery({ ...due, contextTokens: session.priced[due.call]?.contextTokens ?? 0 });
          recoveries = recoveries.filter(({ call }) => call > step.call);
          await doors.before(step);
          for (const [nth, output] of step.outputs.entries()) {
            const asked = await doors.after(step, output, nth);
            onShown?.({ step, output, bare: bareOf(asked, output), shown: shownBy(asked) });
            const found = describe({ step, output, nth }, asked);
            if (found === undefined) continue;
            outputs.push(found.figures);
            if (found.recovery !== undefined) recoveries.push(found.recovery);
          }
        }
        doors.write(line);
      }
    } finally {
      doors.close();
    }
    const { client, priced } = session;
    return { name: given.name, client: client.id, bill: billIn(priced), calls: priced.length, outputs };
  }

  return { session, run };
}

interface Described {
  readonly figures: ReplayedOutput;
  /** What is asked for again, and at which call. */
  readonly recovery?: { readonly pruneId: string; readonly call: number; readonly tokens: number };
}

interface OutputPlace {
  readonly step: Step;
  readonly output: RecordedOutput;
  readonly nth: number;
}

/** Numbered lines are counted with their numbers. */
function viewOf(asked: Asked | undefined): (text: string) => string {
  const { form, clientView } = asked?.request ?? {};
  return form?.lineNumbers === true && clientView !== undefined ? clientView : (text) => text;
}

function bareOf(asked: Asked | undefined, output: RecordedOutput): string {
  return viewOf(asked)(asked?.request.text ?? output.text);
}

function shownBy(asked: Asked | undefined): string | undefined {
  if (asked?.result.kind !== "cut") return undefined;
  return [...asked.result.parts, asked.result.lastLine].join("\n");
}

function billIn(priced: RecordedSession["priced"]): BillParts {
  const bill = { starting: 0, misses: 0, output: 0, rest: 0 };
  const results: Record<string, number> = {};
  for (const { parts } of priced) {
    bill.starting += parts.starting;
    bill.misses += parts.misses;
    bill.output += parts.output;
    bill.rest += parts.rest;
    for (const [tool, cost] of Object.entries(parts.results)) results[tool] = (results[tool] ?? 0) + cost;
  }
  return { ...bill, results };
}

function countOf(lines: readonly string[], isCounted: (index: number) => boolean): number {
  return lines.reduce((sum, _, index) => sum + (isCounted(index) ? 1 : 0), 0);
}
