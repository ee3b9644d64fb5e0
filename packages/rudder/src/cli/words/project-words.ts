// Words of the commands that stand alone: init, status, versions, completion.
import { Argument, type Command } from "commander";
import type { Runner } from "../runner.ts";

export function defineProjectWords(program: Command, { run, print }: Runner): void {
  program
    .command("init")
    .summary("make the haven of this project")
    .description("Makes the haven and .sailing/config.yaml in the project. Running it again changes nothing.")
    .addHelpText("after", "\nExamples:\n  $ rudder init\n  $ RUDDER_HAVEN=/srv/havens/shop rudder init")
    .action(() => run(async (session) => (await import("../commands/init.ts")).init(session)));

  const haven = program
    .command("haven")
    .summary("where the haven's data are")
    .description("Where the haven's data are.");
  haven
    .command("move")
    .summary("into a database that machines share, or back")
    .description(
      "Moves the haven with all its history. It can be run again after a crash, and finishes what was begun.",
    )
    .requiredOption("--to <place>", "postgres (that of JEEVES_DATABASE_URL), postgres://…, or files")
    .addHelpText("after", "\nExamples:\n  $ rudder haven move --to postgres\n  $ rudder haven move --to files")
    .action((options) => run(async (session) => (await import("../commands/haven.ts")).moveHaven(session, options)));

  program
    .command("edit")
    .summary("an artefact in your editor")
    .description("Opens its text in $VISUAL or $EDITOR, and writes it back if no one else has changed it meanwhile.")
    .argument("<id>", "like T042, E001 or PRD-001")
    .option("--force", "although another caller holds the task")
    .addHelpText("after", "\nExamples:\n  $ rudder edit T042\n  $ EDITOR='code --wait' rudder edit E001")
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/edit.ts")).edit(session, { id, ...options })),
    );

  program
    .command("status")
    .summary("the project in one screen")
    .description("Counts, progress of each epic, who holds what, what is ready, what is wrong.")
    .addHelpText("after", "\nExamples:\n  $ rudder status\n  $ rudder status --json")
    .action(() => run(async (session) => (await import("../commands/tasks.ts")).status(session)));

  program
    .command("versions")
    .summary("current versions of the project's components")
    .description("Reads components.yaml (in .sailing/ or the project); without it, package.json.")
    .addHelpText("after", "\nExamples:\n  $ rudder versions\n  $ rudder versions --json")
    .action(() => run(async (session) => (await import("../commands/tasks.ts")).versions(session)));

  program
    .command("completion")
    .summary("a completion script for your shell")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      '\nExamples:\n  $ eval "$(rudder completion bash)"\n  $ rudder completion fish > ~/.config/fish/completions/rudder.fish',
    )
    .action(async (shell: string) => print((await import("../completion.ts")).toCompletion(program, shell)));
}
