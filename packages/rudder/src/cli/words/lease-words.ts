// Words of assign: claim, renew, release, list. Who asks is never an argument.
import type { Command } from "commander";
import type { Runner } from "../runner.ts";
import { parseBudget, parseCount } from "./option-values.ts";

export function defineLeaseWords(group: Command, { run }: Runner): void {
  group
    .command("claim")
    .summary("take a task; what you need to know about it comes back")
    .description(
      "Takes a lease on a task for RUDDER_AGENT, or renews it. It ends after RUDDER_LEASE_TTL_S (30 min) without a call.",
    )
    .argument("<id>", "like T042")
    .option("--operation <name>", "what you are going to do", "task-start")
    .option("--budget <tokens>", "how long the context may be", parseBudget)
    .option("--quiet", "only the lease, no context")
    .option("--force", "although it waits for others")
    .addHelpText("after", "\nExamples:\n  $ RUDDER_AGENT=ada rudder assign claim T042")
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/tasks.ts")).claim(session, { id, ...options })),
    );
  group
    .command("renew")
    .summary("keep a task for another term")
    .argument("<id>", "like T042")
    .addHelpText("after", "\nExamples:\n  $ RUDDER_AGENT=ada rudder assign renew T042")
    .option("--token <n>", "the token of your claim: refused where a newer one was given", parseCount)
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/tasks.ts")).renew(session, { id, ...options })),
    );
  group
    .command("release")
    .summary("give a task back; Done unless you say otherwise")
    .argument("<id>", "like T042")
    .option("--status <status>", "what it is now: done, blocked, todo …")
    .option("--force", "although another caller holds it")
    .option("--token <n>", "the token of your claim: refused where a newer one was given", parseCount)
    .addHelpText(
      "after",
      "\nExamples:\n  $ RUDDER_AGENT=ada rudder assign release T042\n  $ RUDDER_AGENT=ada rudder assign release T042 --status blocked",
    )
    .action((id: string, options) =>
      run(async (session) => (await import("../commands/tasks.ts")).release(session, { id, ...options })),
    );
  group
    .command("list")
    .summary("every lease: who, since when, how long still")
    .addHelpText("after", "\nExamples:\n  $ rudder assign list --json")
    .action(() => run(async (session) => (await import("../commands/tasks.ts")).listLeases(session)));
}
