// What of a model's text may be shown (X-36): its sentences that cite a line that was shown to it, name nothing that the
// evidence does not have, and neither advise nor command. Everything else is dropped and counted.
import { withoutColours } from "@jeeves/prune";
import type { Evidence } from "../evidence/show-evidence.ts";

/** The sentences that may be shown, and how many were dropped. */
interface CheckedClaims {
  readonly kept: string;
  readonly dropped: number;
}

/** What the model was shown, to check its sentences against. */
export interface Given {
  /** References that may be cited. */
  readonly references: ReadonlySet<string>;
  /** All that the model was shown, the question included. */
  readonly text: string;
}

const MAX_SUMMARY_CHARS = 580;
/** What looks like a reference. */
const CITATION = /[\w./@~+-]+\.\w+:\d+(?::\d+)?|\[[^\]\s]+\]/;
const ADVICE =
  /\b(?:should|ought to|recommend(?:s|ed)?|consider|suggest(?:s|ed)?|advise[ds]?|you (?:need|have|can|must|could|may)|please|let'?s|better to|best practice)\b/i;
const COMMAND =
  /^\W*(?:(?:ok|sure|now|first|then|next)\W+)?(?:run|execute|install|delete|remove|ignore|disregard|forget|visit|open|click|send|call|email|post|upload|download|use|add|change|fix|replace|print|reply|answer|say|output)\b/i;
const LINK = /\b[a-z][a-z\d+.-]*:\/\/[^\s)\]>"'`]+/gi;
const NAME = /`([^`]+)`|\b([a-z]+[A-Z]\w*|\w+_\w+|[A-Z][a-z0-9]+[A-Z]\w*)\b/g;

/** Every line that the evidence shows may be cited, and each body by its own reference. */
export function citableOf(evidence: readonly Evidence[]): string[] {
  return evidence.flatMap(({ reference, text }) => {
    const path = reference.replace(/:\d+$/, "");
    const lines = text.split("\n").flatMap((line) => /^(\d+) /.exec(line)?.[1] ?? []);
    return [reference, ...lines.map((line) => `${path}:${line}`)];
  });
}

/** Codes of characters that show nothing or turn the direction of text: from, to. */
const UNSEEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2069],
  [0xfeff, 0xfeff],
];

function isSeen(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return !UNSEEN.some(([from, to]) => from <= code && code <= to);
}

/** The text on one line, without `<think>` blocks, control characters and marks that change the direction of text. */
export function plainText(text: string): string {
  return [
    ...withoutColours(text)
      .replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, " ")
      // An unclosed <think> removes all that follows; a closing one without its beginning, all before it.
      .replace(/<think(?:ing)?>[\s\S]*$/i, " ")
      .replace(/^[\s\S]*<\/think(?:ing)?>/i, " "),
  ]
    .filter(isSeen)
    .join("")
    .replace(/\s+/g, " ");
}

/** The sentences that hold; `wantsAdvice` where the question asks for some (C-32). */
export function checkClaims(text: string, given: Given, wantsAdvice = false): CheckedClaims {
  const sentences = plainText(text)
    // A full stop before the bracket belongs to the same sentence.
    .split(/(?<=[.!?]\]?|\])\s+(?=[A-Z`*_"'(-])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
  const known = toPattern(given.references);
  const kept: string[] = [];
  let length = 0;
  for (const sentence of sentences) {
    if (length + sentence.length > MAX_SUMMARY_CHARS || !holds(sentence, known, given, wantsAdvice)) continue;
    kept.push(sentence);
    length += sentence.length + 1;
  }
  return { kept: kept.join(" "), dropped: sentences.length - kept.length };
}

function holds(sentence: string, known: RegExp, given: Given, wantsAdvice: boolean): boolean {
  const rest = sentence.replace(known, "");
  if (rest === sentence || CITATION.test(rest)) return false;
  if (!wantsAdvice && (ADVICE.test(rest) || COMMAND.test(rest))) return false;
  if ((rest.match(LINK) ?? []).some((link) => !given.text.includes(link))) return false;
  // Names must occur in what the model was shown.
  for (const [, quoted, name] of rest.matchAll(NAME)) {
    const words = (quoted ?? name ?? "").match(/[\w$]+/g) ?? [];
    if (words.some((word) => !given.text.includes(word))) return false;
  }
  return true;
}

/** Any of these and nothing longer: a path may have spaces in it, so what was given is looked for first. */
function toPattern(references: ReadonlySet<string>): RegExp {
  const words = [...references]
    .sort((a, b) => b.length - a.length)
    .map((reference) => reference.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`(?<![\\w./@~+-])(?:${words.join("|")})(?!:?\\d)`, "g");
}
