// What the reader wants to know, derived: nobody wrote a question. The call's own words first, because they are nearest;
// then what the user asked and what the assistant said before the call.
import { readLastWords } from "./transcript-tail.ts";

const MAX_CHARS = 2_000;

export async function deriveFocus(asked: readonly string[], transcriptPath: string | undefined): Promise<string> {
  const words = transcriptPath === undefined ? {} : await readLastWords(transcriptPath);
  return [...asked, words.user ?? "", words.assistant ?? ""]
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, MAX_CHARS);
}
