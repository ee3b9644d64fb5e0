// `jeeves trial`: the user's own proof. Half of a project's new sessions are cut, the other half only counted; the report
// compares their bills, from the transcripts.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type MeterEntry, readMeter, readMode, readTrial, type Trial, writeTrial } from "@jeeves/cut";
import { findProject } from "@jeeves/workspace/project";
import { CliError } from "../cli-error.ts";
import { snakeCased } from "../look/snake-cased.ts";
import { sessionsSince } from "../stats/sessions.ts";
import { openTranscriptBook } from "../stats/transcript-book.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { tellStateFaults } from "../terminal/state-faults.ts";
import { linesOfReport, reportOf } from "../trial/report.ts";
import { inProject, sessionsOf, type TrialSessions } from "../trial/trial-sessions.ts";

/** What the command does. */
export type TrialAction = "start" | "status" | "report" | "stop";

/** The options of the command. */
interface TrialOptions {
  readonly project?: string;
  readonly json?: boolean;
}

const DAY_MS = 86_400_000;
/** Sessions older than this are rarely resumed; the report leaves out those that are. */
const BEFORE_DAYS = 30;
const MAX_BEFORE = 1_000;

/** Starts, shows, reports or stops the trial of a project. */
export async function trialCommand(action: TrialAction, options: TrialOptions): Promise<void> {
  tellStateFaults();
  const { env } = process;
  const dir = resolve(options.project ?? ".");
  if (action === "start" && (await stat(dir).catch(() => undefined))?.isDirectory() !== true)
    throw new CliError(`--project ${dir} is not a directory`, "name the directory of a project");
  const project = await findProject(dir);
  const trial = await readTrial(env, project);
  const out = (...lines: readonly string[]): void => {
    process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  };
  if (action === "start") return start(project, trial, { env, out });
  if (trial === undefined)
    throw new CliError(`there is no trial of ${project}`, `${ownCommand("trial start")} starts one`);
  if (action === "stop") {
    if (trial.stopped !== undefined) return out(`the trial ended at ${trial.stopped}`);
    await writeTrial(env, { ...trial, stopped: new Date().toISOString() });
    return out(`stopped; ${ownCommand("trial report")} says what it has shown`);
  }
  const sessions = await readSessions(trial, env);
  if (action === "status") {
    const { on, shadow } = sessions;
    const state = trial.stopped === undefined ? "runs" : `ended at ${trial.stopped}`;
    return out(`${project}: ${state}, since ${trial.started}; ${on.length} sessions on, ${shadow.length} in shadow`);
  }
  const report = reportOf(sessions);
  out(...(options.json === true ? [JSON.stringify(snakeCased(report))] : linesOfReport(report)));
}

async function start(
  project: string,
  trial: Trial | undefined,
  { env, out }: { readonly env: NodeJS.ProcessEnv; readonly out: (...lines: readonly string[]) => void },
): Promise<void> {
  if (trial !== undefined && trial.stopped === undefined)
    throw new CliError(`a trial runs since ${trial.started}`, `${ownCommand("trial stop")} ends it`);
  const sinceMs = Date.now() - BEFORE_DAYS * DAY_MS;
  const { threads } = await openTranscriptBook(env).read({ sinceMs });
  const known = (await inProject(sessionsSince(threads, sinceMs), project)).sort((a, b) => b.lastMs - a.lastMs);
  const before = known.slice(0, MAX_BEFORE).map(({ id }) => id);
  await writeTrial(env, { project, started: new Date().toISOString(), before });
  out(
    `started: each new session of ${project} is on or in shadow, by the hash of its id`,
    `${ownCommand("trial report")} compares them; sessions that are under way stay as they are`,
  );
  const mode = await readMode(env);
  const named = env.JEEVES_MODE;
  if (named) process.stderr.write(`jeeves: JEEVES_MODE=${named} is set and wins over the trial\n`);
  else if (mode === "off") process.stderr.write(`jeeves: off wins over the trial: ${ownCommand("on")} ends it\n`);
}

async function readSessions(trial: Trial, env: NodeJS.ProcessEnv): Promise<TrialSessions> {
  const entries: MeterEntry[] = [];
  for await (const entry of readMeter(env)) entries.push(entry);
  return sessionsOf(trial, await openTranscriptBook(env).read({ sinceMs: Date.parse(trial.started) }), entries);
}
