// The question for a cut, derived because the client's own tools have none: the call's own words first, because they are
// the most specific; then the user's prompt, what the assistant wrote since, and its thought right before the call.
import type { SessionTail } from "./session-facts.ts";

const MAX_CHARS = 3_000;
const MAX_PART_CHARS = 1_000;

/** The focus of a call, from its own words and the end of its session's transcript. */
export function focusOf(asked: readonly string[], { user = "", said = "", thought = "" }: SessionTail): string {
  // The end of a thought is closest to the call.
  return [...asked, user.slice(0, MAX_PART_CHARS), said.slice(0, MAX_PART_CHARS), thought.slice(-MAX_PART_CHARS)]
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, MAX_CHARS);
}

/** The words of a call without the session's directory, which is not part of the question. */
export function withoutDir(words: string, dir: string | undefined): string {
  return dir === undefined || dir === "" || dir === "/" ? words : words.replaceAll(`${dir.replace(/\/+$/, "")}/`, "");
}
