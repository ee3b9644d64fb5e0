// Words that were mistyped get the one that was probably meant: commands, options and values of closed lists, in every
// command of a program. commander has suggestions of its own for words of about the same length; they stay.
import type { Command } from "commander";

const MAX_DISTANCE = 3;

/** Makes every error of the program and of the commands below it name the word that was probably meant. */
export function addSuggestions(program: Command): void {
  const error = program.error.bind(program);
  program.error = (message, options) => error(withSuggestion(program, message), options);
  for (const command of program.commands) addSuggestions(command);
}

/** The word that was probably meant: one that begins with what was typed or that it begins with, else the nearest. */
export function suggest(typed: string, words: readonly string[]): string | undefined {
  const bare = (word: string) => word.toLowerCase().replace(/^-+/, "");
  const [wanted, known] = [bare(typed), words.filter((word) => bare(word).length > 1)];
  if (wanted.length > 1) {
    const longer = known.filter((word) => bare(word).startsWith(wanted));
    if (longer.length === 1) return longer[0];
    const part = known.find((word) => wanted.startsWith(bare(word)) || bare(word).split("-").includes(wanted));
    if (part !== undefined) return part;
  }
  const near = known
    .map((word) => ({ word, distance: distanceOf(wanted, bare(word)) }))
    .filter(
      ({ word, distance }) => distance <= Math.min(MAX_DISTANCE, Math.max(bare(word).length, wanted.length) * 0.5),
    );
  return near.sort((a, b) => a.distance - b.distance)[0]?.word;
}

function withSuggestion(command: Command, message: string): string {
  if (message.includes("Did you mean")) return message;
  if (message.startsWith("error: required option")) return mistypedOption(command) ?? message;
  const kind = /^error: (unknown command|unknown option|option .*? argument|command-argument value) '(.*?)'/s.exec(
    message,
  );
  if (kind?.[2] === undefined) return message;
  const choices = /Allowed choices are (.+?)\.$/s.exec(message)?.[1]?.split(", ");
  const words = choices ?? (kind[1] === "unknown option" ? flagsOf(command) : namesOf(command));
  return withMeant(message, suggest(kind[2], words));
}

/** commander looks for a required option first, and would not name the mistyped one that was meant to be it. */
function mistypedOption(command: Command): string | undefined {
  const flags = flagsOf(command);
  const typed = rootOf(command).rawArgs.find((word) => {
    const [flag = ""] = word.split("=");
    return (
      word.startsWith("--") && word !== "--" && !flags.includes(flag) && !flags.includes(flag.replace("--no-", "--"))
    );
  });
  const meant = typed === undefined ? undefined : suggest(typed.split("=")[0] ?? "", flags);
  return meant === undefined ? undefined : withMeant(`error: unknown option '${typed}'`, meant);
}

function withMeant(message: string, meant: string | undefined): string {
  return meant === undefined ? message : `${message}\n(Did you mean ${meant}?)`;
}

/** commander's types leave `rawArgs` out. */
function rootOf(command: Command): { readonly rawArgs: readonly string[] } {
  let root = command;
  while (root.parent !== null) root = root.parent;
  const { rawArgs = [] } = root as Command & { readonly rawArgs?: readonly string[] };
  return { rawArgs };
}

function namesOf(command: Command): string[] {
  return command.commands.flatMap((each) => [each.name(), ...each.aliases()]);
}

function flagsOf(command: Command): string[] {
  const own = command.options.flatMap(({ long }) => long ?? []);
  return [...own, ...(command.parent === null ? [] : flagsOf(command.parent)), "--help"];
}

/** How many letters must be added, taken out, changed or swapped. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, isSwapped ? at(i - 2, j - 2) + 1 : changed));
    }
  }
  return at(a.length, b.length);
}
