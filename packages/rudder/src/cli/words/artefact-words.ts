// Words of prd, epic and task: create, list, show, update; and what only tasks have.
import { type Command, Option } from "commander";
import { LEVELS } from "../../memory/log-line.ts";
import { readTexts } from "../read-text.ts";
import type { Runner } from "../runner.ts";
import { toCreateRequest } from "./create-request.ts";
import {
  collect,
  collectList,
  collectTargets,
  parseCount,
  parseEffort,
  parsePriority,
  parseWords,
} from "./option-values.ts";

type Kind = "prd" | "epic" | "task";
const PARENT = { prd: "", epic: "PRD-001", task: "E001" } as const;
const ID = { prd: "PRD-001", epic: "E001", task: "T042" } as const;

export function defineArtefactWords(group: Command, kind: Kind, runner: Runner): void {
  defineCreate(group, kind, runner);
  const { run } = runner;
  const list = group
    .command("list")
    .summary(`every ${kind}`)
    .option("--status <status>", "only with this status (todo, wip, stuck, done …)")
    .option("--tag <tag>", "only with this tag")
    .option("--limit <n>", "at most so many", parseCount);
  if (kind !== "prd") list.option("--prd <id>", "only of this PRD");
  if (kind === "task")
    list.option("--epic <id>", "only of this epic").option("--assignee <name>", "only of this agent");
  list
    .addHelpText("after", `\nExamples:\n  $ rudder ${kind} list\n  $ rudder ${kind} list --status wip --json`)
    .action((options) => run(async (session) => (await import("../commands/tasks.ts")).list(session, kind, options)));

  group
    .command("show")
    .summary("fields and text of one")
    .argument("<id>", `like ${ID[kind]}`)
    .addHelpText("after", `\nExamples:\n  $ rudder ${kind} show ${ID[kind]}`)
    .action((id: string) => run(async (session) => (await import("../commands/tasks.ts")).show(session, kind, id)));

  const update = group
    .command("update")
    .summary("change fields; everything else in the file stays as it is")
    .argument("<id>", `like ${ID[kind]}`)
    .option("--title <words>", "a new title", parseWords)
    .option("--status <status>", "todo, wip, stuck, done …")
    .option("--tag <tag>", "add a tag; may be repeated", collectList)
    .option("--untag <tag>", "remove a tag; may be repeated", collectList);
  if (kind === "epic") update.option("--milestone <id>", "the milestone that it belongs to", parseWords);
  if (kind !== "prd")
    update.option("--target <component=version>", "a target version; may be repeated", collectTargets);
  if (kind === "task") {
    update
      .option("--assignee <name>", "whose it is; no lease is taken", parseWords)
      .option("--effort <size>", "S, M, L or XL", parseEffort)
      .option("--priority <level>", "low, normal, high or critical", parsePriority)
      .option("--force", "although another caller holds it, or it waits for others");
  }
  if (kind === "epic") update.option("--force", "set it to Done although it has open tasks");
  if (kind === "prd") update.option("--force", "set it to Done although it has open epics");
  update
    .addHelpText(
      "after",
      `\nExamples:\n  $ rudder ${kind} update ${ID[kind]} --status done\n  $ rudder ${kind} update ${ID[kind]} --tag api --title "New title"`,
    )
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/tasks.ts")).update(session, { kind, id, options })),
    );
  group
    .command("remove")
    .summary(kind === "task" ? "delete it; its id is never used again" : "delete it, if it is empty")
    .argument("<id>", `like ${ID[kind]}`)
    .option("--force", "although it is held, or others wait for it; for people")
    .addHelpText("after", `\nExamples:\n  $ rudder ${kind} remove ${ID[kind]}`)
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/lead.ts")).remove(session, { kind, id, force: options.force })),
    );
  if (kind === "task") defineTaskWords(group, runner);
}

