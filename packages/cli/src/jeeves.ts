#!/usr/bin/env node
// The entry of the command line: `jeeves COMMAND`. It defines the commands; the code of one is imported when it is run.
// Exit codes: 0 done, 1 it could not be done (the reason is on stderr), 2 the arguments were wrong.
import { systemCodeOf, VERSION } from "@jeeves/base";
import { addSuggestions } from "@jeeves/rudder/suggestions";
import { Command, CommanderError } from "commander";
import { CliError } from "./cli-error.ts";
import { runAtEnd } from "./terminal/at-end.ts";
import { parseHost, parsePort } from "./terminal/option-values.ts";
import { defineConnectWords } from "./words/connect-words.ts";
import { defineLookWords } from "./words/look-words.ts";
import { defineReadWords } from "./words/read-words.ts";
import { defineServeWords } from "./words/serve-words.ts";

const GROUP = "Start here:";

const program = new Command("jeeves")
  .description(
    "Shortens what your coding agent reads (test runs, files, searches) to the lines that matter, and can bring back " +
      "every line that it left out.",
  )
  .version(VERSION, "-v, --version")
  .usage("COMMAND [options]")
  .addHelpText(
    "after",
    `
Examples:
  $ jeeves look                        your last week with Claude Code and Codex
  $ jeeves setup                       connect all clients on this machine
  $ jeeves init claude-code --project  connect one, for this directory only
  $ jeeves uninstall                   disconnect all clients again
  $ jeeves up --open                   serve this project, and open its page
  $ npm test 2>&1 | jeeves prune - --focus "why does the login test fail?"
  $ jeeves research "How is the session cookie signed?"

Words:
  cut     a text with lines left out; every cut text is stored whole for a while
  meter   the figures of every cut and recovery, which jeeves stats adds up
  policy  how much a cut must save before it is made
  haven   the tasks and memory of many agents on one project: rudder --help

Environment:
  JEEVES_STATE_DIR     the directory of stored texts, runs and the meter
                       (default ~/.local/state/jeeves)
  JEEVES_DATABASE_URL  postgres://…: keeps stored texts and havens there, for
                       every machine that names the same database
  JEEVES_MODE          on, shadow or off; wins over jeeves on|shadow|off
  JEEVES_POLICY        careful (default), balanced or keen: the policy; balanced
                       and keen cut more
  JEEVES_TOKEN         your token, instead of the one that jeeves token prints;
                       where it is set, every request needs it
  NO_COLOR             no colours

Exit codes: 0 done, 1 it could not be done (stderr says why), 2 wrong arguments.
jeeves COMMAND --help says more about each command.`,
  )
  .showHelpAfterError("(jeeves --help, or jeeves COMMAND --help, says more)")
  .exitOverride();

// A reader that closes early (`| head`) is no failure of its own.
process.stdout.on("error", (error) => {
  if (systemCodeOf(error) === "EPIPE") process.exit();
  process.stderr.write(`jeeves: the output cannot be written: ${error.message}\n`);
  process.exit(1);
});

program
  .command("up")
  .helpGroup(GROUP)
  .summary("everything for this project: services, tools, research, tasks and the page")
  .description(
    "Starts all of jeeves for one project, in one process on loopback, with nothing to configure: the text pruner, the " +
      "tools for agents, research, tasks, and a page that shows what was kept, dropped and recovered.\n" +
      "Prints where each is, and for every coding agent on this machine the line that connects it.",
  )
  .option("--root <dir>", "the project (default: the current directory)")
  .option("--port <number>", "port of the services; where it is taken, the next free one (default 8006)")
  .option("--page-port <number>", "port of the page; where it is taken, the next free one (default 8008)", parsePort)
  .option("--open", "open the page in the browser")
  .action(async (options) => {
    process.exitCode = await (await import("./commands/up.ts")).upCommand(options);
  });

program
  .command("viewer")
  .helpGroup(GROUP)
  .summary("the page alone")
  .description("Shows runs, cuts, savings and tasks of this project in a browser; reads, and writes nothing.")
  .option("--host <address>", "where to listen (default 127.0.0.1)", parseHost)
  .option(
    "--port <number>",
    "port to listen on; where it is taken, the next free one; 0 is any free one (default 8008)",
    parsePort,
  )
  .action(async (options) => (await import("./commands/viewer.ts")).viewerCommand(options));

program
  .command("demo")
  .helpGroup(GROUP)
  .summary("see it work: a failing test run of 20,000 lines and one file, and the way back")
  .description(
    "Makes two real cuts and prints each on one screen: of a failing test run of 20,000 lines, and of one source file of " +
      "jeeves. Then brings back some of the lines that were left out, and checks them byte for byte. Needs no client and " +
      "no network.",
  )
  .action(async () => (await import("./commands/demo.ts")).demoCommand());

defineLookWords(program, GROUP);
defineConnectWords(program);
defineReadWords(program);
defineServeWords(program);
addSuggestions(program);

/** Settles when the program is over: the built entry waits for it. */
export const ended: Promise<void> = main();

async function main(): Promise<void> {
  try {
    await program.parseAsync(wordsOf(process.argv));
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof CliError) {
      process.stderr.write(`jeeves: ${error.message}\n${error.hint === "" ? "" : `        ${error.hint}\n`}`);
      process.exitCode = 1;
    } else if (error instanceof Error && "syscall" in error) {
      // An error of the system: a full disk, a read-only directory. Its message names the path, except for uv_cwd.
      const isHereGone = error.syscall === "uv_cwd";
      const words = isHereGone ? "the current directory no longer exists: change to one that does" : error.message;
      const { resolveStateDir } = await import("@jeeves/state");
      const isState = "path" in error && `${error.path}/`.startsWith(`${resolveStateDir(process.env)}/`);
      process.stderr.write(`jeeves: ${words}${isState ? "; JEEVES_STATE_DIR names another directory" : ""}\n`);
      process.exitCode = 1;
    } else throw error;
  } finally {
    await runAtEnd();
  }
}

/** `jeeves` alone, typed by a person, sets up the clients of this machine. -V is what earlier versions called -v. */
function wordsOf(argv: readonly string[]): string[] {
  const [node = "", file = "", ...words] = argv;
  if (words.length === 0 && process.stdin.isTTY && process.stdout.isTTY) return [node, file, "setup"];
  return [node, file, ...words.map((word, at) => (at === 0 && word === "-V" ? "-v" : word))];
}
