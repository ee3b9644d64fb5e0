// The command `jeeves look`, with its options and its help.
import { type Command, Option } from "commander";
import { parseSince } from "../terminal/option-values.ts";

/** Adds the command below the heading `group`. */
export function defineLookWords(program: Command, group: string): void {
  program
    .command("look")
    .helpGroup(group)
    .summary("what your last week with Claude Code and Codex was like, and what would have been saved")
    .description(
      "Reads the transcripts that Claude Code and Codex keep on this machine, and only reads them; nothing leaves the machine. " +
        "Shows the bill by part, failures that the client had cut before the model saw them, files read twice, and what each " +
        "policy (careful, balanced, keen) would have saved and lost in the newest sessions (12 MB of transcripts), replayed result by result.",
    )
    .option("--since <when>", "7d, 12h, 2w, 2026-11-01 or all (default 7d)", parseSince)
    .option("--all", "replay every session of the time, however long that takes")
    .option("--json", "one JSON object")
    .option("--markdown <file>", "write the figures as Markdown")
    .option("--html <file>", "write one session as a page, bare and with Jeeves side by side, secrets redacted")
    .addOption(new Option("--session <id>", "which one; the beginning of its id (default: the newest with a cut)"))
    .addHelpText(
      "after",
      "\nThe unit of the bill is one plain input token: a token read from the cache\ncounts 0.1, one of output 5 to 8.\n" +
        "A replay charges a cut when a line that it dropped was used later: one more turn\nat that moment's context.",
    )
    .action(async (options, command: Command) => {
      if (options.session !== undefined && options.html === undefined)
        command.error("error: --session names the session that --html writes: add --html FILE");
      await (await import("../look/run-look.ts")).lookCommand(options);
    });
}
