// The sessions of a trial, each as four numbers, by the half that it was in.
import { type Arm, armOf, type MeterEntry, type Trial, totalOf } from "@jeeves/cut";
import { findProject } from "@jeeves/workspace/project";
import { type ClientSession, sessionsSince } from "../stats/sessions.ts";
import type { Transcripts } from "../stats/transcript-book.ts";

/** What one session came to. */
export interface SessionFigures {
  /** In plain input tokens. */
  readonly bill: number;
  /** Calls of the model. */
  readonly turns: number;
  /** Results of reading a file that the session had read before. */
  readonly reReads: number;
  /** Results of tools that failed. */
  readonly failures: number;
}

/** The sessions of both halves. */
export interface TrialSessions {
  readonly on: readonly SessionFigures[];
  readonly shadow: readonly SessionFigures[];
  /** Sessions that another mode was set for while they ran. */
  readonly leftOut: number;
}

/** The sessions of the trial's project that began while it ran. */
export async function sessionsOf(
  trial: Trial,
  { threads }: Pick<Transcripts, "threads">,
  entries: readonly MeterEntry[],
): Promise<TrialSessions> {
  const [startMs, endMs] = [Date.parse(trial.started), Date.parse(trial.stopped ?? "") || Number.POSITIVE_INFINITY];
  const kinds = kindsBySession(entries);
  const found: Record<Arm, SessionFigures[]> = { on: [], shadow: [] };
  let leftOut = 0;
  for (const session of await inProject(sessionsSince(threads, startMs), trial.project)) {
    if (session.isOlder || session.firstMs > endMs || trial.before.includes(session.id)) continue;
    const arm = armOf(session.id);
    // JEEVES_MODE and `jeeves off` win over a trial.
    if (kinds.get(session.id)?.has(arm === "on" ? "shadow" : "cut") === true) leftOut++;
    else found[arm].push(figuresOf(session));
  }
  return { ...found, leftOut };
}

/** Those whose directory belongs to the project. */
export async function inProject(sessions: readonly ClientSession[], project: string): Promise<ClientSession[]> {
  const projects = new Map<string, string>();
  for (const { dir } of sessions)
    if (dir.startsWith("/") && !projects.has(dir)) projects.set(dir, await findProject(dir));
  return sessions.filter(({ dir }) => projects.get(dir) === project);
}

function figuresOf({ threads }: ClientSession): SessionFigures {
  const figures = { bill: 0, turns: 0, reReads: 0, failures: 0 };
  const read = new Set<string>();
  for (const thread of threads)
    thread.calls.forEach(({ results }, index) => {
      const priced = thread.priced[index];
      if (priced === undefined || !thread.isCounted(index)) return;
      figures.turns++;
      figures.bill += totalOf(priced.parts);
      for (const { isError, path } of results) {
        if (isError) figures.failures++;
        if (path === undefined) continue;
        if (read.has(path)) figures.reReads++;
        read.add(path);
      }
    });
  return figures;
}

function kindsBySession(entries: readonly MeterEntry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const { session, kind, by } of entries) {
    if (by === "person" || session === "") continue;
    const found = kinds.get(session) ?? new Set();
    kinds.set(session, found.add(kind));
  }
  return kinds;
}
