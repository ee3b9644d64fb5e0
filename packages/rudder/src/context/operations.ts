// What to know before an operation, for `context load <operation>`: the same words for people, skills and agents.

const ROLES = ["agent", "skill", "coordinator"] as const;
/** Who reads a context; skills and coordinators also plan. */
export type Role = (typeof ROLES)[number];

/** What to know before one kind of work, and the roles that it is for. */
export interface Operation {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly text: string;
}

const EVERYONE = ROLES;

export const OPERATIONS: readonly Operation[] = [
  {
    name: "task-start",
    roles: EVERYONE,
    text: `Find work: rudder task next. Take it: rudder assign claim T042; its context comes back.
A refusal names the holder: take another task. A claim lasts 30 minutes and every call of yours renews it.
Read what others learned before you start: rudder task show-memory T042.`,
  },
  {
    name: "task-log",
    roles: EVERYONE,
    text: `Log what the next reader needs, when you learn it: rudder task log T042 "…" --tip -f path -c "command".
Levels: info (progress), tip (worth knowing), warn, error, critical (stop and look).`,
  },
  {
    name: "task-done",
    roles: EVERYONE,
    text: `Tick what is delivered: rudder artifact check T042 "text of the box". Log a tip if you learned something.
Then: rudder assign release T042. If you are stuck: rudder assign release T042 --status blocked, with a log line why.`,
  },
  {
    name: "memory-sync",
    roles: ["skill", "coordinator"],
    text: `Move task logs into their epics: rudder memory sync. Then keep what lasts: rudder memory add E001 "…",
or for everyone: rudder memory add project "…" --section "Lessons Learned".`,
  },
  {
    name: "plan",
    roles: ["skill", "coordinator"],
    text: `A PRD says what for: rudder prd create "…". Epics cut it: rudder epic create PRD-001 "…".
Tasks are what one agent does in one go: rudder task create E001 "…" --blocked-by T001 --effort S.
Check: rudder deps validate, rudder deps critical.`,
  },
];
