// Free text of a command line: `-` in its place means stdin, for every text of every command alike.
import { RudderError } from "../rudder-error.ts";
import type { Session } from "./session.ts";

const MAX_CHARS = 262_144;

/** The texts that the words give, by name; one that is `-` is read from stdin, without the line ends at its end. */
export async function readTexts(
  { readInput }: Pick<Session, "readInput">,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  const fromInput: string[] = [];
  for (const [name, text] of Object.entries(given)) {
    if (typeof text !== "string") continue;
    texts[name] = text;
    if (text === "-") fromInput.push(name);
  }
  const [name, ...others] = fromInput;
  if (name === undefined) return texts;
  if (others.length > 0) {
    throw new RudderError("invalid_argument", `${fromInput.join(" and ")}: stdin can be only one of them`, {
      hint: "give - for one text, and write the others",
    });
  }
  if (readInput === undefined) {
    throw new RudderError("invalid_argument", `${name}: - reads stdin, and there is none here`, {
      hint: "write the text itself in its place",
    });
  }
  const text = (await readInput()).replace(/(?:\r?\n)+$/, "");
  if (text.length > MAX_CHARS) {
    throw new RudderError("invalid_argument", `${name}: stdin has ${text.length} characters`, {
      hint: `at most ${MAX_CHARS}: name the file and say what is in it`,
    });
  }
  return { ...texts, [name]: text };
}
