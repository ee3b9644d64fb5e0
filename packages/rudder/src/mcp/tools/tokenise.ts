// A command line in one text → its words, with a shell's quoting and nothing else of a shell: `$(…)`, backticks,
// `;`, `|`, `>` and `*` are characters like any other. Nothing is run here.
import { RudderError } from "../../rudder-error.ts";

const SPACE = /\s/;
/** What a backslash takes the meaning from, inside double quotes. */
const ESCAPED = new Set(['"', "\\", "$", "`"]);

/**
 * The words of a command line; throws `invalid_argument` for a quote that is never closed, and for a backslash at the
 * end.
 */
export function tokenise(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    const next = text[at + 1];
    if (quote === "" && SPACE.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= "";
    if (char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) quote = char;
    else if (char === "\\" && next === undefined && quote === "") throw unfinished("a backslash at the end");
    else if (char === "\\" && next !== undefined && (quote === "" || (quote === '"' && ESCAPED.has(next)))) {
      word += next;
      at += 1;
    } else word += char;
  }
  if (quote !== "") throw unfinished(`a ${quote} that is never closed`);
  if (word !== undefined) words.push(word);
  return words;
}

function unfinished(what: string): RudderError {
  return new RudderError("invalid_argument", `the command has ${what}`, {
    hint: `quote a text with spaces: task:log T042 "what you learned" --tip`,
  });
}
