// The commands that serve and run: run, serve, mcp, token.
import { pathToFileURL } from "node:url";
import { PROVIDER_NAMES } from "@jeeves/base/clients";
import { type Command, Option } from "commander";
import { parseCount, parseFocus, parseSeconds } from "../terminal/option-values.ts";

const GROUP = "Serve and run:";
const PROVIDERS = "which agent; scripted replays the steps in the file that JEEVES_SCRIPT names, for tests";

/** Adds the commands to `program`. Each imports its code when it is run. */
export function defineServeWords(program: Command): void {
  program
    .command("run")
    .helpGroup(GROUP)
    .summary("run an agent with the pruner wired in")
    .description(
      "Runs a coding agent on a task, gives it the pruner's tools, and has its own Read, Grep and commands cut by hooks. " +
        "Progress is on stderr, the agent's last words are on stdout. What happens is written to runs/ID/run.json and " +
        "events.jsonl in the state directory while it runs.",
    )
    .argument("<task>", "what the agent is to do", parseFocus)
    .addOption(new Option("-p, --provider <name>", PROVIDERS).choices(PROVIDER_NAMES).makeOptionMandatory())
    .option("-C, --cwd <dir>", "the directory that it works in", ".")
    .option("-m, --model <model>", "the agent's model (default: the agent's own)")
    .option("--max-turns <n>", "stop after so many answers of the model (Codex: tool calls)", parseCount)
    .option("--timeout <seconds>", "stop after so many seconds", parseSeconds)
    .option("--no-pruner", "leave the pruner out, and the hooks with it")
    .option("--no-hooks", "leave the agent's own tools as they are, whatever hooks its settings hold")
    .addHelpText(
      "after",
      `
The agent is the installed Claude Code (claude) or Codex (codex) on PATH;
relative entries of PATH do not count.

Exit codes:
  0    the agent has answered
  1    it failed, or came to --max-turns
  2    wrong arguments (an unknown provider, a directory that cannot be read)
  124  --timeout was over
  127  the agent is not installed or could not be started; the line that
       installs it is printed
  130  stopped by Ctrl-C (143: SIGTERM, 129: SIGHUP); nothing is left running

Environment:
  JEEVES_PRUNER_ENABLED   false leaves the pruner out; unset means true here
  JEEVES_PRUNER_URL       a text pruner to ask instead of the built-in one
                          (default: http://localhost:8000/prune, if you run one)
  JEEVES_MCP_PRUNER_PATH  another mcp-pruner than the installed one
  JEEVES_MCP              more servers for the agent: research, rudder or both
  JEEVES_STATE_DIR        the directory of runs and stored texts
  JEEVES_SCRIPT           the file with the steps of the scripted agent

Examples:
  $ jeeves run -p codex "Why does the login test fail?"
  $ jeeves run -p claude --cwd ../api --timeout 600 "Add a health endpoint"`,
    )
    .action(async (task: string, options) => (await import("../commands/run.ts")).runCommand(task, options));

  program
    .command("serve")
    .helpGroup(GROUP)
    .summary("serve the text pruner and the tools for agents over HTTP")
    .description(
      "Serves the text pruner as JSON-RPC on /rpc (prune_text, recover_text) and in the form of swe-pruner, another text " +
        "pruner, on /prune, so that its clients work unchanged; and the tools for agents on /mcp (MCP).",
    )
    .option("--host <address>", "address to listen on; beyond loopback JEEVES_TOKEN must be set (default 127.0.0.1)")
    .option("--port <number>", "port to listen on; 0 is any free one (default 8006)")
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
      "The MCP server that a client starts, over stdio: the tools read, bash, grep and recover_text. It takes no arguments; " +
        "environment variables set it up.",
    )
    .addHelpText(
      "after",
      `
Environment:
  MCP_PRUNER_TOOLS  the tools to offer, separated by commas (default: all four)
  MCP_PRUNER_CWD    the directory that they may see (default: the current one)
  MCP_PRUNER_DENY   globs of files that read and grep refuse
  PRUNER_ENGINE     auto (default), embedded, or remote: a text pruner elsewhere
  PRUNER_URL        the address of that one
  JEEVES_MODE       on, shadow or off: whether texts are cut
  JEEVES_STATE_DIR  the directory of stored texts
The README of packages/mcp-pruner lists all of them.`,
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
