// when the embedded engine leaves a text alone. A cut pays only if what it saves outweighs the risk of being
// asked again (a recovery is a whole turn), so small texts, small gains, diffs and repeated calls go through raw.
import { createHash } from "node:crypto";
import { estimateTokens } from "@jeeves/prune";

const MIN_TOKENS = 1_500;
const MIN_SAVED_TOKENS = 600;
const MIN_SAVED_SHARE = 0.25;
const ENOUGH_CHARS_PER_TOKEN = 8;
/** What comes behind can make a beginning cheaper by so much: eight marks are dearer than nine. */
const ESTIMATE_FALLS = 2;
const REPEAT_WINDOW_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

const HUNK_HEADER = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;

export function isTooSmall(text: string, minTokens = MIN_TOKENS): boolean {
  // A token is at most a few characters of UTF-16; most small texts are decided without counting.
  if (text.length < minTokens) return true;
  // And most large ones by their beginning: counting ten megabytes to learn that they are large is a waste.
  const enoughChars = minTokens * ENOUGH_CHARS_PER_TOKEN;
  if (text.length > enoughChars && estimateTokens(text.slice(0, enoughChars)) > minTokens + ESTIMATE_FALLS)
    return false;
  return estimateTokens(text) < minTokens;
}

/** A diff is read to be applied: every line of it is evidence. */
export function isDiff(text: string): boolean {
  return text.startsWith("diff --git") || HUNK_HEADER.test(text);
}

export function isNoGain(rawTokens: number, keptTokens: number): boolean {
  const saved = rawTokens - keptTokens;
  return saved < MIN_SAVED_TOKENS || saved < rawTokens * MIN_SAVED_SHARE;
}

/**
 * Remembers which calls were cut: the same call again means that the first cut was not enough. A search is remembered
 * without its text, because the order of its matches differs from call to call.
 */
export function createRepeatMemory(now: () => number = () => performance.now()) {
  const cutAt = new Map<string, number>();
  const keyOf = (tool: string, args: unknown, raw: string | undefined) =>
    createHash("sha256")
      .update(`${tool}\0${JSON.stringify(args)}\0${raw === undefined ? "" : "text"}\0`)
      .update(raw ?? "")
      .digest("base64");
  return {
    isRepeat(tool: string, args: unknown, raw: string): boolean {
      const at = cutAt.get(keyOf(tool, args, raw)) ?? cutAt.get(keyOf(tool, args, undefined));
      return at !== undefined && now() - at < REPEAT_WINDOW_MS;
    },
    /** Without `raw` the call is remembered whatever it returns. */
    remember(tool: string, args: unknown, raw: string | undefined): void {
      const key = keyOf(tool, args, raw);
      cutAt.delete(key);
      cutAt.set(key, now());
      const oldest = cutAt.keys().next();
      if (cutAt.size > MAX_REMEMBERED && !oldest.done) cutAt.delete(oldest.value);
    },
  };
}

export type RepeatMemory = ReturnType<typeof createRepeatMemory>;
