// Shell commands that search or list files, and what their options tell about the lines that they print. A pipeline
// searches if its first command does, or if that prints a file and a later one searches it. What follows may sort,
// shorten or filter the lines; after anything else they are text without a known form. All of this is only a hint: the look
// of the lines decides (find-search.ts).
import { isFilter, listsFiles, optionsOf, type ParsedOptions } from "./command-options.ts";
import { type ShellCommand, splitPipelines } from "./shell-words.ts";

/** The form of the lines that a search command prints. */
export interface SearchCommand {
  /** `files` for `-l`, `-c` and their like; `text` where the form of the lines is not known. */
  readonly prints: "matches" | "files" | "paths" | "text";
  /** Of `files`: the lines are paths and counts, and nothing else; `ls` and `find` may print more. */
  readonly isBare?: boolean;
  /** Whether matches begin with a path; `guess` where that depends on what `targets` are. */
  readonly paths?: boolean | "guess";
  /** Whether matches have line numbers; undefined where both have to be guessed. */
  readonly numbers?: boolean | "tab" | "aligned";
  /** Numbers between a line's own and its text: a column, a byte offset. */
  readonly extras?: number;
  /** Whether one line may be printed several times with different texts. */
  readonly repeats?: boolean;
  /** The records of `rg --json`. */
  readonly isJson?: boolean;
  /** The searched files and directories, as written. */
  readonly targets?: readonly string[];
  /** The one file that was searched, where matches do not name it. */
  readonly onlyPath?: string | undefined;
  /** Commands that do not search print as well. */
  readonly isAmong?: boolean;
  /** Of several commands, the first one prints matches that do not name their places. */
  readonly isUnnamed?: boolean;
}

