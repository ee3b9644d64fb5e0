// The result of a mission: `result.yaml` (RU-18), made by the supervisor, not by the agent.
import { stringify } from "yaml";
import * as z from "zod";
import type { LogLine } from "../../memory/log-line.ts";

/** The form of `result.yaml`. */
export const resultSchema = z.strictObject({
  version: z.literal("1"),
  task_id: z.string(),
  status: z.enum(["completed", "failed", "blocked"]),
  files_modified: z.array(z.string()),
  log: z.array(z.string()).min(2),
  issues: z.array(z.string()),
  completed_at: z.iso.datetime(),
});
export type Result = z.infer<typeof resultSchema>;

interface ResultFacts {
  readonly taskId: string;
  readonly name: string;
  /** What the task is now. */
  readonly taskStatus: string | undefined;
  readonly isCompleted: boolean;
  readonly files: readonly string[];
  /** The task's own log. */
  readonly log: readonly LogLine[];
  /** The agent's last words, and why it ended if not well. */
  readonly lastWords: string;
  readonly message: string | undefined;
  readonly at: string;
}

/** `blocked` where the task is Blocked, else `completed` or `failed`. The log has two lines at least. */
export function composeResult(facts: ResultFacts): Result {
  const own = facts.log.filter((line) => line.by === facts.name);
  const words = own.map((line) => `${line.level}: ${line.message}`);
  const end = facts.isCompleted ? "ended: completed" : `ended: ${facts.message ?? "not completed"}`;
  return resultSchema.parse({
    version: "1",
    task_id: facts.taskId,
    status: facts.taskStatus === "Blocked" ? "blocked" : facts.isCompleted ? "completed" : "failed",
    files_modified: facts.files,
    log: [
      ...(words.length === 0 ? [`started: ${facts.name}`] : words),
      ...(facts.lastWords === "" ? [] : [facts.lastWords]),
      end,
    ],
    issues: [
      ...own.filter((line) => line.level === "error" || line.level === "critical").map((line) => line.message),
      ...(facts.message === undefined ? [] : [facts.message]),
    ],
    completed_at: facts.at,
  });
}

export function toResultFile(result: Result): string {
  return stringify(result);
}
