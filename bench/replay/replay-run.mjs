// One run, cut in each way: what every large output kept, and what the whole would have cost. The run itself is taken
// as it was: nobody knows what the agent would have done otherwise, so only what it demonstrably used is charged.
import { costOf, RECOVERY_CALL_TOKENS } from "./cost.mjs";
import { classOf } from "./output-class.mjs";
import { usedLater, writtenIn } from "./used-later.mjs";

const LARGE_LINES = 60;
const LARGE_CHARS = 2_000;
/** A question that the agent writes where our tools have a surface, on every large output. */
const QUESTION_TOKENS = 30;

export const isLarge = (output) => output.length >= LARGE_CHARS && output.split("\n").length >= LARGE_LINES;

/** @returns {Promise<{ name: string, ways: Record<string, object>, outputs: object[] }>} */
export async function replayRun(run, cutters, { countTokens, surfaceTokens }) {
  const { steps } = run;
  const written = writtenIn(steps);
  const prompt = countTokens(run.prompt);
  const raw = steps.map(({ thought, command, output }) => ({
    wrote: countTokens(`${thought}\n${command}`),
    got: countTokens(output),
  }));
  const large = steps.flatMap(({ output }, at) => (at < steps.length - 1 && isLarge(output) ? [at] : []));
  const uses = new Map(large.map((at) => [at, usedLater(steps, at, written)]));
  const base = costOf({ prompt, turns: raw });
  const outputs = large.map((at) => ({
    class: classOf(steps[at].command),
    lines: uses.get(at).step.length,
    used: uses.get(at).step.reduce((n, step) => n + (step >= 0 ? 1 : 0), 0),
    raw: raw[at].got,
    ways: {},
  }));
  const ways = {};
  for (const [name, cutter] of Object.entries(cutters)) {
    const { turns, cuts } = await cutAll(run, cutter, { raw, uses, countTokens, chargesAll: true });
    for (const [k, at] of large.entries()) {
      const { kept, tokens } = cuts.get(at) ?? { kept: undefined, tokens: raw[at].got };
      const survived = uses.get(at).step.reduce((n, step, i) => n + (step >= 0 && (kept?.[i] ?? 1) !== 0 ? 1 : 0), 0);
      outputs[k].ways[name] = { tokens, survived, isCut: kept !== undefined };
    }
    const figures = (all) => {
      const asked = all.map((turn) => (turn.isLarge ? { ...turn, wrote: turn.wrote + QUESTION_TOKENS } : turn));
      return {
        recoveries: all.filter(({ isRecovery }) => isRecovery).length,
        without: 1 - costOf({ prompt, turns: all }) / base,
        with: 1 - costOf({ prompt: prompt + surfaceTokens, turns: asked }) / base,
      };
    };
    const missing = await cutAll(run, cutter, { raw, uses, countTokens, chargesAll: false });
    ways[name] = { cuts: cuts.size, every: figures(turns), missing: figures(missing.turns) };
  }
  return { name: run.name, turns: steps.length, base, ways, outputs };
}

async function cutAll({ prompt, steps }, cutter, { raw, uses, countTokens, chargesAll }) {
  cutter.startRun?.(prompt);
  let contextTokens = countTokens(prompt);
  const cuts = new Map();
  const turns = [];
  const inContext = new Set(linesOf(prompt));
  const add = (text) => {
    for (const line of linesOf(text)) inContext.add(line);
  };
  for (const [at, step] of steps.entries()) {
    for (const cut of cuts.values()) {
      if (cut.isBack || !isMissing(cut, at, chargesAll ? undefined : inContext)) continue;
      cut.isBack = true;
      // What is asked for again is read and answered before the step that uses it.
      const text = blocksUsed(cut, at).join("\n");
      const got = countTokens(text);
      turns.push({ wrote: RECOVERY_CALL_TOKENS, got, isRecovery: true, isLarge: false });
      add(text);
      cutter.noteRecovery?.({ tokens: got, contextTokens });
      contextTokens += RECOVERY_CALL_TOKENS + got;
    }
    const used = uses.get(at);
    const turn = { ...raw[at], isRecovery: false, isLarge: used !== undefined };
    turns.push(turn);
    const focus = `${step.thought}\n${step.command}`;
    const cut =
      used === undefined ? undefined : await cutter.cut({ ...step, prompt, focus, used: used.step, contextTokens });
    if (cut !== undefined) {
      turn.got = countTokens(cut.shown);
      cuts.set(at, { kept: cut.kept, tokens: turn.got, lines: step.output.split("\n"), used });
    }
    contextTokens += turn.wrote + turn.got;
    cutter.noteStep?.(step, cut?.shown ?? step.output);
    add(`${focus}\n${cut?.shown ?? step.output}`);
  }
  return { turns, cuts };
}

/** Whether step `at` uses a line that this cut dropped, and, where that counts, that stands nowhere else in the context. */
function isMissing({ kept, used }, at, inContext) {
  const isElsewhere = (i) => inContext !== undefined && (used.isReread[i] === 1 || inContext.has(used.words[i]));
  return used.step.some((step, i) => step === at && !kept[i] && !isElsewhere(i));
}

/** The blocks that hold lines which this step or a later one uses: whoever asks, asks for what is of use. */
function blocksUsed({ kept, used, lines }, at) {
  const back = [];
  for (let i = 0; i < lines.length; i++) {
    if (kept[i]) continue;
    let end = i;
    let isUsed = false;
    for (; end < lines.length && !kept[end]; end++) if (used.step[end] >= at) isUsed = true;
    if (isUsed) back.push(...lines.slice(i, end));
    i = end - 1;
  }
  return back;
}

/** As lines are compared: without indentation, and without the number that nl or cat -n print. */
function linesOf(text) {
  return text.split("\n").map((line) => line.replace(/^\s*\d+(?:\t|[:-]\s?)/, "").trim());
}
