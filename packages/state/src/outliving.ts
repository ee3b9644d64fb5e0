// A process that is started during a run but for others, and goes on when the run ends: a server that all agents share,
// another agent's supervisor. A run ends everything that carries its id or descends from it, but for these.

const OUTLIVES = "JEEVES_OUTLIVES_RUN";

/** The starter's environment without what names its run; outside of a run, the environment as it is. */
export function toOutlivingEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { JEEVES_RUN_ID: runId, JEEVES_EVENT_LOG: _runs, ...rest } = env;
  return runId ? { ...rest, [OUTLIVES]: runId } : env;
}

/** `NAME=value` as it stands in such a process' environment. */
export function outlivingMark(runId: string): string {
  return `${OUTLIVES}=${runId}`;
}
