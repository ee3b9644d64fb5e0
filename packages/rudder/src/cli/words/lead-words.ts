// Words for planning and tidying up: plan, board, search, archive, export, import.
import type { Command } from "commander";
import type { Runner } from "../runner.ts";
import { parseAge, parseCount } from "./option-values.ts";

const PLAN_FORM = `
A plan is a Markdown document. Fields stand below a title, before its text:

  # Shop
  What it is for.

  ## Checkout
  after: Catalogue
  tags: pay

  ### Parse the header
  effort: S
  priority: high
  after: "Read, then write", T042
  Text, and boxes for what has to be there:
  - [ ] unit tests

  ## Catalogue
  - [ ] Read, then write
    effort: L
    What to do.

after (or: depends on, blocked by) names titles of the same plan, or ids.
effort is S, M, L or XL; priority low, normal, high or critical. What the haven has under the same title is left as it
is: a plan may grow, and applying it again makes nothing twice.

Examples:
  $ rudder plan plan.md
  $ rudder plan plan.md --apply
  $ cat plan.md | rudder plan - --apply`;

/** Defines the commands on the program itself. */
export function defineLeadWords(program: Command, { run }: Runner): void {
  program
    .command("plan")
    .summary("a PRD with its epics and tasks from one Markdown document")
    .description("Shows what the document would make; --apply makes it, all of it or nothing.")
    .argument("<file>", "the document; - reads stdin")
    .option("--apply", "make it")
    .addHelpText("after", PLAN_FORM)
    .action((file: string, options) =>
      run(async (session) =>
        (await import("../commands/lead.ts")).plan(session, { file, apply: options.apply === true }),
      ),
    );

  program
    .command("board")
    .summary("every task by its state: ready, claimed, blocked, done")
    .option("--limit <n>", "at most so many of each (20)", parseCount)
    .addHelpText("after", "\nExamples:\n  $ rudder board\n  $ rudder board --limit 100\n  $ rudder board --json")
    .action((options) => run(async (session) => (await import("../commands/lead.ts")).board(session, options)));

  program
    .command("search")
    .summary("what has all of these words in its title, text, tags, memory and log; the archive too")
    .argument("<words...>", "in any case")
    .option("--limit <n>", "at most so many (50)", parseCount)
    .addHelpText("after", "\nExamples:\n  $ rudder search header utc\n  $ rudder search flaky --json")
    .action((words: string[], options) =>
      run(async (session) => (await import("../commands/lead.ts")).search(session, { words, ...options })),
    );

  program
    .command("archive")
    .summary("done and cancelled work out of the way; search and show still find it")
    .description(
      "Shows what would be archived; --apply moves it. Work that is held, or that open work waits for, stays.",
    )
    .argument("[id]", "a PRD, an epic, or one task")
    .option("--older-than <age>", "only tasks closed so long ago: 30d, 12h", parseAge)
    .option("--apply", "move it")
    .option("--restore <id>", "bring it back, an epic or a PRD with all of its work")
    .addHelpText(
      "after",
      "\nExamples:\n  $ rudder archive E001\n  $ rudder archive --older-than 30d --apply\n  $ rudder archive --restore T042",
    )
    .action((id: string | undefined, options) =>
      run(async (session) =>
        (await import("../commands/lead.ts")).archive(session, { ...options, id, apply: options.apply === true }),
      ),
    );

  program
    .command("export")
    .summary("the whole haven as JSON lines, or as a tree of files; without leases")
    .option("--files <dir>", "artefacts, memory and logs as files in this new directory")
    .addHelpText("after", "\nExamples:\n  $ rudder export > haven.jsonl\n  $ rudder export --files haven-today")
    .action((options) => run(async (session) => (await import("../commands/lead.ts")).exportHaven(session, options)));

  program
    .command("import")
    .summary("an export into this haven, all of it or nothing")
    .argument("<file>", "an export; - reads stdin")
    .option("--merge", "into a haven that is not empty; ids that have another text here are refused")
    .option("--partial", "leave out the lines that are wrong")
    .addHelpText("after", "\nExamples:\n  $ rudder import haven.jsonl\n  $ rudder import haven.jsonl --merge --partial")
    .action((file: string, options) =>
      run(async (session) =>
        (await import("../commands/lead.ts")).importHaven(session, {
          file,
          merge: options.merge === true,
          partial: options.partial === true,
        }),
      ),
    );
}
