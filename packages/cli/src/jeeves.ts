#!/usr/bin/env node
// The front door: `jeeves COMMAND`. It knows the commands' words; what they do is imported when it is asked for.
// Exit codes: 0 done, 1 it could not be done (the reason is on stderr), 2 the words were wrong.
import { CLIENTS, PROVIDER_NAMES } from "@jeeves/base/clients";
import { Argument, Command, CommanderError, Option } from "commander";
import manifest from "../package.json" with { type: "json" };
import { CliError } from "./cli-error.ts";
import type { TrialAction } from "./commands/trial.ts";
import { runAtEnd } from "./terminal/at-end.ts";
import {
  parseCount,
  parseFocus,
  parseHost,
  parsePort,
  parseRange,
  parseSeconds,
  parseShare,
  parseSince,
} from "./terminal/option-values.ts";

const GROUP = {
  start: "Start here:",
  connect: "Connect and watch your clients:",
  read: "Read less, from the terminal:",
  serve: "Serve and run:",
} as const;

const program = new Command("jeeves")
  .description("The context layer for coding agents: the lines that answer, what was left out, and the way back.")
  .version(manifest.version)
  .usage("COMMAND [options]")
  .addHelpText(
    "after",
    `
Examples:
  $ jeeves up --open                     everything for this project, and the page that shows it
  $ jeeves init claude-code --project    prune what Claude Code reads here; --remove takes it out again
  $ npm test 2>&1 | jeeves prune - --focus "why does the login test fail?"
  $ jeeves research "How is the session cookie signed?"

Environment:
  JEEVES_STATE_DIR   what is kept: stored texts, runs, the meter (default ~/.local/state/jeeves)
  JEEVES_MODE        on, shadow or off; wins over jeeves on|shadow|off
  JEEVES_POLICY      careful (default), balanced or keen: how much a cut must be worth
  JEEVES_TOKEN       your token, instead of the one that jeeves token prints; where it is set, every request needs it
  NO_COLOR           no colours

Exit codes: 0 done, 1 it could not be done (stderr says why), 2 the words were wrong.
jeeves COMMAND --help says more about each; rudder --help is about tasks for many agents.`,
  )
  .showHelpAfterError("(jeeves --help, or jeeves COMMAND --help, says more)")
  .exitOverride();

// A reader that closes early (`| head`) is no failure of its own.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`jeeves: the output cannot be written: ${error.message}\n`);
  process.exit(1);
});

program
  .command("up")
  .helpGroup(GROUP.start)
  .summary("everything for this project: services, tools, research, tasks and the page")
  .description(
    "Starts all of jeeves for one project, in one process on loopback, with nothing to configure: the text pruner, the\n" +
      "tools for agents, research, the haven's tasks, and a page that shows what was kept, dropped and recovered.\n" +
      "Prints where each is, and for every coding agent on this machine the line that connects it.",
  )
  .option("--root <dir>", "the project (default: the current directory)")
  .option("--port <number>", "of the services; the next free one where it is taken (default 8006)")
  .option("--page-port <number>", "of the page; the next free one where it is taken (default 8008)", parsePort)
  .option("--open", "open the page in the browser")
  .action(async (options) => {
    process.exitCode = await (await import("./commands/up.ts")).upCommand(options);
  });

program
  .command("viewer")
  .helpGroup(GROUP.start)
  .summary("the page alone")
  .description("Shows runs, cuts, savings and the haven of this project in a browser; reads, and writes nothing.")
  .option("--host <address>", "where to listen (default 127.0.0.1)", parseHost)
  .option("--port <number>", "0 for any free port; the next free one where it is taken (default 8008)", parsePort)
  .action(async (options) => (await import("./commands/viewer.ts")).viewerCommand(options));

program
  .command("demo")
  .helpGroup(GROUP.start)
  .summary("see it work on a file of this project, and how to connect a client")
  .action(async () => (await import("./commands/demo.ts")).demoCommand());

const init = program
  .command("init")
  .helpGroup(GROUP.connect)
  .summary("connect a client")
  .description("Writes a client's configuration.");
