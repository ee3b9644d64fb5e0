// What the reader wants to know, as weighted terms. Quoted, backticked, Camel and snake words count double; words that every
// question has count little or nothing.
import { stem } from "./stem.ts";
import { scanWords, termsOf } from "./words.ts";

/** A word that the reader looks for. */
export interface FocusTerm {
  readonly term: string;
  readonly weight: number;
  /** An identifier as the focus writes it, not one of its parts. */
  readonly isWhole: boolean;
  /** Bits of FOCUS_PART: where in the focus it is. */
  readonly parts: number;
}

/**
 * The parts of a focus. One of many lines begins with the call or a title and ends with the latest thoughts; a single short
 * line is both.
 */
export const FOCUS_PART = { head: 1, tail: 2 } as const;

/** A parsed focus. */
export interface Focus {
  readonly terms: readonly FocusTerm[];
  /** Position in `terms` of each term. */
  readonly index: ReadonlyMap<string, number>;
  /** Line numbers named as `file:123` or `line 123`. */
  readonly lines: readonly number[];
}

const NOTHING = new Set(
  (
    "a an the of in on and or to for with is are be by from that this these those it as at which what how where why who whom does do did done " +
    "when between into its their there than then not no nor if can could should would will shall has have had having was were been being " +
    "using use used uses via per through during while within each other such any all more most must may might about across also but both " +
    "either neither only own same so too very just up down out off over under again once here i me my we our you your he she they them " +
    "because until against before after above below s t don now please explain describe find show tell give me get list look see want need " +
    "le la les un une des du de et ou est dans pour par sur avec que qui quoi comment pourquoi garder der die das und oder ist wie was ein eine"
  ).split(" "),
);

/** Words that questions about code use to talk about code: they name no particular line. */
const TALK = new Set(
  (
    "class method function file line code module object instance parameter argument variable implement implementation purpose role relationship " +
    "mechanism behavior behaviour design pattern logic approach process system framework specific specifically different difference affect impact " +
    "handle ensure determine provide enable allow support responsible happen work interact interaction relate related cause change make multiple various " +
    "correctly properly correct proper issue problem bug fix feature add remove update improve fixes fixed adds added"
  )
    .split(" ")
    .map(stem),
);

const MARKED_WEIGHT = 2;
const TALK_WEIGHT = 0.3;
const MOST_CHARS = 8_000;
const MOST_TERMS = 400;
const HEAD_CHARS = 300;
const TAIL_CHARS = 300;

/** The terms of a focus, at most 400 of its first 8,000 characters. */
export function parseFocus(focus: string): Focus {
  const text = focus.slice(0, MOST_CHARS);
  const partAt = partsOf(text);
  const parts = new Map<string, number>();
  const weights = new Map<string, number>();
  const wholes = new Set<string>();
  const quoted = new Set<number>();
  for (const m of text.matchAll(/`[^`\n]+`|"[^"\n]+"|'[^'\n ]+'/g)) {
    for (let i = m.index; i < m.index + m[0].length; i++) quoted.add(i);
  }
  scanWords(text, 0, text.length, (word, at) => {
    const lower = word.toLowerCase();
    const marked = quoted.has(at) || /_|[a-z][A-Z]|[A-Z][A-Z][a-z]|[a-zA-Z]\d|\d[a-zA-Z]/.test(word);
    if (!marked && NOTHING.has(lower)) return;
    const found = termsOf(word);
    if (marked && found.length > 0) wholes.add(found.at(-1) ?? "");
    for (const term of found) {
      if (!marked && term.length < 2 && term.charCodeAt(0) < 128 && !/\d/.test(term)) continue;
      const weight = marked ? MARKED_WEIGHT : TALK.has(term) ? TALK_WEIGHT : 1;
      weights.set(term, Math.max(weights.get(term) ?? 0, weight));
      parts.set(term, (parts.get(term) ?? 0) | partAt(at));
    }
  });
  const lines: number[] = [];
  for (const m of text.matchAll(/(?:[\w)]:|\blines? |\bL)(\d{1,7})\b/g)) lines.push(Number(m[1]));
  const terms = [...weights]
    .slice(0, MOST_TERMS)
    .map(([term, weight]) => ({ term, weight, isWhole: wholes.has(term), parts: parts.get(term) ?? 0 }));
  return { terms, index: new Map(terms.map((t, i) => [t.term, i])), lines };
}

/** The parts that a place of the text belongs to: its first line, and its last one with as much before it as is short. */
function partsOf(text: string): (at: number) => number {
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  const firstEnd = text.indexOf("\n", start);
  const headEnd = Math.min(firstEnd < 0 ? end : firstEnd, start + HEAD_CHARS);
  const lastStart = text.lastIndexOf("\n", end - 1) + 1;
  const from = Math.max(start, end - TAIL_CHARS);
  // From the beginning of a line on, where one is near enough.
  const lineStart = text.indexOf("\n", from) + 1;
  const tailStart = lastStart < from ? from : lineStart > 0 && lineStart <= lastStart ? lineStart : from;
  return (at) => (at < headEnd ? FOCUS_PART.head : 0) | (at >= tailStart ? FOCUS_PART.tail : 0);
}
