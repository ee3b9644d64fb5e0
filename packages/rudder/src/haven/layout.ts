// Where everything is in a haven (RU-04, RU-08 … RU-11). Words only: no name here comes from anything but an id that has
// been parsed.
import { join } from "node:path";

export const FOLDER_OF = { epic: "epics", task: "tasks", story: "stories" } as const;

export interface Layout {
  readonly haven: string;
  readonly prds: string;
  readonly memory: string;
  readonly runs: string;
  readonly assignments: string;
  readonly counters: string;
  readonly lock: string;
  readonly audit: string;
  readonly indexCache: string;
  readonly roadmap: string;
  readonly postit: string;
  readonly projectMemory: string;
  run(taskId: string): string;
  assignment(taskId: string): string;
  log(id: string): string;
  memoryOf(id: string): string;
}

export function layoutOf(haven: string): Layout {
  const artefacts = join(haven, "artefacts");
  const memory = join(haven, "memory");
  return {
    haven,
    prds: join(artefacts, "prds"),
    memory,
    runs: join(haven, "runs"),
    assignments: join(haven, "assignments"),
    counters: join(haven, "state.json"),
    lock: join(haven, ".lock"),
    audit: join(haven, "runs", "audit.jsonl"),
    indexCache: join(haven, ".cache", "artefacts.json"),
    roadmap: join(artefacts, "ROADMAP.md"),
    postit: join(artefacts, "POSTIT.md"),
    projectMemory: join(artefacts, "MEMORY.md"),
    run: (taskId) => join(haven, "runs", `${taskId}.run`),
    assignment: (taskId) => join(haven, "assignments", `${taskId}.yaml`),
    log: (id) => join(memory, `${id}.log`),
    memoryOf: (id) => join(memory, `${id}.md`),
  };
}
