// A task's whole context, or what to know before an operation.
import { type Context, composeContext } from "../context/compose-context.ts";
import { OPERATIONS, type Operation, type Role } from "../context/operations.ts";
import { parseId, readId } from "../ids.ts";
import { RudderError } from "../rudder-error.ts";
import type { TaskSession } from "./session.ts";

/** A task id or the name of an operation, and who reads it. */
export interface ContextRequest {
  readonly what: string;
  readonly role: Role;
  readonly budget?: number | undefined;
}

/** What was asked for. */
export type LoadedContext =
  | ({ readonly kind: "task" } & Context)
  | { readonly kind: "operation"; readonly operation: Operation; readonly role: Role };

/** Loads the context of a task or of an operation. */
export async function loadContext(session: TaskSession, request: ContextRequest): Promise<LoadedContext> {
  if (readId(request.what) !== undefined) {
    const taskId = parseId(request.what, { kinds: ["task"], digits: session.store.digits });
    const budget = request.budget === undefined ? {} : { budget: request.budget };
    return { kind: "task", ...(await composeContext(session, { taskId, ...budget })) };
  }
  const known = OPERATIONS.filter((one) => one.roles.includes(request.role));
  const operation = known.find((one) => one.name === request.what);
  if (operation !== undefined) return { kind: "operation", operation, role: request.role };
  throw new RudderError(
    "not_found",
    `${JSON.stringify(request.what)} is no task and no operation of ${request.role}s`,
    {
      hint: `a task id like T042, or one of: ${known.map((one) => one.name).join(", ")}`,
    },
  );
}
