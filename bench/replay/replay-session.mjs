// One session, result by result, through the product's doors. The session is taken as it was: what the agent would
// have done otherwise is unknown, so only what it demonstrably used is charged.
import { createJudge } from "./judge.mjs";
import { readSession } from "./read-session.mjs";
import { createTracer } from "./used-later.mjs";

/** Smaller results are not counted; the policy does not look at them either. */
const MIN_TOKENS = 400;

/** @param {{ name: string, lines: string[], ranges?: Map<string, object[]> }} given */
export async function replaySession(given, { product, doors }) {
  const session = readSession(given, product);
  const judge = createJudge(session, product);
  const usesOf = createTracer(session, product);
  const outputs = [];
  const recoveries = [];
  doors.open(given.name, session.client);
  try {
    for (const [index, line] of given.lines.entries()) {
      for (const step of session.resultsAt.get(index) ?? []) {
        // What was missing by now has been asked for: the policy's own account of the session knows it.
        for (const due of recoveries.splice(0)) due.call > step.call ? recoveries.push(due) : doors.noteRecovery(due);
        await doors.before(step);
        for (const [nth, output] of step.outputs.entries()) {
          const asked = await doors.after(step, output, nth);
          const told = describe({ step, output, asked, judge, usesOf });
          if (told === undefined) continue;
          outputs.push(told.figures);
          if (told.recovery !== undefined) {
            const contextTokens = session.priced[told.recovery.call]?.contextTokens ?? 0;
            recoveries.push({ ...told.recovery, contextTokens });
          }
        }
      }
      doors.write(line);
    }
  } finally {
    doors.close();
  }
  return {
    name: given.name,
    client: session.client,
    bill: billOf(session.priced),
    calls: session.priced.length,
    outputs,
  };
}

function describe({ step, output, asked, judge, usesOf }) {
  const { request, result, entry } = asked ?? {};
  const text = request?.text ?? output.text;
  const isNumbered = request?.form?.lineNumbers === true;
  const view = isNumbered ? request.clientView : (shown) => shown;
  if (text.length < MIN_TOKENS) return undefined;
  const tokens = judge.tokensOf(view(text));
  if (tokens < MIN_TOKENS) return undefined;
  const { call, tool } = step;
  const lines = text.split("\n");
  const uses = usesOf(step, { ...output, text });
  const used = count(lines, (_, index) => uses[index] >= 0);
  const figures = {
    tool,
    class: request?.situation?.class ?? "",
    reason: result === undefined ? "not_asked" : result.kind === "cut" ? "cut" : result.reason,
    tokens,
    used,
    usedKept: used,
    perfect: judge.perfect({ lines, uses, tokens, call }),
  };
  if (result?.kind !== "cut" || entry === undefined) return { figures };
  const shown = [...result.parts, result.lastLine].join("\n");
  // A line that the session has been shown before, and still has, is not missing.
  const isKept = (index) => index >= result.table.count || result.isShown(index) || (request.seen?.[index] ?? 0) !== 0;
  const saved = tokens - judge.tokensOf(view(shown));
  const value = judge.judge({ lines, isKept, uses, saved, call });
  const cut = {
    way: result.way,
    saved,
    madeVisible: entry.made_visible ?? 0,
    usedKept: count(lines, (_, index) => uses[index] >= 0 && isKept(index)),
    gross: value.gross,
    once: value.once,
    each: value.each,
    isAsked: value.askedAt !== undefined,
  };
  const { askedAt, back } = value;
  const recovery = askedAt === undefined ? {} : { recovery: { pruneId: result.pruneId, call: askedAt, tokens: back } };
  return { figures: { ...figures, ...cut }, ...recovery };
}

function billOf(priced) {
  const bill = { starting: 0, misses: 0, results: {}, output: 0, rest: 0 };
  for (const { parts } of priced) {
    for (const name of ["starting", "misses", "output", "rest"]) bill[name] += parts[name];
    for (const [tool, cost] of Object.entries(parts.results)) bill.results[tool] = (bill.results[tool] ?? 0) + cost;
  }
  return bill;
}

function count(items, isCounted) {
  return items.reduce((sum, item, index) => sum + (isCounted(item, index) ? 1 : 0), 0);
}
