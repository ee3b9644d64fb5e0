// What a command line means, without doing it: the command, its arguments and options, read by the very program that
// would run it. Decisions about a command are made on this, never on a guess.
import { CommanderError } from "commander";
import type { Words } from "../command-line.ts";
import { createProgram } from "./program.ts";
import { splitGroup } from "./run.ts";

class Reached extends Error {}

/** undefined: no command is reached (help, or words that are wrong); running it would only print text. */
export async function readWords(argv: readonly string[]): Promise<Words | undefined> {
  let words: Words | undefined;
  const program = createProgram({ print: () => {}, run: async () => {} });
  program.hook("preAction", (_program, command) => {
    const path: string[] = [];
    for (let at = command; at !== program && at.parent !== null; at = at.parent) path.unshift(at.name());
    const { root, json } = program.opts();
    words = { path, args: command.args, options: command.opts(), root, isJson: json === true };
    throw new Reached(); // before anything is done
  });
  try {
    await program.parseAsync(splitGroup(argv), { from: "user" });
  } catch (error) {
    if (!(error instanceof Reached) && !(error instanceof CommanderError)) throw error;
  }
  return words;
}
