// Words of deps: add, remove, show, tree, ready, critical, validate.
import type { Command } from "commander";
import type { Runner } from "../runner.ts";
import { collectList, parseCount } from "./option-values.ts";

export function defineDepsWords(group: Command, { run }: Runner): void {
  for (const name of ["add", "remove"] as const) {
    group
      .command(name)
      .summary(name === "add" ? "let one wait for others; a cycle is refused" : "let one wait no longer")
      .argument("<id>", "a task or an epic")
      .requiredOption("--blocked-by <ids>", "what it waits for; may be repeated", collectList)
      .option("--force", "although another caller holds the task")
      .addHelpText("after", `\nExamples:\n  $ rudder deps ${name} T042 --blocked-by T040,T041`)
      .action((id: string, options) =>
        run(async (session) =>
          (await import("../commands/deps.ts")).editDeps(session, {
            name,
            id,
            ids: options.blockedBy,
            force: options.force,
          }),
        ),
      );
  }
  group
    .command("show")
    .summary("what it waits for, and what waits for it")
    .argument("<id>", "a task or an epic")
    .addHelpText("after", "\nExamples:\n  $ rudder deps show T042")
    .action((id: string) => run(async (session) => (await import("../commands/deps.ts")).showDeps(session, id)));
  group
    .command("tree")
    .summary("the same, all the way down")
    .argument("[id]", "a task or an epic; without it, everything that nothing open waits for")
    .option("--dependents", "what waits for it, instead of what it waits for")
    .option("--depth <n>", "at most so many levels", parseCount)
    .addHelpText("after", "\nExamples:\n  $ rudder deps tree T042\n  $ rudder deps tree T001 --dependents --depth 3")
    .action((id: string | undefined, options) =>
      run(async (session) => (await import("../commands/deps.ts")).tree(session, { ...options, id })),
    );
  group
    .command("ready")
    .summary("tasks that can be taken now, the most useful first")
    .option("--limit <n>", "at most so many", parseCount)
    .addHelpText("after", "\nExamples:\n  $ rudder deps ready --limit 5")
    .action((options) => run(async (session) => (await import("../commands/deps.ts")).ready(session, options)));
  group
    .command("critical")
    .summary("the longest chains of open tasks")
    .option("--limit <n>", "so many chains", parseCount)
    .addHelpText("after", "\nExamples:\n  $ rudder deps critical --limit 3")
    .action((options) => run(async (session) => (await import("../commands/deps.ts")).critical(session, options)));
  group
    .command("validate")
    .summary("everything that is wrong with ids, parents, statuses and dependencies")
    .option("--fix", "remove blockers that are missing, cancelled or the task itself")
    .addHelpText("after", "\nExamples:\n  $ rudder deps validate\n  $ rudder deps validate --fix")
    .action((options) => run(async (session) => (await import("../commands/deps.ts")).validateHaven(session, options)));
}