const TEXT: SearchCommand = { prints: "text" };
const FILES: SearchCommand = { prints: "files" };
const BARE_FILES: SearchCommand = { prints: "files", isBare: true };
/** Options that print parts of a line, each on its own line. */
const REPEATS = ["-o", "--only-matching"];
const RIPGREP_REPEATS = [...REPEATS, "-r", "--replace", "-U", "--multiline"];
/** Programs that print nothing, or nothing that could be taken for a match. */
const SILENT = /^(?:cd|export|set|true|:|pushd|source|\.)$/;
const GLOB = /[*?[{]/;
const REVISION = /^(?:HEAD|main|master|origin\/.+|[0-9a-f]{7,40}|v?\d+(?:\.\d+)+)(?:[~^@].*)?$/;
const UNKNOWN_WORD = /^~|[$`]/;

/** What a shell command prints; undefined where it neither searches nor lists files. */
export function parseSearchCommand(command: string): SearchCommand | undefined {
  const [first, ...others] = loudPipelines(command).map(printedByAll);
  if (others.length === 0) return first?.kind === "file" ? undefined : first?.search;
  const all = [first, ...others];
  // Several commands print one after the other; only lines that name their files can be distinguished.
  if (!all.some((printed) => printed?.kind === "search"))
    return all.every((printed) => printed?.kind === "list") ? FILES : undefined;
  if (first?.kind === "search" && first.search.prints !== "matches") return TEXT;
  if (all.every((printed) => printed?.kind === "search")) return { prints: "matches" };
  const isUnnamed = first?.kind === "search" && (first.search.paths === false || first.search.numbers === false);
  return { prints: "matches", isAmong: true, ...(isUnnamed ? { isUnnamed } : {}) };
}

/** The one file that a command prints, or prints some lines of; undefined for any other command. */
export function printedFile(command: string): string | undefined {
  const [first, ...others] = loudPipelines(command).map(printedByAll);
  return others.length === 0 && first?.kind === "file" ? first.search.onlyPath : undefined;
}

function loudPipelines(command: string): (readonly ShellCommand[])[] {
  return splitPipelines(command).filter(([first]) => first !== undefined && !SILENT.test(first.program));
}

interface Printed {
  /** What `cat` or `nl` prints, what `find` or `ls` does, or what a search does. */
  readonly kind: "file" | "list" | "search";
  readonly search: SearchCommand;
}

function printedByAll([source, ...filters]: readonly ShellCommand[]): Printed | undefined {
  let printed = source && printedBy(source);
  for (const filter of filters) {
    if (printed === undefined) return undefined;
    printed = filtered(printed, filter);
  }
  return printed;
}

function printedBy(command: ShellCommand): Printed | undefined {
  if (command.program === "cat" || command.program === "nl") {
    const files = command.words.filter((word) => !word.startsWith("-"));
    const [onlyPath] = files.length === 1 && !GLOB.test(files[0] ?? "") ? files : [];
    const isNumbered = command.program === "nl" || command.words.some((word) => /^-[A-Za-z]*n|^--number/.test(word));
    const numbers = isNumbered && onlyPath !== undefined ? "tab" : false;
    return { kind: "file", search: { prints: "matches", paths: false, numbers, onlyPath } };
  }
  if (listsFiles(command)) return { kind: "list", search: command.program === "git" ? BARE_FILES : FILES };
  const options = optionsOf(command);
  return options && { kind: "search", search: formOf(options, { isFirst: true }) };
}

function filtered({ kind, search }: Printed, command: ShellCommand): Printed | undefined {
  const options = optionsOf(command);
  if (options === undefined) {
    if (isFilter(command)) return { kind, search };
    return kind === "search" ? { kind, search: TEXT } : undefined;
  }
  const own = formOf(options, { isFirst: false });
  const adds = options.has("-o", "--only-matching", "-b", "--byte-offset", "--column");
  const isPlain = own.prints === "matches" && own.numbers === false && !adds;
  if (isPlain && !options.hasContext) return { kind: kind === "list" ? kind : "search", search };
  // Numbers of a file's lines; of a list of matches they would be the list's own.
  const isNumbered = own.numbers === true || own.numbers === "aligned";
  const isOfFile = kind === "file" && search.numbers === false && own.prints === "matches" && isNumbered;
  return { kind: "search", search: isOfFile ? { ...own, onlyPath: search.onlyPath } : TEXT };
}

function formOf(options: ParsedOptions, { isFirst }: { readonly isFirst: boolean }): SearchCommand {
  const { program, targets, has } = options;
  if (options.listsFiles) return BARE_FILES;
  if (options.isOdd) return TEXT;
  if (has("--json")) return { prints: "matches", isJson: true };
  if (
    program === "ag" ||
    program === "ack" ||
    has("--heading", "--pretty") ||
    (program === "rg" && has("-p")) ||
    targets.some(isUnknown)
  )
    return { prints: "matches" };
  const isRipgrep = program === "rg";
  const found = { prints: "matches", ...numbersOf(options) } as const;
  const { numbers } = found;
  if (has("--vimgrep", "-H", "--with-filename")) return { ...found, paths: true };
  const isRecursive = isRipgrep || has("-r", "-R", "--recursive", "--dereference-recursive");
  if (has("-h", "--no-filename") || (isRipgrep && has("-I"))) {
    const onlyPath = !isRecursive && targets.length === 1 && !GLOB.test(targets[0] ?? "") ? targets[0] : undefined;
    // Without their files, numbers do not name lines.
    return { ...found, paths: false, numbers: onlyPath !== undefined && numbers, onlyPath };
  }
  // `revision:path:text`: nothing tells where the path ends.
  if (program === "git" && numbers === false && targets.some((target) => REVISION.test(target))) return TEXT;
  if (program === "git") return { ...found, paths: true };
  if (targets.length === 0) return { ...found, paths: isFirst && isRecursive };
  if (targets.length > 1) return { ...found, paths: true };
  const [target = ""] = targets;
  if (!isRecursive && !GLOB.test(target)) return { ...found, paths: false, onlyPath: target };
  return { ...found, paths: "guess", targets, onlyPath: GLOB.test(target) ? undefined : target };
}

function numbersOf({ program, has }: ParsedOptions) {
  const hasColumn = has("--column", "--vimgrep");
  const impliesNumbers = has("--vimgrep") || (program === "rg" && hasColumn && !has("-N", "--no-line-number"));
  const hasNumbers = has("-n", "--line-number") || impliesNumbers;
  const isAligned = program === "grep" && has("-T", "--initial-tab");
  const numbers = hasNumbers && isAligned ? ("aligned" as const) : hasNumbers;
  const extras = hasNumbers ? Number(hasColumn) + Number(has("-b", "--byte-offset")) : 0;
  return {
    numbers,
    ...(extras === 0 ? {} : { extras }),
    ...(has(...(program === "rg" ? RIPGREP_REPEATS : REPEATS)) ? { repeats: true } : {}),
  };
}

function isUnknown(target: string): boolean {
  return UNKNOWN_WORD.test(target);
}
