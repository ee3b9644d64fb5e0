// The commands that serve and run: run, serve, mcp, token.
import { pathToFileURL } from "node:url";
import { PROVIDER_NAMES } from "@jeeves/base/clients";
import { type Command, Option } from "commander";
import { parseCount, parseFocus, parseSeconds } from "../terminal/option-values.ts";

const GROUP = "Serve and run:";

/** Adds the commands to `program`. Each imports its code when it is run. */
export function defineServeWords(program: Command): void {
  program
    .command("run")
    .helpGroup(GROUP)
    .summary("run an agent with the pruner wired in")
    .description(
      "Runs a coding agent on a task with the pruner's tools wired in, and its own Read, Grep and commands cut by hooks. " +
        "Progress on stderr, the agent's last words on stdout; " +
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
The agent is the installed Claude Code (claude) or Codex (codex) on PATH; relative entries of PATH do not count.

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
    .action(async (task: string, options) => (await import("../commands/run.ts")).runCommand(task, options));

  program
    .command("serve")
    .helpGroup(GROUP)
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
      endProcess(await (await import("../commands/serve.ts")).serveCommand(options));
    });

  program
    .command("mcp")
    .helpGroup(GROUP)
    .summary("the tools for agents over stdio, as mcp-pruner")
    .description(
      "What a client starts as an MCP server: read, bash, grep and recover_text. Configured by its environment.",
    )
    .action(async () => {
      const { serverPath } = (await import("../init/what-to-set-up.ts")).findOwnFiles();
      // The server reads its own arguments, and `mcp` is none of them.
      process.argv = [process.execPath, serverPath];
      await import(pathToFileURL(serverPath).href);
    });

  program
    .command("token")
    .helpGroup(GROUP)
    .summary("print the token that proves a client to be yours")
    .description(
      "Prints your token, which is made once and kept in the state directory. What runs commands, reads files or shows stored " +
        "texts answers only the user who started it: on Linux a program of yours is known by its uid; a browser, and every " +
        "program elsewhere, sends the token as Authorization: Bearer TOKEN.",
    )
    .addHelpText("after", '\nExample:\n  $ curl -H "Authorization: Bearer $(jeeves token)" http://127.0.0.1:8006/mcp …')
    .action(async () => (await import("../commands/token.ts")).tokenCommand());
}
