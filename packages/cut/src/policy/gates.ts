// X-23's constants: when a text is left whole. A cut pays only if what it saves outweighs the risk of being asked again
// (a recovery is a whole turn), so small texts, small gains and diffs stay whole.
import { estimateTokens } from "@jeeves/prune";

const MIN_TOKENS = 1_500;
const MIN_SAVED_TOKENS = 600;
const MIN_SAVED_SHARE = 0.25;
const ENOUGH_CHARS_PER_TOKEN = 8;
/** A longer text may have so many fewer tokens than its beginning alone: eight marks in a row are dearer than nine. */
const ESTIMATE_FALLS = 2;

const HUNK_HEADER = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;
/** Lines around hunks: headers of files and commits, and messages. */
const DIFF_WORDS =
  /^(?:diff |index [0-9a-f]|--- |\+\+\+ |(?:new|deleted) file|similarity |rename |old mode|new mode|Binary files|commit [0-9a-f]|Author:|Date:|Merge:| {4})/;
/** A diff begins near the top; a test run that quotes one further down is none, unless most of its lines are a diff's. */
const TOP_LINES = 12;
const DIFF_SHARE = 0.5;

/** True for a text of fewer than `minTokens` tokens. */
export function isTooSmall(text: string, minTokens = MIN_TOKENS): boolean {
  // A token is at most a few characters of UTF-16; most small texts are decided without counting.
  if (text.length < minTokens) return true;
  // And most large ones by their beginning: counting ten megabytes to learn that they are large is a waste.
  const enoughChars = minTokens * ENOUGH_CHARS_PER_TOKEN;
  if (text.length > enoughChars && estimateTokens(text.slice(0, enoughChars)) > minTokens + ESTIMATE_FALLS)
    return false;
  return estimateTokens(text) < minTokens;
}

/** Whether a text is a diff, which is never cut: it is read to be applied, so every line of it matters. */
export function isDiff(text: string): boolean {
  if (text.startsWith("diff --git")) return true;
  const hunk = HUNK_HEADER.exec(text);
  if (hunk === null) return false;
  return text.slice(0, hunk.index).split("\n", TOP_LINES + 1).length <= TOP_LINES || isMostlyDiff(text);
}

function isMostlyDiff(text: string): boolean {
  let filled = 0;
  let ofDiff = 0;
  let isHunk = false;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    filled++;
    if (HUNK_HEADER.test(line)) isHunk = true;
    else if (!/^[ +\-\\]/.test(line)) isHunk = false;
    if (isHunk || DIFF_WORDS.test(line)) ofDiff++;
  }
  return ofDiff >= filled * DIFF_SHARE;
}

/** True where a cut saves fewer than 600 tokens or less than a quarter. */
export function isNoGain(rawTokens: number, keptTokens: number): boolean {
  const saved = rawTokens - keptTokens;
  return saved < MIN_SAVED_TOKENS || saved < rawTokens * MIN_SAVED_SHARE;
}
