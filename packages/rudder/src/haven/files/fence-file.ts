// `fences/T042.json`: the latest token of a task and who lost it. It outlives the run file, so that tokens grow
// over releases too.
import { isRecord } from "@jeeves/base";
import type { TaskState } from "../../lease/decide.ts";
import type { Caller } from "../../lease/lease.ts";

/** What is remembered of a task's former leases. */
export type Fence = Pick<TaskState, "lastToken" | "lost">;

/** The text of a fence file. */
export function toFenceFile(fence: Fence): string {
  return `${JSON.stringify({ last_token: fence.lastToken, lost: fence.lost })}\n`;
}

/** A file that is missing or damaged remembers nothing; the run file's own token still counts. */
export function parseFenceFile(text: string | undefined, runToken: number): Fence {
  const none = { lastToken: runToken, lost: [] };
  if (text === undefined) return none;
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return none;
    const token = Number.isSafeInteger(value.last_token) ? Number(value.last_token) : 0;
    const lost = Array.isArray(value.lost) ? value.lost.filter(isCaller) : [];
    return { lastToken: Math.max(token, runToken), lost };
  } catch {
    return none;
  }
}

function isCaller(value: unknown): value is Caller {
  return isRecord(value) && (value.kind === "name" || value.kind === "connection") && typeof value.name === "string";
}
