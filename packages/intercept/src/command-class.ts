// What a command line is for, judged by its words: a hint for the cut of its output. The output itself decides.
import { posix } from "node:path";
import { type OutputClass, type ShellCommand, splitPipelines } from "@jeeves/cut";
import { type Lines, type Read, readBy, within } from "./file-reads.ts";
import { isTest, RUNS, SCRIPT } from "./runs-and-tests.ts";

/** What a command line is for, and the file that it prints where that is certain. */
export interface CommandClass {
  readonly class: OutputClass;
  /** Of a read: the one file that is printed, with the directory that the line changed to. */
  readonly path?: string;
  /** Of a read by lines: which, 1-based; `last` is Infinity where it goes on to the end. */
  readonly range?: Lines;
}

/** What one pipeline prints. */
interface Printed {
  readonly class: OutputClass;
  readonly read?: Read;
}

const set = (words: string) => new Set(words.split(" "));
const HEREDOC = /<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?\n[ \t]*\2[ \t]*(?=\n|$|\))/g;
/** Programs that print nothing, or a few words that are not what the line is for. */
const ASIDE = set(
  "cd pushd popd export set unset source . true false : mkdir rm mv cp chmod touch sleep alias ulimit echo printf exit " +
    "wait kill pwd which date whoami test [ [[ if then else fi for while do done trap read shopt umask ln tee",
);
const SEARCHES = set("grep egrep fgrep rg ag ack find fd fdfind ls eza exa tree locate");
const GREPS = set("grep egrep fgrep rg ag ack");
const GIT_SEARCHES = set("grep ls-files ls-tree");
const GIT_SHOWS = set(
  "log show diff status blame shortlog reflog whatchanged branch tag remote rev-list ls-remote cat-file",
);
const SHELLS = set("bash sh zsh dash");
/** Programs that show some of the lines that they read, or each of them shortened. */
const FILTERS = set("head tail sed awk gawk sort uniq cut tac less more cat nl bat batcat column tee tr expand fold");
/** How deep commands may be nested, as in `sh -c "…"`. */
const MAX_DEPTH = 3;

/** The class of a command line: of its tests or runs, if there are any, else of the last command that prints. */
export function classOfCommand(command: string): CommandClass {
  return classOf(command, 0);
}

function classOf(command: string, depth: number): CommandClass {
  const line = command.replace(HEREDOC, (_, _quote, _tag, rest) => ` ${rest}`).replace(/\\\n/g, " ");
  const all: Printed[] = [];
  let dir = "";
  for (const pipeline of splitPipelines(line)) {
    const [first, ...filters] = pipeline.map(unwrapped).filter(({ program }) => program !== "");
    if (first === undefined) continue;
    if (first.program === "cd") dir = posix.join(dir, first.words[0] ?? "~");
    if (!ASIDE.has(first.program)) all.push(filters.reduce(filtered, printedBy(first, depth)));
  }
  const main = all.find((one) => one.class === "test") ?? all.find((one) => one.class === "run") ?? all.at(-1);
  if (main === undefined) return { class: "other" };
  // Where several commands print, it is not known which lines are the file's.
  return all.length > 1 || main.read === undefined
    ? { class: main.class }
    : { class: main.class, ...named(main.read, dir) };
}

