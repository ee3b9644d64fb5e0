// The commands that connect clients and show what the cuts are worth: setup, init, on, shadow, off, stats, trial,
// doctor, uninstall, wipe, completion.
import { CLIENTS } from "@jeeves/base/clients";
import { Argument, type Command, Option } from "commander";
import type { TrialAction } from "../commands/trial.ts";
import { OWN_WAYS, refuseOwnWay } from "../setup/own-ways.ts";
import { collect, parseClient, parseSince } from "../terminal/option-values.ts";

const GROUP = "Connect and watch your clients:";

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
      "\nExit codes:\n  0  done, or nothing to do\n  1  a client could not be set up (it is named)\n  2  nothing was written: no terminal to ask on and no --yes, or the answer was no",
    )
    .action(async (options) => (await import("../setup/run-setup.ts")).setupCommand(options));

  const init = program
    .command("init")
    .helpGroup(GROUP)
    .summary("connect a client")
    .description("Writes a client's configuration.");
  for (const { id: client, hasHooks, knowsProjects, shellPrefix } of CLIENTS) {
    const command = init
      .command(client)
      .summary(hasHooks ? "its server, hooks and permissions" : "its servers: it has no hooks for ours")
      .description(
        "Writes the client's own settings (with a backup of each file in our data directory), keeps what is there, and can be " +
          "called again.",
      )
      .addOption(new Option("--project", "for this directory only").conflicts("user"))
      .option("--user", "for this user (default)")
      .addOption(
        new Option(
          "--hooks",
          `the client's own tools are cut; of ours at most recover_text is listed${hasHooks ? " (default)" : ""}`,
        ).conflicts(["tools", "both"]),
      )
      .addOption(new Option("--tools", "our tools only, no hooks").conflicts("both"))
      .option("--both", `hooks and tools${hasHooks ? "" : " (default)"}`)
      .option("--shadow", "count what would be saved, and cut nothing")
      .option("--print", "print the settings and write nothing")
      .option("--remove", "take everything out again")
      .action(async (options) => (await import("../commands/init.ts")).initCommand(client, options));
    if (shellPrefix !== undefined) {
      const words = `${shellPrefix} alone, so that commands are cut too: beside the plugin, which cannot set it`;
      command.addOption(new Option("--commands", words).conflicts(["hooks", "tools", "both"]));
    }
    if (knowsProjects) continue;
    command
      .option(
        "-r, --root <dir>",
        "what the servers may see; may be given more than once; else the current one",
        collect,
      )
      .option("--file <path>", "another mcp.json than ~/.lmstudio/mcp.json");
  }
  for (const name of OWN_WAYS)
    init
      .command(name, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => refuseOwnWay(name));

  for (const mode of ["on", "shadow", "off"] as const) {
    program
      .command(mode)
      .helpGroup(GROUP)
      .summary({ on: "show cuts", shadow: "count cuts and show everything", off: "cut nothing" }[mode])
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
    .addOption(new Option("--by <what>", "one line for each").choices(["client", "tool", "project", "day"]))
    .option("--shadow", "one line: should it be turned on?")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      "\nThe first line:\n  net 7.1 % of 41 M tokens over 58 sessions (3 lost); 14 failures made visible\n" +
        "Made visible: results that show a failure which the client would have hidden; `and 3 answers` where results show\n" +
        "that a run went well, or lines that clearly match what was asked, and no failure.",
    )
    .action(async (options) => (await import("../commands/stats.ts")).statsCommand(options));

  program
    .command("trial")
    .helpGroup(GROUP)
    .summary("prove it on your own sessions: half of them cut, half only counted")
    .description(
      "While a trial runs, each new session of the project is on or in shadow, by the hash of its id. The report compares " +
        "bill, turns, re-reads and failing results of the two halves, from the transcripts, and says how many sessions are " +
        "still needed. It has numbers only. JEEVES_MODE and jeeves off win over a trial.",
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
    .option("--keep-state", "keep them, without asking")
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
      "\nExit codes:\n  0  done, or nothing to do\n  1  something could not be removed (it is named)\n  2  nothing was removed: no terminal to ask on and no --yes, or the answer was no",
    )
    .action(async (options) => (await import("../uninstall/wipe.ts")).wipeCommand(options));

  program
    .command("completion")
    .helpGroup(GROUP)
    .summary("a completion script for your shell")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      `
Put it where your shell looks:
  bash  jeeves completion bash > ~/.local/share/bash-completion/completions/jeeves
  zsh   echo 'eval "$(jeeves completion zsh)"' >> ~/.zshrc
  fish  jeeves completion fish > ~/.config/fish/completions/jeeves.fish`,
    )
    .action(async (shell: string) => {
      process.stdout.write((await import("@jeeves/rudder/completion")).toCompletion(program, shell));
    });
}
