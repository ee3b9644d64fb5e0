// The statuses of each kind of artefact and the other names that people give them (RU-06). Words only.
import type { Kind } from "./ids.ts";
import { RudderError } from "./rudder-error.ts";

/** The statuses of tasks, as files have them. */
export const TASK_STATUSES = ["Not Started", "In Progress", "Blocked", "Done", "Cancelled"] as const;
/** The statuses of epics. */
export const EPIC_STATUSES = ["Not Started", "In Progress", "Done"] as const;
/** The statuses of PRDs and of stories. */
export const PRD_STATUSES = ["Draft", "In Review", "Approved", "In Progress", "Done"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
/** A status of any kind of artefact. */
export type Status = TaskStatus | (typeof PRD_STATUSES)[number];

const STATUSES: Readonly<Record<Kind, readonly Status[]>> = {
  task: TASK_STATUSES,
  epic: EPIC_STATUSES,
  prd: PRD_STATUSES,
  story: PRD_STATUSES,
};

const ALIASES: Readonly<Record<string, Status>> = {
  todo: "Not Started",
  open: "Not Started",
  new: "Not Started",
  pending: "Not Started",
  backlog: "Not Started",
  wip: "In Progress",
  doing: "In Progress",
  started: "In Progress",
  active: "In Progress",
  working: "In Progress",
  ongoing: "In Progress",
  stuck: "Blocked",
  waiting: "Blocked",
  onhold: "Blocked",
  complete: "Done",
  completed: "Done",
  finished: "Done",
  closed: "Done",
  resolved: "Done",
  canceled: "Cancelled",
  dropped: "Cancelled",
  wontfix: "Cancelled",
  abandoned: "Cancelled",
  review: "In Review",
  reviewing: "In Review",
  accepted: "Approved",
};

/** The canonical name, or undefined for a word that no artefact of this kind can have. */
export function readStatus(kind: Kind, text: string): Status | undefined {
  const word = text.toLowerCase().replace(/[\s_-]+/g, "");
  const known = STATUSES[kind].find((status) => status.toLowerCase().replaceAll(" ", "") === word);
  if (known !== undefined) return known;
  const alias = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined;
  return alias !== undefined && STATUSES[kind].includes(alias) ? alias : undefined;
}

/** The canonical name; throws `invalid_argument` with the statuses of this kind. */
export function parseStatus(kind: Kind, text: string): Status {
  const status = readStatus(kind, text);
  if (status !== undefined) return status;
  throw new RudderError(
    "invalid_argument",
    `${JSON.stringify(text)} is no status of ${kind === "epic" ? "an" : "a"} ${kind}`,
    {
      hint: `one of: ${STATUSES[kind].join(", ")} (short: todo, wip, stuck, done …)`,
    },
  );
}

/** The same for tasks. */
export function parseTaskStatus(text: string): TaskStatus {
  const status = parseStatus("task", text);
  const found = TASK_STATUSES.find((known) => known === status);
  if (found === undefined) throw new TypeError(`a task status outside its own list: ${status}`);
  return found;
}
