// The commands that connect clients and show what the cuts are worth: setup, init, on, shadow, off, stats, trial,
// doctor, uninstall, wipe, completion.
import { CLIENTS } from "@jeeves/base/clients";
import { Argument, type Command, Option } from "commander";
import type { TrialAction } from "../commands/trial.ts";
import { parseClient, parseSince } from "../terminal/option-values.ts";
import { defineInitWords } from "./init-words.ts";

const GROUP = "Connect and watch your clients:";

const MODE_WORDS = {
  on: {
    summary: "show cuts",
    description:
      "Cuts from now on, for every connected client of this user: what is left out of a result is marked, and can be " +
      "brought back. JEEVES_MODE, a running trial and a client that was set up with --shadow win over it.",
  },
  shadow: {
    summary: "count cuts and show everything",
    description:
      "Shows every client everything, and counts what cuts would have saved: jeeves stats --shadow says whether on would " +
      "pay. JEEVES_MODE and a running trial win over it.",
  },
  off: {
    summary: "cut nothing",
    description:
      "Cuts nothing and counts no cuts, for every client of this user, until jeeves on or jeeves shadow. JEEVES_MODE and a " +
      "client that was set up with --shadow win over it. The settings of the clients stay as they are: jeeves uninstall " +
      "takes jeeves out of them.",
  },
} as const;

