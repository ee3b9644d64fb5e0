// The wrapper around whatever a role did (C-13): value only when ok, error only when not. Failure has the same fields as
// success, plus why.
import { WorkspaceError } from "@jeeves/workspace";
import { ResearchError } from "../research-error.ts";

export interface RoleResult {
  readonly summary: string;
  readonly references: readonly string[];
  readonly key_findings: readonly string[];
  readonly confidence: "low" | "med" | "high";
  readonly notes: string | null;
}

interface Timing {
  readonly startedAt: number;
  readonly elapsedMs: number;
}

interface RoleError {
  /** A stable code. */
  readonly name: string;
  readonly message: string;
}

export type Outcome<T> =
  | { readonly status: "ok"; readonly value: T; readonly timing: Timing }
  | { readonly status: "timeout" | "canceled" | "error"; readonly error: RoleError; readonly timing: Timing };

const MAX_MESSAGE_CHARS = 200;

export function toFailure(error: unknown): {
  readonly status: "timeout" | "canceled" | "error";
  readonly error: RoleError;
} {
  const code =
    error instanceof ResearchError ? error.code : error instanceof WorkspaceError ? error.code : "internal_error";
  const status =
    code === "deadline_exceeded" || code === "timeout" ? "timeout" : code === "canceled" ? "canceled" : "error";
  // What was not foreseen keeps its words for the log: they may quote anything.
  const message =
    error instanceof ResearchError || error instanceof WorkspaceError
      ? error.message
      : "an unexpected error; see the log";
  return { status, error: { name: code, message: message.slice(0, MAX_MESSAGE_CHARS) } };
}
