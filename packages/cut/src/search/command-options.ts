// The options of grep, git grep, ripgrep, ag and ack as far as they decide what is printed, the commands that list files,
// and the filters behind both.
import type { ShellCommand } from "./shell-words.ts";

/** A search command and its options. */
export interface ParsedOptions {
  readonly program: "grep" | "git" | "rg" | "ag" | "ack";
  /** Files and directories to search; the pattern is not among them. */
  readonly targets: readonly string[];
  readonly listsFiles: boolean;
  /** The lines have a form that is not read: NUL bytes, separators of the caller's own, lines that do not match. */
  readonly isOdd: boolean;
  readonly hasContext: boolean;
  /** Whether one of these options is set. */
  readonly has: (...names: readonly string[]) => boolean;
}

const PROGRAM = /^(?:rg|ag|ack|[ef]?grep|git)$/;
/** Short options whose value may follow in the same word: `rg -tc` is a type, not a count. */
const TAKES_VALUE = { grep: "ABCDdefm", git: "ABCefmO", rg: "ABCEMTdefgjmrt", ag: "ABCGgmpW", ack: "ABCgm" };
const LONG_TAKES_VALUE =
  /^--(?:include|exclude|exclude-dir|exclude-from|include-dir|i?glob|type|type-not|type-add|max-count|max-depth|context|after-context|before-context|regexp|file|sort|sortr|colou?rs?|threads|encoding|engine|replace|max-columns|max-filesize|directories|devices|label|ignore|ignore-dir|ignore-file|pre|pre-glob|path-separator|context-separator|field-match-separator|field-context-separator|binary-files|depth)$/;
const LISTS_FILES = /^--(?:files(?:-with-matches|-without-match(?:es)?)?|count(?:-matches)?|name-only)$/;
const ODD =
  /^--(?:null(?:-data)?|field-match-separator|field-context-separator|passthru|passthrough|type-list|debug|trace|help|version|path-separator|output|files-from)$/;
const CONTEXT = /^(?:-[ABC]|--(?:after-|before-)?context)$/;

/** The options of a search command; undefined for a program that does not search. */
export function optionsOf({ program: name, words: written }: ShellCommand): ParsedOptions | undefined {
  if (!PROGRAM.test(name)) return undefined;
  const program = (name === "egrep" || name === "fgrep" ? "grep" : name) as ParsedOptions["program"];
  const words = program === "git" ? afterGit(written) : written;
  if (words === undefined) return undefined;
  const { options, plain } = readWords(words, program);
  const has = (...names: readonly string[]) => names.some((option) => options.has(option));
  const hasPattern = has("-e", "-f", "--regexp", "--file", "--files");
  const matching = (pattern: RegExp) => [...options].some((option) => pattern.test(option));
  return {
    program,
    targets: hasPattern ? plain : plain.slice(1),
    listsFiles: has("-l", "-c") || (program !== "rg" && has("-L")) || matching(LISTS_FILES),
    isOdd: matching(ODD) || has("-0", "-z") || (program === "grep" && has("-Z")) || (has("--json") && program !== "rg"),
    hasContext: matching(CONTEXT),
    has,
  };
}

/** The words behind `git grep`, or undefined for another command of git. */
function afterGit(words: readonly string[], name = "grep"): readonly string[] | undefined {
  let from = 0;
  while (words[from]?.startsWith("-") === true) from += words[from] === "-C" || words[from] === "-c" ? 2 : 1;
  return words[from] === name ? words.slice(from + 1) : undefined;
}

/** What `find` and `fd` do with a file other than print its name. */
const ACTS = /^(?:-(?:exec|execdir|ok|okdir|delete|printf|fprint.*|fls|print0)|-[xX0]|--exec(?:-batch)?|--print0)$/;

/** Whether a command prints names of files, a line for each. */
export function listsFiles({ program, words }: ShellCommand): boolean {
  if (program === "ls") return true;
  if (program === "git") return afterGit(words, "ls-files")?.every((word) => !/^(?:-z|--stage)$/.test(word)) === true;
  return /^(?:find|fd|fdfind)$/.test(program) && !words.some((word) => ACTS.test(word));
}

function readWords(words: readonly string[], program: ParsedOptions["program"]) {
  const options = new Set<string>();
  const plain: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--") {
      plain.push(...words.slice(index + 1));
      break;
    }
    if (word.startsWith("--")) {
      const [option = ""] = word.split("=", 1);
      options.add(option);
      if (option === word && LONG_TAKES_VALUE.test(word)) index++;
    } else if (/^-\d+$/.test(word)) options.add("-C");
    else if (/^-./.test(word)) {
      const { letters, needsValue } = readFlags(word, TAKES_VALUE[program]);
      for (const letter of letters) options.add(`-${letter}`);
      if (needsValue) index++;
    } else plain.push(word);
  }
  return { options, plain };
}

function readFlags(word: string, takesValue: string): { readonly letters: string; readonly needsValue: boolean } {
  const letters = word.slice(1);
  const at = [...letters].findIndex((letter) => takesValue.includes(letter));
  return at < 0
    ? { letters, needsValue: false }
    : { letters: letters.slice(0, at + 1), needsValue: at === letters.length - 1 };
}

/** Whether a command prints some of the lines that it reads, each as it is or without its end. */
export function isFilter({ program, words }: ShellCommand): boolean {
  if (/^(?:sort|head|tail|tac|less|more)$/.test(program)) return true;
  if (program === "cat") return words.length === 0;
  if (program === "uniq") return !words.some((word) => /^-[A-Za-z]*[cf]|^--count/.test(word));
  if (program === "cut") return words.length === 1 && /^-[cb](?:1?-\d+)$/.test(words[0] ?? "");
  return program === "sed" && /^-n \d+(?:,\d+)?p$/.test(words.join(" "));
}
