// Programs that print a file, and which lines of it.
/** A range of lines, 1-based, both ends included. */
export interface Lines {
  readonly first: number;
  /** Infinity means to the end. */
  readonly last: number;
}

/** A file as a command prints it. */
export interface Read {
  /** Undefined where several files are printed, or none is named. */
  readonly path: string | undefined;
  /** "some": not all, and it is not known which. */
  readonly lines: "all" | "some" | Lines;
}

const DEFAULT_COUNT = 10;

/** What a command prints of a file; undefined where it prints none, or changes it. */
export function readBy(program: string, words: readonly string[]): Read | undefined {
  switch (program) {
    case "cat":
    case "nl":
    case "tac":
    case "less":
    case "more":
      return toRead(filesIn(words, program === "nl" ? "bdfhilnsvw" : ""), "all");
    case "bat":
    case "batcat":
      return toRead(
        filesIn(words, "rlHm", /^--(?:line-range|language|highlight-line|style|theme|paging)$/),
        batLines(words),
      );
    case "head":
    case "tail":
      return toRead(filesIn(words, "nc", /^--(?:lines|bytes)$/), ends(program, words));
    case "sed":
      return sedRead(words);
    case "awk":
    case "gawk":
      return awkRead(words);
    default:
      return undefined;
  }
}

/** The lines of a file that remain where of `lines` only `narrower`, counted within them, are shown. */
export function within(lines: Read["lines"], narrower: Read["lines"]): Read["lines"] {
  if (narrower === "all") return lines;
  if (lines === "all") return narrower;
  if (lines === "some" || narrower === "some") return "some";
  const first = lines.first + narrower.first - 1;
  return { first, last: Math.min(lines.last, lines.first + narrower.last - 1) };
}

function toRead(files: readonly string[], lines: Read["lines"]): Read | undefined {
  if (files.length === 0) return undefined;
  const [path] = files.length === 1 && files[0] !== "-" ? files : [];
  return { path, lines };
}

/** Words that are neither options nor their values. */
function filesIn(words: readonly string[], valueLetters: string, longValues?: RegExp): string[] {
  const files: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "-" || !/^-/.test(word)) files.push(word);
    else if (longValues?.test(word) === true) index++;
    else if (/^-[A-Za-z]$/.test(word) && valueLetters.includes(word[1] ?? "-")) index++;
  }
  return files.filter((file) => !/^\+\d+$/.test(file));
}

function ends(program: string, words: readonly string[]): Read["lines"] {
  const line = words.join(" ");
  if (/(?:^|\s)(?:-c|--bytes)/.test(line)) return "some";
  const [, sign = "", digits = ""] = /(?:^|\s)(?:-n\s*|--lines[= ]|-|(?=\+))([+-]?)(\d+)(?=\s|$)/.exec(line) ?? [];
  const count = digits === "" ? DEFAULT_COUNT : Number(digits);
  if (program === "tail") return sign === "+" ? { first: Math.max(1, count), last: Number.POSITIVE_INFINITY } : "some";
  return sign === "-" ? "some" : { first: 1, last: count };
}

function batLines(words: readonly string[]): Read["lines"] {
  const found = /(?:^|\s)(?:-r\s*|--line-range[= ])(\d*):(\+?\d*)(?=\s|$)/.exec(words.join(" "));
  if (found === null) return words.some((word) => /^(?:-r|--line-range)/.test(word)) ? "some" : "all";
  const [, from = "", to = ""] = found;
  const first = from === "" ? 1 : Number(from);
  if (to === "") return { first, last: Number.POSITIVE_INFINITY };
  return { first, last: to.startsWith("+") ? first + Number(to) : Number(to) };
}

/** Undefined for `sed -i`, which edits. Without -n all lines are printed, changed or not. */
function sedRead(words: readonly string[]): Read | undefined {
  if (words.some((word) => /^-[A-Za-z]*i|^--in-place/.test(word))) return undefined;
  const isQuiet = words.some((word) => /^-[A-Za-z]*n|^--(?:quiet|silent)$/.test(word));
  const scripts = words.flatMap((word, index) =>
    /^-[A-Za-z]*e$|^--expression$/.test(words[index - 1] ?? "") ? [word] : [],
  );
  const plain = words.filter((word) => word === "-" || !word.startsWith("-")).filter((word) => !scripts.includes(word));
  const files = scripts.length > 0 ? plain : plain.slice(1);
  const script = scripts.length > 0 ? scripts.join(";") : (plain[0] ?? "");
  return toRead(files, isQuiet ? sedLines(script) : (dropped(script) ?? "all"));
}

function sedLines(script: string): Read["lines"] {
  const found = /^\s*(\d+)\s*(?:,\s*(\+?\d+|\$)\s*)?p\s*(?:;\s*\d*q\s*)?$/.exec(script);
  if (found === null) return "some";
  const first = Number(found[1]);
  const to = found[2] ?? String(first);
  return { first, last: to === "$" ? Number.POSITIVE_INFINITY : to.startsWith("+") ? first + Number(to) : Number(to) };
}

/** The lines that `10,20!d` or `40q` leaves; undefined for other scripts. */
function dropped(script: string): Lines | undefined {
  const [, from, to] = /^\s*(\d+)\s*,\s*(\d+)\s*!\s*d\s*$/.exec(script) ?? [];
  if (from !== undefined) return { first: Number(from), last: Number(to) };
  const [, until] = /^\s*(\d+)\s*q\s*$/.exec(script) ?? [];
  return until === undefined ? undefined : { first: 1, last: Number(until) };
}

/** A range by line numbers; undefined for any other script. */
function awkRead(words: readonly string[]): Read | undefined {
  const [script = "", ...files] = filesIn(words, "Fvf");
  const between = /NR\s*(>=?)\s*(\d+)\s*&&\s*NR\s*(<=?)\s*(\d+)/.exec(script);
  if (between !== null) {
    const [, more, from, less, to] = between;
    return toRead(files, { first: Number(from) + (more === ">" ? 1 : 0), last: Number(to) - (less === "<" ? 1 : 0) });
  }
  const [, from, to] = /NR\s*==\s*(\d+)\s*,\s*NR\s*==\s*(\d+)/.exec(script) ?? [];
  return from === undefined ? undefined : toRead(files, { first: Number(from), last: Number(to) });
}
