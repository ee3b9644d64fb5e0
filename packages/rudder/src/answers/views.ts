// Artefacts, leases and problems as values for programs (in snake_case) and as short words for people.
import type { Artefact, Problem } from "../artefact/artefact.ts";
import { toIso } from "../iso-time.ts";
import { type Lease, remainingMs, remainingWords } from "../lease/lease.ts";
import type { LogLine } from "../memory/log-line.ts";

const SHOWN_PROBLEMS = 5;

/** The fields of an artefact that its kind has. */
export function toJson(artefact: Artefact): Record<string, unknown> {
  return {
    id: artefact.id,
    kind: artefact.kind,
    title: artefact.title,
    status: artefact.status ?? null,
    path: artefact.path,
    ...(artefact.kind === "prd" ? {} : { prd: artefact.prd ?? null }),
    ...(artefact.kind === "task"
      ? {
          epic: artefact.epic ?? null,
          assignee: artefact.assignee ?? null,
          effort: artefact.effort,
          priority: artefact.priority,
        }
      : {}),
    ...(artefact.kind === "epic" ? { milestone: artefact.milestone ?? null } : {}),
    ...(artefact.kind === "task" || artefact.kind === "epic" ? { blocked_by: artefact.blockedBy } : {}),
    ...(artefact.stories.length === 0 ? {} : { stories: artefact.stories }),
    tags: artefact.tags,
    ...(artefact.kind === "task" || artefact.kind === "epic" ? { target_versions: artefact.targets } : {}),
  };
}

/** A lease for programs; `remaining_s` is never below 0. */
export function leaseToJson(lease: Lease, nowMs: number): Record<string, unknown> {
  const left = remainingMs(lease, nowMs);
  return {
    task_id: lease.taskId,
    holder: lease.holder.name,
    holder_kind: lease.holder.kind,
    token: lease.token,
    operation: lease.operation,
    started_at: toIso(lease.startedAtMs),
    expires_at: toIso(lease.expiresAtMs),
    remaining_s: Math.max(0, Math.round(left / 1000)),
    live: left > 0,
  };
}

/** `ada, 12 min left` */
export function leaseWords(lease: Lease, nowMs: number): string {
  const left = remainingMs(lease, nowMs);
  return left > 0
    ? `${lease.holder.name}, ${remainingWords(lease, nowMs)} left`
    : `${lease.holder.name}, ended: free to take over`;
}

/** `PATH:LINE: message` */
export function problemWords(problem: Problem): string {
  return `${problem.path}${problem.line === undefined ? "" : `:${problem.line}`}: ${problem.message}`;
}

/** A cycle, and how to break it. */
export function cycleNote(cycle: readonly string[]): string {
  const [first = "", second = ""] = cycle;
  return `a cycle: ${[...cycle, first].join(" → ")}; break it: rudder deps remove ${first} --blocked-by ${second || first}`;
}

/** Run files that cannot be read. */
export function brokenNotes(runFiles: readonly string[]): string[] {
  return runFiles.map((path) => `${path} is no run file: delete it if nobody works on that task`);
}

/** A few by name, the rest by number: a broken haven must not drown the answer. */
export function problemNotes(problems: readonly Problem[]): string[] {
  const notes = problems.slice(0, SHOWN_PROBLEMS).map(problemWords);
  const rest = problems.length - notes.length;
  return rest > 0 ? [...notes, `${rest} more: rudder deps validate`] : notes;
}

/** A log line for programs, without fields that it does not have. */
export function logToJson(line: LogLine): Record<string, unknown> {
  return {
    at: line.at,
    level: line.level,
    ...(line.taskId === undefined ? {} : { task_id: line.taskId }),
    message: line.message,
    ...(line.files === undefined ? {} : { files: line.files }),
    ...(line.snippet === undefined ? {} : { snippet: line.snippet }),
    ...(line.command === undefined ? {} : { command: line.command }),
    ...(line.by === undefined ? {} : { by: line.by }),
  };
}

/** A log line for people; its further lines are indented. */
export function logWords(line: LogLine): string {
  const files = line.files === undefined ? "" : ` (${line.files.join(", ")})`;
  const command = line.command === undefined ? "" : ` [$ ${line.command}]`;
  const task = line.taskId === undefined ? "" : `${line.taskId} `;
  const snippet = line.snippet === undefined ? "" : `\n    ${line.snippet.replace(/\n/g, "\n    ")}`;
  return `${line.level.toUpperCase()} ${task}${line.message.replace(/\n/g, "\n    ")}${files}${command}${snippet}`;
}
