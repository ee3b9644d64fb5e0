// Words of mcp: start, stop, status, log, bridge, config.
import type { Command } from "commander";
import type { Runner } from "../runner.ts";
import { parseCount, parsePort } from "./option-values.ts";

export function defineMcpWords(group: Command, { run }: Runner): void {
  group
    .command("start")
    .summary("start the haven's server, if it does not run")
    .description("Starts the haven's one server on haven/mcp.sock. It goes on by itself; its log is haven/mcp.log.")
    .option("--port <port>", "listen on this port of 127.0.0.1 as well", parsePort)
    .addHelpText("after", "\nExamples:\n  $ rudder mcp start\n  $ rudder mcp start --port 9999")
    .action((options) => run(async (session) => (await import("../commands/mcp.ts")).startServer(session, options)));
  group
    .command("stop")
    .summary("stop it; leases stay as they are")
    .addHelpText("after", "\nExamples:\n  $ rudder mcp stop")
    .action(() => run(async (session) => (await import("../commands/mcp.ts")).stopServer(session)));
  group
    .command("status")
    .summary("does it run, where, for whom")
    .addHelpText("after", "\nExamples:\n  $ rudder mcp status\n  $ rudder mcp:status --json")
    .action(() => run(async (session) => (await import("../commands/mcp.ts")).serverStatus(session)));
  group
    .command("log")
    .summary("the last lines that it wrote")
    .option("--lines <n>", "so many (default 50)", parseCount)
    .addHelpText("after", "\nExamples:\n  $ rudder mcp log\n  $ rudder mcp log --lines 200")
    .action((options) => run(async (session) => (await import("../commands/mcp.ts")).serverLog(session, options)));
  group
    .command("bridge")
    .summary("carry stdin and stdout to a socket, as socat would")
    .description(
      "For MCP clients that start a program. RUDDER_AGENT, where it is set, is the name that calls are made under.",
    )
    .argument("<socket>", "its path, or fd:3 for one that was inherited")
    .addHelpText("after", "\nExamples:\n  $ rudder mcp bridge ~/.sailing/havens/0123456789ab/mcp.sock")
    // The bin runs it before any of this is loaded; in another program there is no stdin to carry.
    .action(() => run(async () => (await import("../commands/mcp.ts")).refuseBridge()));
  group
    .command("config")
    .summary("what an MCP client needs to reach it, as JSON")
    .argument("[id]", "an agent's task, for its own socket")
    .option("--internal", "a server of its own on stdio, instead of the shared one")
    .addHelpText("after", "\nExamples:\n  $ rudder mcp config\n  $ claude --mcp-config <(rudder mcp config --internal)")
    .action((id: string | undefined, options) =>
      run(async (session) => (await import("../commands/mcp.ts")).showConfig(session, { id, ...options })),
    );
}
