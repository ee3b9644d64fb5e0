// Words that were mistyped get the one that was probably meant: commands, options and values of closed lists, in every
// command of a program. commander has suggestions of its own for words of about the same length; they stay.
import { suggest } from "@jeeves/base";
import type { Command } from "commander";

/** Makes every error of the program and of the commands below it name the word that was probably meant. */
export function addSuggestions(program: Command): void {
  const error = program.error.bind(program);
  program.error = (message, options) => error(withSuggestion(program, message), options);
  for (const command of program.commands) addSuggestions(command);
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