function named({ path, lines }: Read, dir: string): Pick<CommandClass, "path" | "range"> {
  const isKnown = path !== undefined && !/[$`*?~]/.test(path) && !dir.includes("~") && !dir.includes("$");
  const range = typeof lines === "object" ? { range: lines } : {};
  return isKnown ? { path: path.startsWith("/") ? path : posix.join(dir, path), ...range } : range;
}

/** The command without brackets and without wrappers such as `npx` or `timeout`. */
function unwrapped({ program, words }: ShellCommand): ShellCommand {
  const bare = program.replace(/^[({!]+/, "");
  const unclosed = words.map((word) => word.replace(/^([^(]*)\)$/, "$1")).filter((word) => word !== "");
  const [first = "", second = ""] = unclosed;
  const rest = (from: number) => toCommand(unclosed.slice(from));
  if (bare === "") return rest(0);
  if (/^(?:npx|bunx|uvx|pnpx|nohup|nice|stdbuf|doas|then|do|else|if|while|xvfb-run)$/.test(bare)) return rest(0);
  if (/^(?:uv|poetry|pipenv|pdm|hatch|rye|pixi|conda)$/.test(bare) && first === "run") return rest(1);
  if (/^(?:npm|pnpm|yarn|bun|bundle|mise|rbenv|asdf)$/.test(bare) && /^(?:exec|x|dlx)$/.test(first)) return rest(1);
  if (/^(?:python[\d.]*|pypy3?)$/.test(bare) && first === "-m") return rest(1);
  if (bare === "timeout" || (bare === "env" && first.startsWith("-"))) return rest(0);
  if (/^(?:docker|podman|docker-compose|kubectl)$/.test(bare)) {
    const at = first === "exec" ? 1 : first === "compose" && second === "exec" ? 2 : 0;
    if (at > 0) return inContainer(unclosed.slice(at));
  }
  return { program: bare, words: unclosed };
}

function toCommand(words: readonly string[]): ShellCommand {
  const at = words.findIndex((word) => !/^(?:-|[A-Za-z_]\w*=|\d+(?:\.\d+)?[smhd]?$)/.test(word));
  if (at < 0) return { program: "", words: [] };
  return unwrapped({ program: (words[at] ?? "").replace(/^.*\//, ""), words: words.slice(at + 1) });
}

/** The words behind `exec`: options, the container, the command. */
function inContainer(words: readonly string[]): ShellCommand {
  let at = 0;
  while (words[at]?.startsWith("-") === true)
    at += /^-(?:[euwnc]|-(?:env|user|workdir|index|container))$/.test(words[at] ?? "") ? 2 : 1;
  return toCommand(words.slice(at + 1).filter((word, index) => index > 0 || word !== "--"));
}

function printedBy({ program, words }: ShellCommand, depth: number): Printed {
  if (SHELLS.has(program)) return ofShell(words, depth);
  if (program === "git") return ofGit(words);
  if (program === "diff") return { class: "git" };
  if (program === "xargs") return ofXargs(words, depth);
  if (program === "find" && words.includes("-exec")) return ofXargs(words.slice(words.indexOf("-exec") + 1), depth);
  if (SEARCHES.has(program)) return { class: "search" };
  const read = readBy(program, words);
  if (read !== undefined) return { class: read.lines === "all" ? "read" : "read-range", read };
  if (isTest(program, words)) return { class: "test" };
  return { class: RUNS.test([program, ...words.slice(0, 2)].join(" ")) || SCRIPT.test(program) ? "run" : "other" };
}

function ofShell(words: readonly string[], depth: number): Printed {
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  const script = words[at + 1];
  if (at >= 0 && script !== undefined && depth < MAX_DEPTH) {
    const { class: found, path, range } = classOf(script, depth + 1);
    const lines = range ?? (found === "read" ? "all" : "some");
    return path === undefined ? { class: found } : { class: found, read: { path, lines } };
  }
  const file = words.find((word) => !word.startsWith("-"));
  if (file === undefined) return { class: "other" };
  return { class: isTest(file.replace(/^.*\//, ""), []) ? "test" : "run" };
}

function ofGit(words: readonly string[]): Printed {
  let at = 0;
  while (words[at]?.startsWith("-") === true) at += words[at] === "-C" || words[at] === "-c" ? 2 : 1;
  const verb = words[at] ?? "";
  if (GIT_SEARCHES.has(verb)) return { class: "search" };
  const shown = words.slice(at + 1).find((word) => /^[\w~^./@{}-]+:[^:\s]+\.\w+$/.test(word));
  if (verb === "show" && shown !== undefined)
    return { class: "read", read: { path: shown.slice(shown.indexOf(":") + 1), lines: "all" } };
  const isStashShown = verb === "stash" && /^(?:list|show)$/.test(words[at + 1] ?? "");
  return { class: GIT_SHOWS.has(verb) || isStashShown ? "git" : "other" };
}

/** The class of a command that is run on many files; for a read it is not known which. */
function ofXargs(words: readonly string[], depth: number): Printed {
  const at = words.findIndex((word) => !/^(?:-|\d+$|\{\}$)/.test(word));
  if (at < 0 || depth >= MAX_DEPTH) return { class: "other" };
  const files = [...words.slice(at + 1), "{}"];
  const { class: found } = printedBy({ program: (words[at] ?? "").replace(/^.*\//, ""), words: files }, depth + 1);
  return { class: found };
}

function filtered(printed: Printed, filter: ShellCommand): Printed {
  const { program, words } = filter;
  const isRead = printed.class === "read" || printed.class === "read-range";
  if (program === "wc" || program === "md5sum" || program === "sha256sum") return { class: "other" };
  if (program === "xargs") return ofXargs(words, 0);
  if (GREPS.has(program)) return isRead ? { class: "search" } : printed;
  const narrowed = isRead ? readBy(program, [...words, "-"]) : undefined;
  if (isRead && narrowed !== undefined) {
    const { path, lines } = printed.read ?? { path: undefined, lines: "some" as const };
    const left = within(lines, narrowed.lines);
    return { class: left === "all" ? "read" : "read-range", read: { path, lines: left } };
  }
  if (isRead) return /^(?:cut|tr|expand|fold|tee|column)$/.test(program) ? printed : { class: "other" };
  if (FILTERS.has(program)) return printed;
  return printedBy(filter, 0);
}
