// The commands that people use at a terminal: prune, recover, research.
import { type Command, Option } from "commander";
import { collect, parseChars, parseFocus, parseRange, parseShare } from "../terminal/option-values.ts";

const GROUP = "Read less, from the terminal:";

/** Adds the commands to `program`. Each imports its code when it is run. */
export function defineReadWords(program: Command): void {
  program
    .command("prune")
    .helpGroup(GROUP)
    .summary("print the lines of a text that answer a question")
    .description(
      "Prints the lines of FILE (- is stdin) that answer the question; ⟦… 35 lines 120-154⟧ stands for lines left out, " +
        "⟦… 41,200 chars 1025-42224⟧ for a part of a long line.",
    )
    .argument("<file>", "a text file, or - for stdin")
    .requiredOption("-f, --focus <question>", "what you want to know", parseFocus)
    .option(
      "-k, --keep <share>",
      "keep at least this share of the text (0 to 1); without it the evidence decides",
      parseShare,
    )
    .addOption(
      new Option("-t, --type <type>", "what the text is; guessed without it").choices(["code", "logs", "docs"]),
    )
    .option("-n, --line-numbers", "number the kept lines")
    .option("--json", "one JSON object: the text, the blocks left out, sizes, why each line was kept")
    .addHelpText(
      "after",
      `
Examples:
  $ jeeves prune src/server.ts --focus "where is the port chosen?"
  $ npm test 2>&1 | jeeves prune - --type logs --focus "why does login fail?"
  $ jeeves recover prn_abcdefghijkl --lines 120-154`,
    )
    .action(async (file: string, options) => (await import("../commands/prune.ts")).pruneCommand(file, options));

  program
    .command("recover")
    .helpGroup(GROUP)
    .summary("print text that a cut left out, byte for byte")
    .description("Prints the stored text of a cut byte for byte, or only the lines or characters asked for.")
    .argument("<id>", "the prune id, prn_…")
    .option("-l, --lines <a-b>", "only these lines; may be given more than once", parseRange)
    .option(
      "-c, --chars <a-b>",
      "only these characters, as ⟦… 9 chars 4-12⟧ names them; may be given more than once",
      parseChars,
    )
    .option("-n, --line-numbers", "number the lines")
    .action(async (id: string, options) => (await import("../commands/recover.ts")).recoverCommand(id, options));

  program
    .command("research")
    .helpGroup(GROUP)
    .summary("answer a question about a code base, with references")
    .description("Searches the code base and prints the answer: what answers the question, where, and what calls what.")
    .argument("<question>", "a full question, with names if you know them", parseFocus)
    .option(
      "-r, --root <dir>",
      "what to search; may be given more than once; the current directory without it",
      collect,
    )
    .option("-c, --config <file>", "a configuration file of mcp-research")
    .option("--json", "the whole report as one JSON object")
    .addHelpText("after", '\nExample:\n  $ jeeves research "How is the session cookie signed?" --root ../api')
    .action(async (question: string, options) =>
      (await import("../commands/research.ts")).researchCommand(question, options),
    );
}