function defineCreate(group: Command, kind: Kind, { run }: Runner): void {
  const create = group.command("create").summary(`a new ${kind}`);
  if (kind !== "prd") create.argument("<parent>", `like ${PARENT[kind]}`);
  create
    .argument("<title>", "what it is called", parseWords)
    .option("--tag <tag>", "a tag; may be repeated", collectList)
    .option("--description <text>", "its first paragraph; - reads it from stdin");
  if (kind !== "prd") {
    create
      .option("--blocked-by <ids>", "what it waits for; may be repeated", collectList)
      .option("--target <component=version>", "a target version; may be repeated", collectTargets);
  }
  if (kind === "epic") create.option("--milestone <id>", "the milestone that it belongs to", parseWords);
  if (kind === "task") {
    create
      .option("--effort <size>", "S, M, L or XL", parseEffort)
      .option("--priority <level>", "low … critical", parsePriority);
  }
  const parent = kind === "prd" ? "" : `${PARENT[kind]} `;
  create
    .addHelpText("after", `\nExamples:\n  $ rudder ${kind} create ${parent}"Parse the header"`)
    .action((...args: unknown[]) => {
      const words = args.slice(0, -2).map(String);
      const options: Record<string, unknown> = Object(args.at(-2));
      return run(async (session) => {
        const { create } = await import("../commands/tasks.ts");
        const request = await toCreateRequest(options, session);
        return create(session, {
          ...request,
          kind,
          title: words.at(-1) ?? "",
          parent: kind === "prd" ? undefined : words[0],
        });
      });
    });
}

function defineTaskWords(group: Command, { run }: Runner): void {
  group
    .command("next")
    .summary("the ready task that is worth most")
    .addHelpText("after", "\nExamples:\n  $ rudder task next")
    .action(() => run(async (session) => (await import("../commands/deps.ts")).next(session)));

  for (const [name, status, about] of [
    ["start", "In Progress", "set it to In Progress"],
    ["done", "Done", "set it to Done"],
    ["block", "Blocked", "set it to Blocked, and say why"],
  ] as const) {
    const command = group.command(name).summary(about).argument("<id>", "like T042");
    if (name === "block") command.argument("[reason]", "goes into its log; - reads it from stdin");
    command
      .option("--force", `although someone else holds it${name === "start" ? ", or it waits for others" : ""}`)
      .addHelpText(
        "after",
        `\nExamples:\n  $ rudder task ${name} T042${name === "block" ? ' "waits for the API key"' : ""}`,
      )
      .action((...args: unknown[]) => {
        const [id, reason] = args.slice(0, -2);
        const { force } = Object(args.at(-2));
        return run(async (session) => {
          const { setStatus } = await import("../commands/tasks.ts");
          const texts = await readTexts(session, { reason });
          return setStatus(session, { reason: "", ...texts, id: String(id), status, force: force === true });
        });
      });
  }

  const log = group
    .command("log")
    .summary("add a line to a task's log")
    .description("Adds one line to the task's log. It is there, exactly once, as soon as the command says so.")
    .argument("<id>", "like T042")
    .argument("<message>", "what others should know; - reads it from stdin");
  for (const level of LEVELS) log.option(`--${level}`, `log it as ${level}`);
  log
    .addOption(new Option("--level <level>", "the same, as a value").choices(LEVELS))
    .option("-f, --file <path>", "a file that it is about; may be repeated", collect)
    .option("-s, --snippet <text>", "a piece of code; - reads it from stdin")
    .option("-c, --command <command>", "a command that it is about (it is not run)")
    .addHelpText(
      "after",
      '\nExamples:\n  $ rudder task log T042 "Found workaround for API issue" --tip -f src/api.js\n  $ rudder task:log T042 --warn -c "npm test" -- "--watch hangs"',
    )
    .action((id: string, message: string, options) =>
      run(async (session) => (await import("../commands/tasks.ts")).log(session, { id, message, options })),
    );

  group
    .command("targets")
    .summary("the task's target versions beside the current ones")
    .argument("<id>", "like T042")
    .addHelpText("after", "\nExamples:\n  $ rudder task targets T042")
    .action((id: string) => run(async (session) => (await import("../commands/tasks.ts")).targets(session, id)));

  group
    .command("show-memory")
    .summary("what was learned before: log lines and memory for a task")
    .argument("<id>", "like T042")
    .addHelpText("after", "\nExamples:\n  $ rudder task show-memory T042")
    .action((id: string) => run(async (session) => (await import("../commands/tasks.ts")).showTaskMemory(session, id)));
}
