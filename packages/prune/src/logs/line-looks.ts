// What a single line looks like: printed by a program, or written by a person, in a source or on a page. Whole texts and
// stretches are judged elsewhere.
import { FRAME, PASSED, PRINTED_LINES } from "./log-signs.ts";
import { signOf } from "./log-troubles.ts";

/** A match of a search beyond doubt: a path without spaces, and a line number. */
export const SURE_MATCH = /^(?:[A-Za-z]:)?[^\s:]+:\d+:(?:\d+:)?/;
/** The beginning of a terminal's colour code. */
export const COLOUR = "\u001b[";
/** A line as logs have it. */
export const LOG_LINE =
  /\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR|FATAL|TRACE|PASS(?:ED)?|FAIL(?:ED)?)\b|^(?:npm|npx|yarn|error|warning|Traceback|make|ok|not ok|---|===)\b|^\s+at |^\s+File "[^"]*", line \d|^Caused by/;
/** A line as documents have it: a heading, a list's item, a quotation, a table. */
export const DOC_LINE =
  /^(?:#{1,6} |[-*] |\d+\. |>|\||```|[=~^"'-]{4,}\s*$|\.\. [\w-]+:: ?|:\w+:)|:(?:ref|doc|class|func|meth|attr|mod|data|exc):`/;
/** A line as sources have it. */
export const CODE_LINE =
  /[;{}]\s*$|^\s*(?:def|class|import|from|return|if|for|const|let|var|function|func|fn|pub|use|export|package|#include|public|private|static|@\w)\b|\w\([^)]*\)\s*(?:[:;{]|=>)|^\s*(?:\/\/|\/\*|\*)|^\s*[\w.]+\s*[+:]?=\s/;
/**
 * A comment, a list's item, a statement, a call, a key and its value, a line that goes on or is quoted. At the beginning
 * of a line a word and a colon may also be the name of the program that prints.
 */
const WRITTEN_LINE =
  /^\s*(?:#|@\w|--|<|[)\]}]|[-*+•] |["'`]|[\w.-]+:\s*$|(?:assert|await|raise|throw|elif|else|except|try|with|while|case|yield|del|go|defer|match|type|async)\s|!?[\w$.]+!?[(<].*[)>]\s*$)|^\s+[\w.-]+\??:\s/;
const GOES_ON = /(?:[^}],|[([\\])\s*$/;
const PLACE = /:\d+|\bline \d|\.\.\. \d+ more/;

const PROSE_WORDS = 6;
const PROSE_WORD = /^["'(`]?[A-Za-z][a-z]*(?:['’‐-][a-z]*)?[,.;:)"'`!?]*$/;

/** Whether a line is hardly anything but words, as a sentence is. Its first word must be one. */
export function isProse(line: string): boolean {
  const words = line.trim().split(/\s+/);
  if (words.length < PROSE_WORDS || !PROSE_WORD.test(words[0] ?? "")) return false;
  return words.filter((word) => PROSE_WORD.test(word)).length >= words.length * 0.8;
}

const COMMON_WORD =
  /(?<![\w-])(?:the|an?|of|to|is|are|was|be|and|or|in|for|that|this|with|you|it|as|by|on|if|not|can|when|will|der|die|und|le|la|les|de|et|el|los|que)(?![\w-])/gi;
const SENTENCE_WORDS = 3;
const CJK_SENTENCE = /[\p{L}]{4}[，。、；].*[\p{L}]{4}/u;

const COLUMNS = /\S(?: {3,}|\t)\S/;

/**
 * Whether a line has at least three of the words that hold a sentence together, whatever names and code are between
 * them.
 */
export function isSentence(line: string): boolean {
  if (COLUMNS.test(line)) return false;
  return (line.match(COMMON_WORD)?.length ?? 0) >= SENTENCE_WORDS || CJK_SENTENCE.test(line);
}

/** How a line looks. "data" is a field or a bracket of JSON, which both people and programs write. */
export type Look = "printed" | "written" | "data" | "unclear";

const DATA_LINE = /^\s*(?:"[^"]*"\s*:|[{}[\]]{1,2},?\s*$)/;

/** How a cleaned line looks: a tool's own sign outweighs the look of a source, and that a mere word. */
export function lookOf(line: string): Look {
  const bare = line.trimStart();
  const isIndented = bare !== line && !CODE_LINE.test(line) && !GOES_ON.test(line);
  if (isSurelyPrinted(line) || (isIndented && isSurelyPrinted(bare))) return "printed";
  if (DATA_LINE.test(line)) return "data";
  if (DOC_LINE.test(bare) || CODE_LINE.test(line) || WRITTEN_LINE.test(line) || GOES_ON.test(line) || isProse(line))
    return "written";
  return LOG_LINE.test(line) ? "printed" : "unclear";
}

/** All of them in one pattern, because most lines match none. */
const PRINTED = new RegExp([...PRINTED_LINES, PASSED].map(({ source }) => source).join("|"));

function isSurelyPrinted(line: string): boolean {
  if (PRINTED.test(line)) return true;
  const sign = signOf(line);
  if (sign !== undefined && !sign.isWeak && /\s/.test(line)) return true;
  return FRAME.test(line) && PLACE.test(line);
}