/** Adds the commands to `program`. Each imports its code when it is run. */
export function defineConnectWords(program: Command): void {
  program
    .command("setup")
    .helpGroup(GROUP)
    .summary("connect every client on this machine: shows what it would write, asks once, shows one real cut")
    .description(
      "Finds the installed clients, prints which files it would write and why, asks once, writes them as jeeves init does, " +
        "and sends one failing test run through what each client was given.",
    )
    .addOption(
      new Option("-c, --client <name>", "only this one; may be given more than once")
        .choices(CLIENTS.map(({ id }) => id))
        .argParser(parseClient),
    )
    .option("-y, --yes", "write without asking")
    .option("--print", "only show the plan")
    .option("--shadow", "count what would be saved, and cut nothing")
    .addHelpText(
      "after",
      "\nExit codes:\n  0  done, or nothing to do\n  1  a client could not be set up (it is named)\n" +
        "  2  nothing was written: no terminal to ask on and no --yes, or the answer was\n     no",
    )
    .action(async (options) => (await import("../setup/run-setup.ts")).setupCommand(options));

  defineInitWords(program, GROUP);

  for (const mode of ["on", "shadow", "off"] as const) {
    program
      .command(mode)
      .helpGroup(GROUP)
      .summary(MODE_WORDS[mode].summary)
      .description(MODE_WORDS[mode].description)
      .action(async () => (await import("../commands/mode.ts")).modeCommand(mode));
  }

  program
    .command("stats")
    .helpGroup(GROUP)
    .summary("what you were billed for, and what the cuts saved of it")
    .description(
      "The bill of a period by part (starting prompt, cache misses, results by tool, output), from the transcripts of Claude " +
        "Code and Codex, and what the cuts were worth in it: saved, asked for again, our own tools, net. The unit is one plain " +
        "input token: a token read from the cache counts 0.1, one of output 5 to 8.",
    )
    .option("--since <when>", "7d, 12h, 2w, 2026-11-01 or all (default 30d)", parseSince)
    .addOption(
      new Option("--by <what>", "also a table: one row for each client, tool, project or day").choices([
        "client",
        "tool",
        "project",
        "day",
      ]),
    )
    .option("--shadow", "one line instead: would cutting pay, by the sessions in shadow?")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
The first line:
  net 7.1 % of 41 M tokens over 58 sessions (3 lost); 14 failures made visible
In lost sessions the cuts cost more than they saved. Made visible: results that
show a failure which the client would have hidden; \`and 3 answers\` where results
show that a run went well, or lines that clearly match what was asked, and no
failure.

The bill:
  starting prompt  what every session begins with: instructions, lists of tools
  cache misses     what was sent again because the cache no longer had it
  results          what tools returned, and the turns that read it again
  output           what the model wrote
  the rest         everything else in the context, such as your own words

What the cuts were worth:
  saved            results that were shorter, in every turn that read them
  made visible     what was shown beyond the client's own text: a cost
  came back        what was asked for again, and the turns for it: a cost
  own surface      the jeeves tools in the starting prompt: a cost
  net              saved, less these costs`,
    )
    .action(async (options) => (await import("../commands/stats.ts")).statsCommand(options));

  program
    .command("trial")
    .helpGroup(GROUP)
    .summary("prove it on your own sessions: half of them cut, half only counted")
    .description(
      "While a trial runs, each new session of the project is on or in shadow, by the hash of its id. The report compares " +
        "bill, turns, re-reads and failing results of the two halves, from the transcripts, and says how many sessions are " +
        "still needed. It shows numbers only. JEEVES_MODE and jeeves off win over a trial.",
    )
    .addArgument(new Argument("<action>", "what to do").choices(["start", "status", "report", "stop"]))
    .option("--project <dir>", "a directory of the project (default: the current one)")
    .option("--json", "the report as one JSON object")
    .action(async (action: TrialAction, options) =>
      (await import("../commands/trial.ts")).trialCommand(action, options),
    );

  program
    .command("doctor")
    .helpGroup(GROUP)
    .summary("is everything here that jeeves needs, and how to mend what is not")
    .description(
      "Looks at Node, ripgrep, git, the coding agents with their versions, plugins, hooks and shell prefixes, other " +
        "installations, the launchers, the sandbox, ports and the state directory; changes nothing without --fix.",
    )
    .option(
      "--fix",
      "mend what can be mended safely: launchers, a client that is set up twice, the state directory's mode",
    )
    .option("--json", "one JSON object")
    .addHelpText("after", "\nExit codes:\n  0  nothing is broken (notes are no failure)\n  1  something is")
    .action(async (options) => (await import("../commands/doctor.ts")).doctorCommand(options));

  program
    .command("uninstall")
    .helpGroup(GROUP)
    .summary("take jeeves out of every client, and remove what it wrote")
    .description(
      "Takes our entries out of every client's settings, for all projects, and removes the launchers in the data " +
        "directory. Asks before it removes the state directory. The same without this installation:\n" +
        "~/.local/share/jeeves/bin/jeeves-uninstall",
    )
    .option("-y, --yes", "remove stored texts, runs and the meter as well, without asking")
    .option("--keep-state", "keep stored texts, runs and the meter, without asking")
    .option("--force", "leave no launcher for the settings of moved or copied projects")
    .option("--dry-run", "only say what would be done")
    .addHelpText(
      "after",
      "\nExit codes:\n  0  done\n  1  a file had to be left as it is, or was not found (it is named)\n  2  nothing was done: no terminal to ask on, and no --yes",
    )
    .action(async (options) => (await import("../uninstall/run-uninstall.ts")).runUninstall(options, process.env));

  program
    .command("wipe")
    .helpGroup(GROUP)
    .summary("empty the recovery store: all texts that cuts were made from")
    .description(
      "Says how many texts are stored and how large they are, asks, and removes them. Settings, runs and the meter stay.",
    )
    .option("-y, --yes", "remove them without asking")
    .addHelpText(
      "after",
      "\nExit codes:\n  0  done, or nothing to do\n  1  something could not be removed (it is named)\n" +
        "  2  nothing was removed: no terminal to ask on and no --yes, or the answer was\n     no",
    )
    .action(async (options) => (await import("../uninstall/wipe.ts")).wipeCommand(options));

  program
    .command("completion")
    .helpGroup(GROUP)
    .summary("a completion script for your shell")
    .description("Prints a script with which your shell completes the commands and options of jeeves.")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      `
Put it where your shell looks:
  bash  jeeves completion bash \\
          > ~/.local/share/bash-completion/completions/jeeves
  zsh   echo 'eval "$(jeeves completion zsh)"' >> ~/.zshrc
  fish  jeeves completion fish > ~/.config/fish/completions/jeeves.fish`,
    )
    .action(async (shell: string) => {
      process.stdout.write((await import("@jeeves/rudder/completion")).toCompletion(program, shell));
    });
}
