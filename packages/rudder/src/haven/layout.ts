// Where everything is in a haven (RU-04, RU-08 … RU-11). Computes paths only; names come from parsed ids and from
// nothing else.
import { join } from "node:path";
import { normaliseId } from "../ids.ts";

/** The folder of each kind within that of its PRD. */
export const FOLDER_OF = { epic: "epics", task: "tasks", story: "stories" } as const;

/** The paths of a haven, below `haven` as it was given. The methods take ids that were parsed. */
export interface Layout {
  readonly haven: string;
  readonly prds: string;
  /** Laid out like a haven: `archive/artefacts/prds/…`. */
  readonly archive: string;
  readonly memory: string;
  readonly runs: string;
  /** A directory for each task that an agent was spawned for. */
  readonly agents: string;
  readonly assignments: string;
  readonly counters: string;
  readonly lock: string;
  /** What a change under way has to do. */
  readonly journal: string;
  readonly audit: string;
  readonly oldAudit: string;
  readonly operations: string;
  readonly oldOperations: string;
  readonly indexCache: string;
  readonly roadmap: string;
  readonly postit: string;
  readonly projectMemory: string;
  run(taskId: string): string;
  fence(taskId: string): string;
  assignment(taskId: string): string;
  log(id: string): string;
  memoryOf(id: string): string;
}

/**
 * The name of an id's files: one for one number, however many digits a project shows. Two clones share a haven, and
 * each has its own setting; T042 and T0042 as two files would be two leases of one task.
 */
export function fileIdOf(id: string): string {
  return normaliseId(id) ?? id;
}

/** The paths of a haven in files; no file is looked at. */
export function layoutOf(haven: string): Layout {
  const artefacts = join(haven, "artefacts");
  const memory = join(haven, "memory");
  return {
    haven,
    prds: join(artefacts, "prds"),
    archive: join(haven, "archive"),
    memory,
    runs: join(haven, "runs"),
    agents: join(haven, "agents"),
    assignments: join(haven, "assignments"),
    counters: join(haven, "state.json"),
    lock: join(haven, ".lock"),
    journal: join(haven, "runs", ".journal"),
    audit: join(haven, "runs", "audit.jsonl"),
    oldAudit: join(haven, "runs", "audit.1.jsonl"),
    operations: join(haven, "runs", "operations.jsonl"),
    oldOperations: join(haven, "runs", "operations.1.jsonl"),
    indexCache: join(haven, ".cache", "artefacts.json"),
    roadmap: join(artefacts, "ROADMAP.md"),
    postit: join(artefacts, "POSTIT.md"),
    projectMemory: join(artefacts, "MEMORY.md"),
    run: (taskId) => join(haven, "runs", `${fileIdOf(taskId)}.run`),
    fence: (taskId) => join(haven, "fences", `${fileIdOf(taskId)}.json`),
    assignment: (taskId) => join(haven, "assignments", `${fileIdOf(taskId)}.yaml`),
    log: (id) => join(memory, `${fileIdOf(id)}.log`),
    memoryOf: (id) => join(memory, `${fileIdOf(id)}.md`),
  };
}
