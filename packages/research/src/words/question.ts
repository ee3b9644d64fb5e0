// What is asked, as weighted terms: identifiers that were spelled out count most, words that every question has count
// little. It reads the question and never a file.
import { scanWords, stem, termsOf, wholeOf } from "@jeeves/prune/text";
import { type Frame, framesIn, pastedIn, titleEnd, withoutBoilerplate } from "./issue-text.ts";
import { type Literal, literalsOf } from "./literals.ts";

/** A term of the question, and what it counts. */
interface QuestionTerm {
  readonly term: string;
  readonly weight: number;
  /** In the first line or sentence of a long text; of a short one everywhere. */
  readonly isTitle: boolean;
  /** A whole identifier, not a word or a part of one. */
  readonly isWhole: boolean;
  /** As it was written first. */
  readonly word: string;
}

/** A question, and what was found in its words. */
export interface Question {
  readonly text: string;
  readonly terms: readonly QuestionTerm[];
  /** Terms of words that stand side by side: paraphrased names ("scheduled navigation") come back as identifiers. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Identifiers as they were spelled: quoted, called, camel, Pascal or snake case. */
  readonly identifiers: readonly string[];
  /** What is spelled out, to be looked for as it is written. */
  readonly literals: readonly Literal[];
  /** Paths and file names that the question names. */
  readonly paths: readonly string[];
  /** Names joined by dots: modules, and what is in them. */
  readonly dotted: readonly (readonly string[])[];
  readonly frames: readonly Frame[];
  /** 0 for a question … 1 for a pasted issue. */
  readonly length: number;
  readonly asksForTests: boolean;
  readonly asksForExamples: boolean;
}

const MAX_QUESTION_CHARS = 16_000;
const MAX_TERMS = 160;
const MAX_DOTTED = 40;
const LONG_CHARS = 800;

const EMPTY_WORDS = new Set(
  (
    "a an the of in on and or to for with is are be by from that this these those it as at which what how where why who whom does do did done " +
    "when between into its their there than then not no nor if can could should would will shall has have had having was were been being " +
    "using use used uses via per through during while within each other such any all more most must may might about across also but both " +
    "either neither only own same so too very just up down out off over under again once here i me my we our you your he she they them " +
    "because until against before after above below s t don now please explain describe find show tell give get list look see want need " +
    "without rather instead them whether like e g etc vs versus one two different specific"
  ).split(" "),
);

const TALK = new Set(
  (
    "class method function file line code module object instance parameter argument variable implement implementation purpose role relationship " +
    "mechanism behavior behaviour design pattern logic approach process system framework specific specifically different difference affect impact " +
    "handle ensure determine provide enable allow support responsible happen work interact interaction relate related cause change make multiple various " +
    "correctly properly correct proper issue problem bug fix feature improve codebase located location defined definition implications architectural architecture " +
    "maintain maintaining coordinate integrate integration refactor depend dependency dependencies chain flow control data underlying core semantic strategy " +
    "consistent consistency constraint tradeoff trade performance compare compared comparison scenario scenarios requirement benefit existing serve"
  )
    .split(" ")
    .map(stem),
);

