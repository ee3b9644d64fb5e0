// rudder context load: a task's whole context, or what to know before an operation.
import { composeContext } from "../../context/compose-context.ts";
import { OPERATIONS, type Role } from "../../context/operations.ts";
import { parseId, readId } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";
import type { Answer } from "../answer.ts";
import type { Session } from "../session.ts";

export interface ContextRequest {
  readonly what: string;
  readonly role: Role;
  readonly budget?: number;
}

export async function loadContext(session: Session, request: ContextRequest): Promise<Answer> {
  if (readId(request.what) !== undefined) {
    const taskId = parseId(request.what, { kinds: ["task"], digits: session.store.digits });
    const budget = request.budget === undefined ? {} : { budget: request.budget };
    const context = await composeContext(session, { taskId, ...budget });
    return {
      json: { task_id: taskId, text: context.text, tokens: context.tokens, cut: context.isCut },
      text: context.text,
    };
  }
  const known = OPERATIONS.filter((one) => one.roles.includes(request.role));
  const operation = known.find((one) => one.name === request.what);
  if (operation === undefined) {
    throw new RudderError(
      "not_found",
      `${JSON.stringify(request.what)} is no task and no operation of ${request.role}s`,
      {
        hint: `a task id like T042, or one of: ${known.map((one) => one.name).join(", ")}`,
      },
    );
  }
  return { json: { operation: operation.name, role: request.role, text: operation.text }, text: operation.text };
}
