// The wrapper around whatever a role did (C-13): value only when ok, error only when not. Failure has the same fields as
// success, plus why.
import { WorkspaceError } from "@jeeves/workspace";
import { ResearchError } from "../research-error.ts";

/** What a role answers. `notes` is null where there is nothing to add. */
export interface RoleResult {
  readonly summary: string;
  readonly references: readonly string[];
  readonly key_findings: readonly string[];
  readonly confidence: "low" | "med" | "high";
  readonly notes: string | null;
}

/** Milliseconds; `startedAt` since 1970. */
interface Timing {
  readonly startedAt: number;
  readonly elapsedMs: number;
}

interface RoleError {
  /** A stable code. */
  readonly name: string;
  readonly message: string;
}

/** How a task ended. */
export type Outcome<T> =
  | { readonly status: "ok"; readonly value: T; readonly timing: Timing }
  | { readonly status: "timeout" | "canceled" | "error"; readonly error: RoleError; readonly timing: Timing };

const MAX_MESSAGE_CHARS = 200;

/** The failure that an error stands for. The message of an unexpected error is not passed on. */
export function toFailure(error: unknown): {
  readonly status: "timeout" | "canceled" | "error";
  readonly error: RoleError;
} {
  const code =
    error instanceof ResearchError ? error.code : error instanceof WorkspaceError ? error.code : "internal_error";
  const status =
    code === "deadline_exceeded" || code === "timeout" ? "timeout" : code === "canceled" ? "canceled" : "error";
  // The message of an unexpected error may quote anything, so it goes to the log only.
  const message =
    error instanceof ResearchError || error instanceof WorkspaceError
      ? error.message
      : "an unexpected error; see the log";
  return { status, error: { name: code, message: message.slice(0, MAX_MESSAGE_CHARS) } };
}
