// `jeeves run`: an agent with the pruner wired in. Progress on stderr, the agent's last words on stdout, and an exit code
// that tells how it went (EXIT_BY_STATUS). Ctrl-C stops the agent and everything that it started.
import { constants } from "node:os";
import { createProvider, type HookParts, RunnerError, type RunOutcome, runAgent } from "@jeeves/runner";
import { findOwnFiles } from "../init/what-to-set-up.ts";
import { atEnd } from "../terminal/at-end.ts";
import { createPaint } from "../terminal/paint.ts";
import { endIfStuck } from "../terminal/state-faults.ts";
import { createRunProgress } from "./run-progress.ts";

/** The options of the command; `timeout` is in seconds. */
export interface RunCommandOptions {
  readonly provider: string;
  readonly cwd: string;
  readonly model?: string;
  readonly maxTurns?: number;
  readonly timeout?: number;
  /** False where --no-pruner was given. */
  readonly pruner: boolean;
  /** False where --no-hooks was given. */
  readonly hooks: boolean;
}

const EXIT_BY_STATUS = { completed: 0, failed: 1, max_turns: 1, timed_out: 124, cancelled: 130 } as const;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs the agent and sets the exit code. The first signal stops the agent; a second one exits at once. */
export async function runCommand(task: string, options: RunCommandOptions): Promise<void> {
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const progress = createRunProgress({ say, paint: createPaint(process.stderr, process.env) });
  const stop = new AbortController();
  let stoppedBy: (typeof SIGNALS)[number] | undefined;
  const onSignal = (signal: (typeof SIGNALS)[number]) => {
    // A second signal: exit without waiting. The agents' process groups end with us.
    if (stoppedBy !== undefined) process.exit(128 + constants.signals[signal]);
    stoppedBy = signal;
    say("jeeves: stopping");
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  atEnd(endIfStuck);
  // A reader that closes early (`| head`) does not stop the run.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  try {
    const outcome = await runAgent({
      provider: await createProvider(options.provider),
      prompt: task,
      cwd: options.cwd,
      env: toRunEnv(options, say),
      signal: stop.signal,
      onRecord: progress.show,
      ...hookPartsOf(options),
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
      ...(options.timeout === undefined ? {} : { timeoutMs: Math.round(options.timeout * 1000) }),
    });
    progress.finish(outcome);
    if (outcome.text !== "") process.stdout.write(`${toOutput(outcome.text, process.stdout.isTTY)}\n`);
    process.exitCode = exitCodeOf(outcome, stoppedBy);
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    say(`jeeves: ${error.message}\n        ${error.hint}`);
    process.exitCode = 2;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/** Without the pruner nothing could be asked for again, so nothing of the agent's own is cut either. */
function hookPartsOf({ hooks, pruner }: RunCommandOptions): { readonly hooks?: HookParts | false } {
  if (!hooks) return { hooks: false };
  if (!pruner) return {};
  return { hooks: { execPath: findOwnFiles().execPath } };
}

/** The library leaves the pruner off by default (J-83); people who type `jeeves run` want it. */
function toRunEnv({ pruner }: RunCommandOptions, say: (text: string) => void): NodeJS.ProcessEnv {
  const { env } = process;
  if (!pruner) return { ...env, JEEVES_PRUNER_ENABLED: "false" };
  if (env.JEEVES_PRUNER_ENABLED !== undefined) return env;
  say("jeeves: the pruner is on, because JEEVES_PRUNER_ENABLED is unset (--no-pruner turns it off)");
  return { ...env, JEEVES_PRUNER_ENABLED: "true" };
}

/** A pipe gets the agent's text as it is; a terminal gets it without control characters. */
function toOutput(text: string, isTerminal: boolean): string {
  const words = text.replace(/\n$/, "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach the terminal
  return isTerminal ? words.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "") : words;
}

function exitCodeOf({ status, error }: RunOutcome, stoppedBy: (typeof SIGNALS)[number] | undefined): number {
  if (status === "cancelled" && stoppedBy !== undefined) return 128 + constants.signals[stoppedBy];
  if (error?.code === "agent_missing" || error?.code === "agent_not_started") return 127;
  return error === undefined ? EXIT_BY_STATUS[status] : 2;
}
