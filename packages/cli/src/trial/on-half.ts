// Which sessions a trial put on. Where nothing was cut in them they look like sessions in shadow, but are not.
import { armOf, readTrial, type Trial } from "@jeeves/cut";
import { findProject } from "@jeeves/workspace/project";

/** What is asked about a session. */
interface OfTrial {
  readonly session: string;
  readonly project: string;
  readonly firstMs: number;
  readonly total: { readonly shadowCuts: number };
}

/** The sessions without those that a trial of their project put on. */
export async function withoutOnHalf<S extends OfTrial>(sessions: readonly S[], env: NodeJS.ProcessEnv): Promise<S[]> {
  const trials = new Map<string, Trial | undefined>();
  for (const { project } of sessions)
    if (project.startsWith("/") && !trials.has(project))
      trials.set(project, await readTrial(env, await findProject(project)));
  return sessions.filter((session) => !isOn(trials.get(session.project), session));
}

function isOn(trial: Trial | undefined, { session, firstMs, total }: OfTrial): boolean {
  // Another mode wins over a trial: then it was in shadow all the same.
  if (trial === undefined || total.shadowCuts > 0 || trial.before.includes(session) || armOf(session) !== "on")
    return false;
  const endMs = Date.parse(trial.stopped ?? "") || Number.POSITIVE_INFINITY;
  return firstMs >= Date.parse(trial.started) && firstMs <= endMs;
}
