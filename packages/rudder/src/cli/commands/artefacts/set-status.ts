// rudder task start|done|block: a status through the rules; a reason goes into the log in the same step.
import { applyTaskCommand } from "../../../actions/task-command.ts";
import { parseId } from "../../../ids.ts";
import { toIso } from "../../../lease/instant.ts";
import type { TaskStatus } from "../../../statuses.ts";
import type { Answer } from "../../answer.ts";
import type { Session } from "../../session.ts";

export async function setStatus(
  session: Session,
  request: { readonly id: string; readonly status: TaskStatus; readonly force: boolean; readonly reason: string },
): Promise<Answer> {
  const id = parseId(request.id, { kinds: ["task"], digits: session.store.digits });
  const by = session.caller;
  const change = await session.store.change(
    async (step) => {
      const command = { kind: "set-status" as const, by, status: request.status, force: request.force };
      const done = await applyTaskCommand(step, { taskId: id, command }, session);
      if (request.reason.trim() !== "") {
        const at = toIso(session.clock().wallMs);
        const who = by.kind === "name" ? { by: by.name } : {};
        await step.appendLog(id, { at, level: "warn", message: `Blocked: ${request.reason}`, ...who });
      }
      return done;
    },
    { signal: session.signal },
  );
  return {
    json: { id, status: change.status, title: change.title },
    text: `${id}  ${change.status}  ${change.title}`,
  };
}
