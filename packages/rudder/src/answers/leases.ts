// Claims, renewals, releases and the list of leases, for programs and in words.
import type { LeaseView } from "../haven/store.ts";
import { toIso } from "../iso-time.ts";
import type { TaskChange } from "../tasks/change-task.ts";
import type { Claimed, Released } from "../tasks/leases/leases.ts";
import type { Answer } from "./answer.ts";
import { type TableOptions, toTable } from "./table.ts";
import { brokenNotes, leaseToJson, leaseWords } from "./views.ts";

/** A claim, with the task's context where that was wanted. */
export function claimedAnswer({ change, waitsFor, context }: Claimed): Answer {
  const answer = leaseAnswer(change);
  if (context === undefined) return answer;
  return {
    json: { ...Object(answer.json), waits_for: waitsFor, context: context.text },
    text: `${answer.text}\n\n${context.text}`,
    notes: waitsFor.map((blocker) => `${change.taskId} still waits for ${blocker.id} (${blocker.state})`),
  };
}

/** A lease that was taken or renewed. */
export function leaseAnswer(change: TaskChange): Answer {
  const { lease, nowMs } = change;
  const json = lease === undefined ? {} : leaseToJson(lease, nowMs);
  const words = lease === undefined ? "" : `${leaseWords(lease, nowMs)}, token ${lease.token}`;
  const before = change.event === "taken-over" ? { taken_over_from: change.from?.holder.name ?? null } : {};
  return {
    json: { ...json, task_id: change.taskId, event: change.event, status: change.status, ...before },
    text: `${change.taskId}  ${change.event.replace("-", " ")}: ${words}`,
  };
}

/** A task that was given back. */
export function releasedAnswer({ change, hasTip }: Released): Answer {
  const { taskId } = change;
  const advice = `no tip was logged for ${taskId}; if you learned something, others want it: rudder task log ${taskId} … --tip`;
  return {
    json: { task_id: taskId, event: change.event, status: change.status },
    text: `${taskId}  released, ${change.status}`,
    notes: hasTip ? [] : [advice],
  };
}

/** Every lease in a table. */
export function leasesAnswer({ leases, broken, nowMs }: LeaseView, options: TableOptions): Answer {
  const rows = leases.map((lease) => [
    lease.taskId,
    lease.operation,
    toIso(lease.startedAtMs),
    leaseWords(lease, nowMs),
  ]);
  return {
    json: leases.map((lease) => leaseToJson(lease, nowMs)),
    text: toTable(["TASK", "OPERATION", "SINCE", "HOLDER"], rows, options) || "no task is held",
    notes: brokenNotes(broken),
  };
}
