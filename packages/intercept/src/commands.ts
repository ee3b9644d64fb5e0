// Which commands' output is held back by jeeves-exec: all but those whose output must be shown as it is printed, and those
// that never print much. The launcher (packages/cli/bin/jeeves-exec) has the same rules in sh; a test compares the two.
// Both parse a command only roughly: at worst it runs without us, or is held back until the limits apply.
import { isStreaming, type SimpleCommand } from "./streaming-commands.ts";

const PREFIXES =
  /^(?:cd\s+[^\s;&|]+\s*&&\s*|[A-Za-z_][A-Za-z0-9_]*=[^\s;&|'"]*\s+|time\s+|command\s+|timeout\s+\d\S*\s+)/;

/** The output of a longer line is held back without parsing it. */
const MAX_CHARS = 16_384;
/** A background job keeps the descriptors that it has inherited. */
const BACKGROUND = /[^&><|]&[^&>]/;
const SEPARATOR = /(\|\||\|&|&&|[;|()`\n])/;
const ASSIGNMENT = /^[A-Za-z_][\s\S]*=/;

const set = (words: string) => new Set(words.split(" "));
/** Wrappers before a program, with their own options. */
const WRAPPERS = set(
  "! { } if then elif else while until do time command exec env nohup nice sudo doas stdbuf npx bunx uvx pnpx",
);
const WRAPPER_PAIRS = new Set(
  (
    "npm exec,pnpm exec,pnpm dlx,yarn exec,yarn dlx,bun x,uv run,poetry run,pipenv run,pdm run,hatch run,rye run," +
    "pixi run,bundle exec,mise exec,mise x,python -m,python2 -m,python3 -m"
  ).split(","),
);
const CHEAP = set(
  "# [ [[ : cd pushd popd mkdir rmdir rm cp mv ln touch chmod chown chgrp true false sleep kill pkill killall wait exit " +
    "return echo printf pwd which type hash test basename dirname realpath readlink mktemp date whoami hostname id uname " +
    "nproc unset umask ulimit trap shift shopt read let local for case esac select done fi in function break continue",
);
/** Commands that list everything without arguments. */
const CHEAP_WITH_WORDS = set("export set alias declare");

/** Whether a command's output is held back until it is known what to show of it. */
export function isHeld(command: string): boolean {
  const [seen = "", ...unseen] = command.split("<<");
  const line = unseen.length === 0 ? seen : `${seen} <`;
  if (line.length > MAX_CHARS) return true;
  const bare = line.replace(/'[^']*(?:'|$)|"[^"]*(?:"|$)/g, "_");
  if (BACKGROUND.test(` ${bare} `)) return false;
  const commands = splitCommands(bare);
  if (commands.some(isStreaming)) return false;
  return unseen.length > 0 || /\$\(|`/.test(command) || !commands.every(isCheap);
}

/** The command itself, without its directory, its wrappers and its variables. */
export function withoutPrefixes(command: string): string {
  let rest = command.trimStart();
  for (let found = PREFIXES.exec(rest); found !== null; found = PREFIXES.exec(rest)) rest = rest.slice(found[0].length);
  return rest;
}

function splitCommands(line: string): SimpleCommand[] {
  const parts = line.split(SEPARATOR);
  return parts.flatMap((part, index) => {
    if (index % 2 === 1) return [];
    const [name, ...words] = unwrapped(part.split(/[ \t\n]+/).filter((word) => word !== ""));
    if (name === undefined) return [];
    const before = parts[index - 1];
    return [{ program: name.replace(/^.*\//, ""), words, isPiped: before === "|" || before === "|&" }];
  });
}

function unwrapped(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  if (first === undefined) return [];
  if (WRAPPERS.has(first)) return unwrapped(withoutOptions(words.slice(1)));
  if (first === "timeout") return unwrapped(withoutOptions(words.slice(1)).slice(1));
  if (ASSIGNMENT.test(first)) return unwrapped(words.slice(1));
  if (WRAPPER_PAIRS.has(`${first} ${second}`)) return unwrapped(withoutOptions(words.slice(2)));
  return words;
}

function withoutOptions(words: readonly string[]): readonly string[] {
  const from = words.findIndex((word) => !word.startsWith("-"));
  return from < 0 ? [] : words.slice(from);
}

function isCheap({ program, words }: SimpleCommand): boolean {
  return CHEAP.has(program) || (CHEAP_WITH_WORDS.has(program) && words.length > 0);
}
