// `assignments/T042.yaml` (RU-11): what became of a claim, for people and programs that look later.
import { isMap, parseDocument } from "yaml";
import { toIso } from "../../iso-time.ts";
import type { Assignment } from "../store.ts";
import { toPlainYaml } from "./run-file.ts";

/** The text of an assignment file. */
export function toAssignmentFile(assignment: Assignment): string {
  return toPlainYaml({
    taskId: assignment.taskId,
    epicId: assignment.epicId,
    operation: assignment.operation,
    status: assignment.status,
    created_at: toIso(assignment.createdAtMs),
    ...(assignment.claimedAtMs === undefined ? {} : { claimed_at: toIso(assignment.claimedAtMs) }),
    ...(assignment.completedAtMs === undefined ? {} : { completed_at: toIso(assignment.completedAtMs) }),
    projectHash: assignment.projectHash,
    ...(assignment.success === undefined ? {} : { success: assignment.success }),
  });
}

/** undefined for what cannot be read: an assignment decides nothing, and the next claim writes a new one. */
export function parseAssignmentFile(text: string, taskId: string): Assignment | undefined {
  const document = parseDocument(text, { schema: "failsafe" });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  const fields: Record<string, unknown> = document.toJS();
  const word = (name: string): string => String(fields[name] ?? "");
  const status = (["pending", "claimed", "complete"] as const).find((one) => one === word("status"));
  const createdAtMs = Date.parse(word("created_at"));
  if (status === undefined || !Number.isFinite(createdAtMs)) return undefined;
  const claimedAtMs = Date.parse(word("claimed_at"));
  const completedAtMs = Date.parse(word("completed_at"));
  return {
    taskId,
    epicId: word("epicId"),
    operation: word("operation"),
    status,
    createdAtMs,
    ...(Number.isFinite(claimedAtMs) ? { claimedAtMs } : {}),
    ...(Number.isFinite(completedAtMs) ? { completedAtMs } : {}),
    projectHash: word("projectHash"),
    ...(fields.success === undefined ? {} : { success: word("success") === "true" }),
  };
}