const IDENTIFIER =
  /^\$?_*(?:[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]*|[a-z][a-z0-9]*[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|[A-Z]{2,}[a-z]\w*)$|^_+[A-Za-z]\w*$/;

/** Reads the first 16,000 characters; never refuses a text. */
export function parseQuestion(given: string): Question {
  const text = given.slice(0, MAX_QUESTION_CHARS);
  const said = withoutBoilerplate(text);
  const title = titleEnd(said);
  const pasted = pastedIn(said);
  const weights = new Map<string, Omit<QuestionTerm, "term">>();
  const identifiers = new Map<string, string>();
  const quoted = quotedIn(said);
  const sequence: (string | undefined)[] = [];
  const add = (term: string, at: number, weight: number, word: string, isWhole = false): void => {
    const known = weights.get(term);
    weights.set(term, {
      weight: Math.max(known?.weight ?? 0, pasted.some(([from, to]) => at >= from && at < to) ? weight / 2 : weight),
      isTitle: at < title || known?.isTitle === true,
      isWhole: isWhole && known?.isWhole !== false,
      word: known?.word ?? word,
    });
  };
  scanWords(said, 0, said.length, (word, at) => {
    const lower = word.toLowerCase();
    const called = said.startsWith("(", at + word.length) && /^[A-Za-z_$]\w*$/.test(word);
    const marked = (quoted.has(at) && word.length > 2) || IDENTIFIER.test(word) || called;
    if (!marked && EMPTY_WORDS.has(lower)) return void sequence.push(undefined);
    const terms = termsOf(word);
    const whole = wholeOf(word.normalize("NFKC"));
    if (marked && /[\p{L}]/u.test(word)) {
      identifiers.set(whole, word);
      add(whole, at, 2, word, true);
    }
    for (const part of terms.length > 1 && terms.at(-1) === whole ? terms.slice(0, -1) : terms) {
      if (!marked && part.length < 2 && part.charCodeAt(0) < 128) continue;
      add(part, at, marked ? 1.3 : TALK.has(part) ? 0.3 : 1, lower);
      sequence.push(part);
    }
  });
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < sequence.length; i++) {
    const [a, b] = [sequence[i], sequence[i + 1]];
    if (a !== undefined && b !== undefined && a !== b) pairs.push([a, b]);
  }
  return {
    text,
    literals: literalsOf(text, [...identifiers.values()]),
    terms: [...weights].slice(0, MAX_TERMS).map(([term, found]) => ({ term, ...found })),
    pairs: pairs.slice(0, MAX_TERMS),
    identifiers: [...identifiers.values()],
    paths: [...new Set(text.match(/[\w.@-]*(?:\/[\w.@-]+)*[\w@-]+\.[a-z]{1,5}\b/g) ?? [])].filter(isPathLike),
    dotted: dottedIn(said),
    frames: framesIn(said),
    length: Math.min(1, text.length / LONG_CHARS),
    asksForTests: /\btest|\bspecs?\b|\bassert|\bTest[A-Z]/i.test(text),
    asksForExamples:
      /\bexamples? of\b|\b(?:show|give|find|list)\b.{0,40}\b(?:examples?|patterns?|usages?)\b|\bsimilar (?:code|implementations?|examples?|patterns?)\b|\bexisting (?:usages?|uses|implementations?|patterns?|examples?)\b|\bdone elsewhere\b|\bhow do (?:we|others)\b/i.test(
        text,
      ),
  };
}

/** `dask.array.core`, as one would import it. */
function dottedIn(text: string): string[][] {
  const found = new Set(text.match(/\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/g) ?? []);
  return [...found].slice(0, MAX_DOTTED).map((name) => name.split("."));
}

/** How many telling words a question has beside some of its literals. */
export function countOtherWords({ text }: Question, literals: readonly Literal[]): number {
  const rest = literals.reduce((left, literal) => left.replaceAll(literal.text, " "), text);
  const others = new Set<string>();
  scanWords(rest, 0, rest.length, (word) => {
    if (EMPTY_WORDS.has(word.toLowerCase())) return;
    for (const term of termsOf(word)) if (!TALK.has(term)) others.add(term);
  });
  return others.size;
}

/** The positions inside quotes; an apostrophe inside a word opens nothing. */
function quotedIn(text: string): ReadonlySet<number> {
  const quoted = new Set<number>();
  for (const m of text.matchAll(/`[^`\n]{1,200}`|"[^"\n]{1,80}"|(?<!\w)'[^'\n ]{1,80}'(?!\w)/g)) {
    for (let i = m.index; i < m.index + m[0].length; i++) quoted.add(i);
  }
  return quoted;
}

function isPathLike(word: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|cs|c|h|cc|cpp|hpp|sh|md|rst|toml|ya?ml|json|cfg|ini|txt|css|html|sql|xml)$/i.test(
    word,
  );
}
