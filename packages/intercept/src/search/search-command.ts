// Shell commands that search: which they are, and whether they ask for files only.
import { withoutPrefixes } from "../commands.ts";

export interface SearchCommand {
  /** `-l`, `-c` and their like: the output names files, and nothing in it can be ranked. */
  readonly listsFiles: boolean;
}

const SEARCH = /^(?:rg|grep|egrep|ag|ack|git\s+(?:(?:-C\s+[^\s'";&|]+|--no-pager)\s+)*grep)(?=\s|$)/;
const LISTS_FILES = /^--(?:files(?:-with-matches|-without-match(?:es)?)?|count(?:-matches)?|name-only)$/;
/** Short options whose value may follow in the same word: `-tc` is a type, not a count. */
const TAKES_VALUE = /[ABCDEMTdefgjmrt]/;
const WORD = /(?:[^\s'"|;&]|'[^']*'|"(?:[^"\\]|\\.)*")+|[|;&]/g;

/** Returns undefined for a command that does not search. */
export function parseSearchCommand(command: string): SearchCommand | undefined {
  const bare = withoutPrefixes(command);
  const program = SEARCH.exec(bare)?.[0];
  if (program === undefined) return undefined;
  const isRipgrep = program === "rg";
  let isValue = false;
  for (const word of bare.slice(program.length).match(WORD) ?? []) {
    if (isValue) {
      isValue = false;
      continue;
    }
    if (word === "--" || /^[|;&]$/.test(word)) break;
    const flags = /^-[A-Za-z]/.test(word) ? readFlags(word, isRipgrep) : undefined;
    if (flags === "lists files" || LISTS_FILES.test(word)) return { listsFiles: true };
    isValue = flags === "value follows";
  }
  return { listsFiles: false };
}

function readFlags(word: string, isRipgrep: boolean): "lists files" | "value follows" | undefined {
  const letters = word.slice(1);
  for (const [index, letter] of [...letters].entries()) {
    if (letter === "l" || letter === "c" || (letter === "L" && !isRipgrep)) return "lists files";
    // grep's -r is recursive and takes nothing.
    const takesValue = TAKES_VALUE.test(letter) && (letter !== "r" || isRipgrep);
    if (takesValue) return index === letters.length - 1 ? "value follows" : undefined;
  }
  return undefined;
}
