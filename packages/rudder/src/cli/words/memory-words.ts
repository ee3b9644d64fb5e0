// Words of context, memory and artifact.
import { type Command, Option } from "commander";
import type { Runner } from "../runner.ts";
import { parseBudget, parseTitle } from "./option-values.ts";

export function defineMemoryWords({ run }: Runner, group: (name: string, about: string) => Command): void {
  group("context", "everything that an agent needs, in one text")
    .command("load")
    .summary("for a task, or for an operation")
    .argument("<what>", "a task id like T042, or an operation like task-start")
    .addOption(new Option("--role <role>", "who reads it").choices(["agent", "skill", "coordinator"]).default("agent"))
    .option("--budget <tokens>", "how long it may be (default 6000)", parseBudget)
    .addHelpText("after", "\nExamples:\n  $ rudder context load T042\n  $ rudder context:load task-start")
    .action((what: string, options) =>
      run(async (session) => (await import("../commands/tasks.ts")).loadContext(session, { what, ...options })),
    );

  const memory = group("memory", "what was learned");
  memory
    .command("show")
    .summary("of a task, an epic, a PRD, or the project")
    .argument("[id]", "T042, E001, PRD-001 or project", "project")
    .addHelpText("after", "\nExamples:\n  $ rudder memory show E001\n  $ rudder memory show")
    .action((id: string) => run(async (session) => (await import("../commands/tasks.ts")).showMemory(session, id)));
  memory
    .command("add")
    .summary("one more point in a memory")
    .argument("<id>", "E001, PRD-001 or project (a task means its epic)")
    .argument("<text>", "what to remember; - reads it from stdin")
    .option("--section <name>", "where; the first section without it")
    .option("--force", "although another caller holds the task")
    .addHelpText(
      "after",
      '\nExamples:\n  $ rudder memory add E001 "Dates are UTC everywhere"\n  $ rudder memory add project "We use npm" --section "Patterns & Conventions"',
    )
    .action((id: string, text: string, options) =>
      run(async (session) => (await import("../commands/tasks.ts")).addMemory(session, { id, text, ...options })),
    );
  memory
    .command("sync")
    .summary("move task logs into their epics' logs")
    .argument("[id]", "only this task, or this epic")
    .addHelpText("after", "\nExamples:\n  $ rudder memory sync\n  $ rudder memory:sync E001")
    .action((id: string | undefined) =>
      run(async (session) => (await import("../commands/tasks.ts")).syncMemory(session, id)),
    );

  const artifact = group("artifact", "the text of an artefact");
  artifact
    .command("show")
    .summary("the file, or one section")
    .argument("<id>", "any id")
    .option("--section <title>", "only this section")
    .addHelpText("after", "\nExamples:\n  $ rudder artifact show T042 --section Notes")
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/tasks.ts")).showArtifact(session, { id, ...options })),
    );
  artifact
    .command("edit")
    .summary("change one section; a missing one is made")
    .argument("<id>", "any id")
    .requiredOption("--section <title>", "which section", parseTitle)
    .option("--append <text>", "add at its end; - reads it from stdin")
    .option("--prepend <text>", "add at its beginning; - reads it from stdin")
    .option("--replace <text>", "put in place of what is there; - reads it from stdin")
    .option("--force", "although another caller holds the task")
    .addHelpText("after", '\nExamples:\n  $ rudder artifact edit T042 --section Notes --append "Added new note"')
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/tasks.ts")).editArtifact(session, { id, ...options })),
    );
  for (const name of ["check", "uncheck"] as const) {
    artifact
      .command(name)
      .summary(`${name} a box (- [ ] …)`)
      .argument("<id>", "any id")
      .argument("<item>", "its text, or a part that no other box has")
      .option("--force", "although another caller holds the task")
      .addHelpText("after", `\nExamples:\n  $ rudder artifact ${name} T042 "unit tests"`)
      .action((id: string, item: string, options) =>
        run(async (session) =>
          (await import("../commands/tasks.ts")).checkBox(session, {
            id,
            item,
            isChecked: name === "check",
            force: options.force,
          }),
        ),
      );
  }
}
