// Bodies of all files in one order, best first: a linear score, and one hop along calls, so that what the best bodies
// call rises with them.
import { ROLE } from "@jeeves/prune";
import { scanWords } from "@jeeves/prune/text";
import type { Body } from "./bodies.ts";
import { type AskedFile, type AskedQuestion, bodySignals } from "./body-signals.ts";
import { BODY_WEIGHTS, CALLED } from "./body-weights.ts";

/** A body with its score; scores compare within one question only. */
export interface RankedBody extends Body {
  readonly file: AskedFile;
  /** The lines that are its own, 0-based, in order. */
  readonly lines: readonly number[];
  readonly score: number;
}

/** For the body that defines a name of the question, beside what the words of the name count already. */
const NAMED = 1;
/** For one that holds what the question spells out. */
const EXACT = 1;
const CALLERS = 3;
const MIN_NAME_CHARS = 3;
const MAX_LINE_CHARS = 500;

/** All bodies of the files, best first; equal ones by the rank of their file, then by line. */
export function rankBodies(files: readonly AskedFile[], question: AskedQuestion): RankedBody[] {
  const ranked: RankedBody[] = [];
  for (const [f, { bodies, ownerOf, rows }] of bodySignals(files, question).entries()) {
    const file = files[f];
    if (file === undefined) continue;
    const linesOf: number[][] = bodies.map(() => []);
    ownerOf.forEach((b, i) => {
      linesOf[b]?.push(i);
    });
    for (const [b, body] of bodies.entries()) {
      const lines = linesOf[b] ?? [];
      const isNamed = question.identifiers.includes(lastName(body.name));
      const isExact = file.exactLines.some((line) => ownerOf[line - 1] === b);
      const score = dot(rows[b] ?? new Float64Array(), BODY_WEIGHTS) + (isNamed ? NAMED : 0) + (isExact ? EXACT : 0);
      if (lines.length > 0) ranked.push({ ...body, file, lines, score });
    }
  }
  return raiseCalled(ranked.sort(byScore)).sort(byScore);
}

/** Names that the code of a body calls. */
export function callsOf({ file, lines }: RankedBody): Set<string> {
  const { table, outline } = file.scored;
  const { text, starts } = table;
  const called = new Set<string>();
  for (const i of lines) {
    if (((outline.role[i] ?? 0) & ROLE.comment) !== 0) continue; // its documentation calls nothing
    const start = starts[i] ?? 0;
    scanWords(text, start, Math.min(starts[i + 1] ?? start, start + MAX_LINE_CHARS), (word, at) => {
      if (word.length >= MIN_NAME_CHARS && text.charAt(at + word.length) === "(") called.add(word);
    });
  }
  return called;
}

function raiseCalled(ranked: readonly RankedBody[]): RankedBody[] {
  const raised = new Map<RankedBody, number>();
  for (const caller of ranked.slice(0, CALLERS)) {
    const called = callsOf(caller);
    for (const body of ranked) {
      if (body === caller || body.kind === "rest" || !called.has(lastName(body.name))) continue;
      const gain = CALLED * Math.max(0, caller.score - body.score);
      raised.set(body, Math.max(raised.get(body) ?? 0, body.score + gain));
    }
  }
  return ranked.map((body) => ({ ...body, score: raised.get(body) ?? body.score }));
}

function lastName(name: string): string {
  return /[\w$]+$/.exec(name)?.[0] ?? name;
}

function byScore(a: RankedBody, b: RankedBody): number {
  return b.score - a.score || a.file.rank - b.file.rank || a.start - b.start;
}

function dot(row: Float64Array, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (row[i] ?? 0) * (weights[i] ?? 0);
  return sum;
}
