// The command `jeeves init`, with one command below it for each client and the options that this client has a use for.
import { CLIENTS, type ClientId } from "@jeeves/base/clients";
import { type Command, Option } from "commander";
import { MANUAL_CLIENTS, refuseManualClient } from "../setup/manual-clients.ts";
import { collect } from "../terminal/option-values.ts";

interface ClientWords {
  readonly summary: string;
  /** What our server lists beside hooks; absent for a client without hooks. */
  readonly withHooks?: string;
}

const CLIENT_WORDS: Readonly<Record<ClientId, ClientWords>> = {
  "claude-code": {
    summary: "its hooks and shell prefix, and the jeeves server that answers them",
    withHooks: "the jeeves server lists no tools",
  },
  codex: {
    summary: "its hooks, and the jeeves server that answers them",
    withHooks: "the jeeves server lists one tool, recover_text",
  },
  "lm-studio": { summary: "the jeeves servers: it has no hooks" },
  gemini: {
    summary: "its hooks; the jeeves server only with --tools or --both",
    withHooks: "without a server",
  },
  opencode: {
    summary: "a plugin; the jeeves server only with --tools or --both",
    withHooks: "by a plugin, without a server",
  },
};
const TOOLS = "the jeeves server with its tools (read, grep, recover_text)";

/** Adds the command below the heading `group`. */
export function defineInitWords(program: Command, group: string): void {
  const init = program
    .command("init")
    .helpGroup(group)
    .summary("connect a client")
    .description(
      "Connects one client: writes its settings, so that what it reads is shortened. jeeves setup does this for every " +
        "client on this machine.",
    );
  for (const { id: client, hasHooks, knowsProjects, shellPrefix } of CLIENTS) {
    const { summary, withHooks } = CLIENT_WORDS[client];
    const command = init
      .command(client)
      .summary(summary)
      .description(
        "Writes the client's own settings, keeps what is there, and can be called again. A backup of each changed file is in " +
          "~/.local/share/jeeves/settings (below XDG_DATA_HOME where that is set).",
      )
      // Options that a client has no use for are refused with the reason, and not offered.
      .addOption(new Option("--project", "for this directory only").conflicts("user").hideHelp(!knowsProjects))
      .addOption(new Option("--user", "for all projects of this user (default)").hideHelp(!knowsProjects))
      .addOption(
        new Option("--hooks", `shorten what the client's own tools return; ${withHooks} (default)`)
          .conflicts(["tools", "both"])
          .hideHelp(!hasHooks),
      )
      .addOption(new Option("--tools", `${TOOLS}, no hooks`).conflicts("both").hideHelp(!hasHooks))
      .addOption(new Option("--both", `hooks, and ${TOOLS}`).hideHelp(!hasHooks))
      .option("--shadow", "count what would be saved, and cut nothing")
      .option("--print", "print the settings and write nothing")
      .option("--remove", "take everything out again")
      .action(async (options) => (await import("../commands/init.ts")).initCommand(client, options));
    if (shellPrefix !== undefined) {
      const words =
        `set only ${shellPrefix}, which names a program that the client runs its commands with: needed beside the ` +
        "plugin, which cannot set it, so that commands are shortened as well";
      command.addOption(new Option("--commands", words).conflicts(["hooks", "tools", "both"]));
    }
    if (knowsProjects) continue;
    command
      .option(
        "-r, --root <dir>",
        "a directory that the servers may see; may be given more than once (default: the current one)",
        collect,
      )
      .option("--file <path>", "change this file instead of ~/.lmstudio/mcp.json");
  }
  for (const name of MANUAL_CLIENTS)
    init
      .command(name, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => refuseManualClient(name));
}
