// Words of agent: spawn, list, status, log, kill, reap; and of sandbox: check, init.
import { PROVIDER_NAMES } from "@jeeves/base";
import { type Command, InvalidArgumentError } from "commander";
import type { Runner } from "../runner.ts";
import { parseCount } from "./option-values.ts";

const DEFAULT_TIMEOUT_S = 3_600;
const DEFAULT_LINES = 200;

export function defineAgentWords(group: Command, { run }: Runner): void {
  group
    .command("spawn")
    .summary("send an agent to do a task")
    .description(
      "Claims the task under the agent's name, makes a worktree on the branch task/<id>, and starts the agent. It runs by itself: the terminal may close. Its lease is renewed while it lives; when it ends well with something to show, the task is released as Done.",
    )
    .argument("<id>", "like T042")
    .option("--provider <name>", PROVIDER_NAMES.join(", "), PROVIDER_NAMES[0])
    .option("--sandbox", "in the sandbox, or not at all; default: where rudder sandbox check finds one")
    .option("--no-sandbox", "without a sandbox")
    .option("--restrict", "its calls may concern its own task alone; in the sandbox, or not at all")
    .option("--timeout <seconds>", "how long it may take", parseSeconds, DEFAULT_TIMEOUT_S)
    .option("--worktree", "in a worktree of its own (the default)", true)
    .option("--no-worktree", "in the project's own directory")
    .option("--resume", "go on with the branch and the worktree of an attempt that has ended")
    .option(
      "--wait",
      "come back when it has ended; exit 1 if it did not end well (Ctrl-C ends the waiting, not the agent)",
    )
    .option("--dry-run", "say what would be done, and do nothing")
    .addHelpText(
      "after",
      "\nExamples:\n  $ rudder agent spawn T042\n  $ rudder agent spawn T042 --provider codex --no-sandbox --wait\n  $ rudder agent spawn T042 --resume --timeout 600",
    )
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/agent.ts")).spawnAgent(session, { id, ...options })),
    );
  group
    .command("list")
    .summary("every agent and its state")
    .addHelpText(
      "after",
      "\nStates: spawned, completed or error, then reaped, rejected or killed.\n\nExamples:\n  $ rudder agent list --json",
    )
    .action(() => run(async (session) => (await import("../commands/agent.ts")).listAgents(session)));
  group
    .command("status")
    .summary("one agent: state, place, work done, lease")
    .argument("<id>", "like T042")
    .addHelpText("after", "\nExamples:\n  $ rudder agent status T042")
    .action((id: string) => run(async (session) => (await import("../commands/agent.ts")).agentStatus(session, id)));
  group
    .command("log")
    .summary("what an agent did, line by line")
    .argument("<id>", "like T042")
    .option("-n, --lines <count>", "the last so many", parseCount, DEFAULT_LINES)
    .addHelpText("after", "\nExamples:\n  $ rudder agent log T042 --lines 20")
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/agent.ts")).agentLog(session, { id, ...options })),
    );
  group
    .command("kill")
    .summary("end an agent and everything that it started")
    .description("Ends the agent and gives its task back. Its worktree and its branch stay.")
    .argument("<id>", "like T042")
    .addHelpText("after", "\nExamples:\n  $ rudder agent kill T042")
    .action((id: string) => run(async (session) => (await import("../commands/agent.ts")).kill(session, id)));
  group
    .command("reap")
    .summary("merge an agent's work back, or put it aside")
    .description(
      "Merges task/<id> into the branch that it came from and removes the worktree; or says why not, and leaves both branches as they are (--commit commits first). No hook of the repository is run.",
    )
    .argument("<id>", "like T042")
    .option("--commit", "commit first what the agent has not committed")
    .option("--force", "although the agent did not end well")
    .option("--reject", "do not merge: keep the work on rejected/<id>-<attempt>, and open the task again")
    .addHelpText("after", "\nExamples:\n  $ rudder agent reap T042 --commit\n  $ rudder agent reap T042 --reject")
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/agent.ts")).reap(session, { id, ...options })),
    );
  group
    .command("supervise", { hidden: true })
    .argument("<id>")
    .argument("<mark>")
    .action((id: string, mark: string) =>
      run(async (session) => (await import("../commands/agent.ts")).supervise(session, { id, mark })),
    );
}

export function defineSandboxWords(group: Command, { run }: Runner): void {
  group
    .command("check")
    .summary("can agents be put into a sandbox here?")
    .description(
      "Looks for every part of the sandbox and says how to get what is missing on this system. Exit 1 if there is none.",
    )
    .addHelpText("after", "\nExamples:\n  $ rudder sandbox check\n  $ rudder sandbox check --json")
    .action(() => run(async (session) => (await import("../commands/sandbox.ts")).check(session)));
  group
    .command("init")
    .summary("write the settings that every agent of this haven starts from")
    .description("Writes srt-settings.json in the haven, unless it is there. What you add to it every agent may do.")
    .addHelpText("after", "\nExamples:\n  $ rudder sandbox init")
    .action(() => run(async (session) => (await import("../commands/sandbox.ts")).init(session)));
}

function parseSeconds(value: string): number {
  const seconds = Number(value);
  if (!/^\d+(?:\.\d+)?$/.test(value) || seconds < 1 || seconds > 604_800) {
    throw new InvalidArgumentError("seconds, from 1 to 604800.");
  }
  return seconds;
}