for (const { id: client, hasHooks, knowsProjects } of CLIENTS) {
  const command = init
    .command(client)
    .summary(hasHooks ? "its server, hooks and permissions" : "its servers: it has no hooks for ours")
    .description(
      "Writes the client's own settings (with a backup beside each file), keeps what is there, and can be called again.",
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
    .action(async (options) => (await import("./commands/init.ts")).initCommand(client, options));
  if (knowsProjects) continue;
  command
    .option("-r, --root <dir>", "what the servers may see; may be given more than once; else the current one", collect)
    .option("--file <path>", "another mcp.json than ~/.lmstudio/mcp.json");
}

for (const mode of ["on", "shadow", "off"] as const) {
  program
    .command(mode)
    .helpGroup(GROUP.connect)
    .summary({ on: "show cuts", shadow: "count cuts and show everything", off: "cut nothing" }[mode])
    .action(async () => (await import("./commands/mode.ts")).modeCommand(mode));
}

program
  .command("stats")
  .helpGroup(GROUP.connect)
  .summary("what you were billed for, and what the cuts saved of it")
  .description(
    "The bill of a period by part (starting prompt, cache misses, results by tool, output), from the transcripts of Claude\n" +
      "Code and Codex, and what the cuts were worth in it: saved, asked for again, our own tools, net. The unit is one plain\n" +
      "input token: a token read from the cache counts 0.1, one of output 5 to 8.",
  )
  .option("--since <when>", "7d, 12h, 2w, 2026-11-01 or all (default 30d)", parseSince)
  .addOption(new Option("--by <what>", "one line for each").choices(["client", "tool", "project", "day"]))
  .option("--shadow", "one line: should it be turned on?")
  .option("--json", "one JSON object")
  .addHelpText(
    "after",
    "\nThe first line:\n  net 7.1 % of 41 M tokens over 58 sessions (3 lost); 14 failures made visible",
  )
  .action(async (options) => (await import("./commands/stats.ts")).statsCommand(options));

program
  .command("trial")
  .helpGroup(GROUP.connect)
  .summary("prove it on your own sessions: half of them cut, half only counted")
  .description(
    "While a trial runs, each new session of the project is on or in shadow, by the hash of its id. The report compares\n" +
      "bill, turns, re-reads and failing results of the two halves, from the transcripts, and says how many sessions are\n" +
      "still needed. It has numbers only. JEEVES_MODE and jeeves off win over a trial.",
  )
  .addArgument(new Argument("<action>", "what to do").choices(["start", "status", "report", "stop"]))
  .option("--project <dir>", "a directory of the project (default: the current one)")
  .option("--json", "the report as one JSON object")
  .action(async (action: TrialAction, options) => (await import("./commands/trial.ts")).trialCommand(action, options));

program
  .command("doctor")
  .helpGroup(GROUP.connect)
  .summary("is everything here that jeeves needs, and how to mend what is not")
  .description(
    "Looks at Node, ripgrep, git, the coding agents, the launchers, the sandbox, ports and the state directory;\n" +
      "changes nothing.",
  )
  .option("--json", "one JSON object")
  .addHelpText("after", "\nExit codes:\n  0  nothing is broken (notes are no failure)\n  1  something is")
  .action(async (options) => (await import("./commands/doctor.ts")).doctorCommand(options));

program
  .command("uninstall")
  .helpGroup(GROUP.connect)
  .summary("take jeeves out of every client, and remove what it wrote")
  .description(
    "Takes our entries out of every client's settings, for all projects, and removes the launchers in the data\n" +
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
  .action(async (options) => (await import("./uninstall/run-uninstall.ts")).runUninstall(options, process.env));

program
  .command("completion")
  .helpGroup(GROUP.connect)
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

program
  .command("prune")
  .helpGroup(GROUP.read)
  .summary("print the lines of a text that answer a question")
  .description(
    "Prints the lines of FILE (- is stdin) that answer the question; ⟦… 35 lines 120-154⟧ stands for lines left out.",
  )
  .argument("<file>", "a text file, or - for stdin")
  .requiredOption("-f, --focus <question>", "what you want to know", parseFocus)
  .option(
    "-k, --keep <share>",
    "keep about this share of the text (0 to 1); without it the evidence decides",
    parseShare,
  )
  .addOption(new Option("-t, --type <type>", "what the text is; guessed without it").choices(["code", "logs", "docs"]))
  .option("-n, --line-numbers", "number the kept lines")
  .option("--json", "one JSON object: the text, the blocks left out, sizes, why each line was kept")
  .addHelpText(
    "after",
    `
Examples:
  $ jeeves prune src/server.ts --focus "where is the port chosen?"
  $ npm test 2>&1 | jeeves prune - --type logs --focus "why does the login test fail?"
  $ jeeves recover prn_abcdefghijkl --lines 120-154`,
  )
  .action(async (file: string, options) => (await import("./commands/prune.ts")).pruneCommand(file, options));

program
  .command("recover")
  .helpGroup(GROUP.read)
  .summary("print text that a cut left out, byte for byte")
  .description("Prints the stored text of a cut byte for byte, or only the lines asked for.")
  .argument("<id>", "the prune id, prn_…")
  .option("-l, --lines <a-b>", "only these lines; may be given more than once", parseRange)
  .option("-n, --line-numbers", "number the lines")
  .action(async (id: string, options) => (await import("./commands/recover.ts")).recoverCommand(id, options));

program
  .command("research")
  .helpGroup(GROUP.read)
  .summary("answer a question about a code base, with references")
  .description("Searches the code base and prints the answer: what answers the question, where, and what calls what.")
  .argument("<question>", "a full question, with names if you know them", parseFocus)
  .option("-r, --root <dir>", "what to search; may be given more than once; the current directory without it", collect)
  .option("-c, --config <file>", "a configuration file of mcp-research")
  .option("--json", "the whole report as one JSON object")
  .addHelpText("after", '\nExample:\n  $ jeeves research "How is the session cookie signed?" --root ../api')
  .action(async (question: string, options) =>
    (await import("./commands/research.ts")).researchCommand(question, options),
  );

program
  .command("run")
  .helpGroup(GROUP.serve)
  .summary("run an agent with the pruner wired in")
  .description(
    "Runs a coding agent on a task with the pruner's tools wired in, and its own Read, Grep and commands cut by hooks.\n" +
      "Progress on stderr, the agent's last words on stdout;\n" +
      "what happened is in runs/ID/run.json and events.jsonl of the state directory, and can be read while it runs.",
  )
  .argument("<task>", "what the agent is to do", parseFocus)
  .addOption(new Option("-p, --provider <name>", "which agent").choices(PROVIDER_NAMES).makeOptionMandatory())
  .option("-C, --cwd <dir>", "where it works", ".")
  .option("-m, --model <model>", "the agent's model; its own default without it")
  .option("--max-turns <n>", "stop after so many answers of the model (Codex: tool calls)", parseCount)
  .option("--timeout <seconds>", "stop after so many seconds", parseSeconds)
  .option("--no-pruner", "leave the pruner out, and the hooks with it")
  .option("--no-hooks", "leave the agent's own tools as they are, whatever hooks its settings hold")
  .addHelpText(
    "after",
    `
Exit codes:
  0    the agent has answered
  1    it failed, or came to --max-turns
  2    the words were wrong (an unknown provider, a directory that cannot be read)
  124  --timeout was over
  127  the agent is not installed or could not be started; the install line is said
  130  stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP); nothing is left running

Environment: JEEVES_PRUNER_ENABLED (here on where unset), JEEVES_PRUNER_URL, JEEVES_MCP_PRUNER_PATH,
  JEEVES_MCP=research,rudder (more servers), JEEVES_STATE_DIR, JEEVES_SCRIPT (the scripted agent's steps)

Examples:
  $ jeeves run --provider codex "Why does the login test fail?"
  $ jeeves run --provider claude --cwd ../api --timeout 600 "Add a health endpoint"`,
  )
  .action(async (task: string, options) => (await import("./commands/run.ts")).runCommand(task, options));

program
  .command("serve")
  .helpGroup(GROUP.serve)
  .summary("serve the text pruner and the tools for agents over HTTP")
  .description(
    "Serves prune_text and recover_text on /rpc, the swe-pruner contract on /prune and the tools for agents on /mcp.",
  )
  .option("--host <address>", "where to listen; beyond loopback JEEVES_TOKEN must be set (default 127.0.0.1)")
  .option("--port <number>", "0 for any free port (default 8006)")
  .option("--root <dir>", "what the tools on /mcp may see (default: the current directory)")
  .option("--log-format <format>", "how events are written to stderr: json or text (default json)")
  .action(async (options) => {
    const { endProcess } = await import("@jeeves/kit/mcp");
    endProcess(await (await import("./commands/serve.ts")).serveCommand(options));
  });

program
  .command("token")
  .helpGroup(GROUP.serve)
  .summary("print the token that proves a client to be yours")
  .description(
    "Prints your token, which is made once and kept in the state directory. What runs commands, reads files or shows stored\n" +
      "texts answers only the user who started it: on Linux a program of yours is known by its uid; a browser, and every\n" +
      "program elsewhere, sends the token as Authorization: Bearer TOKEN.",
  )
  .addHelpText("after", '\nExample:\n  $ curl -H "Authorization: Bearer $(jeeves token)" http://127.0.0.1:8006/mcp …')
  .action(async () => (await import("./commands/token.ts")).tokenCommand());

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof CliError) {
    process.stderr.write(`jeeves: ${error.message}\n${error.hint === "" ? "" : `        ${error.hint}\n`}`);
    process.exitCode = 1;
  } else if (error instanceof Error && "syscall" in error) {
    // The machine said no: a full disk, a directory that may not be written. Its own words name the path, but for one.
    const isHereGone = error.syscall === "uv_cwd";
    const words = isHereGone ? "the current directory no longer exists: change to one that does" : error.message;
    const { resolveStateDir } = await import("@jeeves/state");
    const isState = "path" in error && String(error.path).startsWith(resolveStateDir(process.env));
    process.stderr.write(`jeeves: ${words}${isState ? "; JEEVES_STATE_DIR names another directory" : ""}\n`);
    process.exitCode = 1;
  } else throw error;
} finally {
  await runAtEnd();
}

/** An option that may be given more than once. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
