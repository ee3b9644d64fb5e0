// A trial: while it runs, half of a project's new sessions are cut and the other half only counted, by the hash of the
// session's id, so that the two can be compared. One small file for each project in the state directory.
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { isRecord } from "@jeeves/base";
import {
  BOOKKEEPING_WAIT_MS,
  guarded,
  makeDirs,
  readPlainFile,
  reportFault,
  resolveStateDir,
  waitMsOf,
  writeFileAtomic,
} from "@jeeves/state";

/** Which half a session is in. */
export type Arm = "on" | "shadow";

/** The trial of a project. */
export interface Trial {
  readonly project: string;
  /** ISO times; `stopped` is absent while it runs. */
  readonly started: string;
  readonly stopped?: string;
  /** Sessions that were there when it started: they stay as they are. */
  readonly before: readonly string[];
}

const MAX_TRIAL_BYTES = 256 * 1024;

/** The half that a session belongs to: the same in every trial and on every machine. */
export function armOf(session: string): Arm {
  const [first = 0] = createHash("sha256").update(session).digest();
  return first % 2 === 0 ? "on" : "shadow";
}

/** The trial of a project, running or stopped. Never rejects and never hangs: a fault is reported. */
export async function readTrial(env: NodeJS.ProcessEnv, project: string): Promise<Trial | undefined> {
  const file = trialFile(env, project);
  try {
    const read = () => readPlainFile(file, { maxBytes: MAX_TRIAL_BYTES });
    const bytes = await guarded(resolveStateDir(env), waitMsOf(env, BOOKKEEPING_WAIT_MS), read);
    return bytes === undefined ? undefined : parseTrial(bytes.toString("utf8"), project);
  } catch (error) {
    reportFault("trial", file, error);
    return undefined;
  }
}

/** Writes the trial of its project, over an earlier one. Rejects with the system's error. */
export async function writeTrial(env: NodeJS.ProcessEnv, trial: Trial): Promise<void> {
  const file = trialFile(env, trial.project);
  await makeDirs(dirname(file), { mode: 0o700 });
  await writeFileAtomic(file, `${JSON.stringify(trial)}\n`);
}

/** The half of a session in a running trial; undefined without one, and for sessions that were there before it. */
export function armIn(trial: Trial | undefined, session: string): Arm | undefined {
  if (trial === undefined || trial.stopped !== undefined || session === "") return undefined;
  return trial.before.includes(session) ? undefined : armOf(session);
}

function trialFile(env: NodeJS.ProcessEnv, project: string): string {
  const id = createHash("sha256").update(project).digest("hex").slice(0, 16);
  return join(resolveStateDir(env), "trials", `${id}.json`);
}

function parseTrial(text: string, project: string): Trial {
  const value: unknown = JSON.parse(text);
  const isTime = (time: unknown): time is string => typeof time === "string" && !Number.isNaN(Date.parse(time));
  if (!isRecord(value) || value.project !== project || !isTime(value.started) || !Array.isArray(value.before))
    throw new Error("not the record of a trial");
  const { started, stopped, before } = value;
  return {
    project,
    started,
    ...(isTime(stopped) ? { stopped } : {}),
    before: before.filter((id) => typeof id === "string"),
  };
}
