// What only the text of a file tells: whether what is asked stands close together, and in the order in which it is
// asked. For the few files that lead; the others are never read.
import { scanWords } from "@jeeves/prune/text";
import type { Question } from "../words/question.ts";
import { termId, termIdsOf } from "../words/term-ids.ts";
import type { AskedTerm } from "./scope-fit.ts";

/** The names of a row's numbers, in their order. */
export const TEXT_SIGNALS = ["window", "titleWindow", "wideWindow", "phrases", "titlePhrases"] as const;

const NEAR_LINES = 11;
const WIDE_LINES = 41;
const MAX_LINE_CHARS = 1_000;

interface PhraseSet {
  /** First term → second term → worth. */
  readonly worths: ReadonlyMap<number, ReadonlyMap<number, number>>;
  readonly titles: ReadonlyMap<number, ReadonlySet<number>>;
  readonly all: number;
  readonly allTitles: number;
}

/** Reads texts for one question. */
export function createTextReader(
  question: Question,
  asked: readonly AskedTerm[],
): (text: string | undefined) => number[] {
  const slotOf = new Map(asked.map(({ id }, t) => [id, t]));
  const worths = asked.map(({ weight, rarity }) => weight * rarity);
  const titles = asked.map(({ isTitle }, t) => (isTitle ? (worths[t] ?? 0) : 0));
  const [all, allTitles] = [sum(worths) || 1, sum(titles) || 1];
  const phrases = phrasesOf(question, asked);
  return (text) => {
    if (text === undefined) return TEXT_SIGNALS.map(() => 0);
    const lines: number[][] = [];
    const met = new Map<number, Set<number>>();
    for (const line of text.split("\n")) {
      const slots: number[] = [];
      let before = 0;
      scanWords(line, 0, Math.min(line.length, MAX_LINE_CHARS), (word) => {
        for (const id of termIdsOf(word)) {
          const slot = slotOf.get(id);
          if (slot !== undefined) {
            slots.push(slot);
            if (phrases.worths.get(before)?.has(id)) met.set(before, (met.get(before) ?? new Set()).add(id));
          }
          before = id;
        }
      });
      lines.push(slots);
    }
    let [phraseWorth, titleWorth] = [0, 0];
    for (const [a, seconds] of met) {
      for (const b of seconds) {
        const worth = phrases.worths.get(a)?.get(b) ?? 0;
        phraseWorth += worth;
        if (phrases.titles.get(a)?.has(b)) titleWorth += worth;
      }
    }
    return [
      bestWindow(lines, worths, NEAR_LINES) / all,
      bestWindow(lines, titles, NEAR_LINES) / allTitles,
      bestWindow(lines, worths, WIDE_LINES) / all,
      phraseWorth / phrases.all,
      titleWorth / phrases.allTitles,
    ];
  };
}

function phrasesOf(question: Question, asked: readonly AskedTerm[]): PhraseSet {
  const termOf = new Map(asked.map((one) => [one.id, one]));
  const worths = new Map<number, Map<number, number>>();
  const titles = new Map<number, Set<number>>();
  let [all, allTitles] = [0, 0];
  for (const [a, b] of question.pairs) {
    const [first, second] = [termOf.get(termId(a)), termOf.get(termId(b))];
    if (first === undefined || second === undefined || worths.get(first.id)?.has(second.id)) continue;
    const worth = Math.min(first.weight, second.weight) * Math.sqrt(first.rarity * second.rarity);
    worths.set(first.id, (worths.get(first.id) ?? new Map()).set(second.id, worth));
    all += worth;
    if (!first.isTitle || !second.isTitle) continue;
    titles.set(first.id, (titles.get(first.id) ?? new Set()).add(second.id));
    allTitles += worth;
  }
  return { worths, titles, all: all || 1, allTitles: allTitles || 1 };
}

/** The most that stands within so many lines. */
function bestWindow(lines: readonly (readonly number[])[], worths: readonly number[], size: number): number {
  const counts = new Int32Array(worths.length);
  let now = 0;
  let most = 0;
  for (let i = 0; i < lines.length; i++) {
    for (const slot of lines[i] ?? []) {
      const count = (counts[slot] ?? 0) + 1;
      counts[slot] = count;
      if (count === 1) now += worths[slot] ?? 0;
    }
    for (const slot of lines[i - size] ?? []) {
      const count = (counts[slot] ?? 0) - 1;
      counts[slot] = count;
      if (count === 0) now -= worths[slot] ?? 0;
    }
    if (now > most) most = now;
  }
  return most;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
