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

  program
    .command("status")
    .summary("the project in one screen")
    .description("Counts, progress of each epic, who holds what, what is ready, what is wrong.")
    .addHelpText("after", "\nExamples:\n  $ rudder status\n  $ rudder status --json")
    .action(() => run(async (session) => (await import("../commands/status.ts")).status(session)));

  program
    .command("versions")
    .summary("current versions of the project's components")
    .description("Reads components.yaml (in .sailing/ or the project); without it, package.json.")
    .addHelpText("after", "\nExamples:\n  $ rudder versions\n  $ rudder versions --json")
    .action(() => run(async (session) => (await import("../commands/versions.ts")).versions(session)));

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
