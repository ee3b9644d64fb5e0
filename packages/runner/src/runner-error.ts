// What keeps a run from starting, with a code from a closed list and the next thing to try. What happens to a run that
// has started is a value (RunOutcome), not an error.

/** What a RunnerError is about. */
export type RunnerErrorCode =
  | "unknown_provider"
  | "agent_missing"
  | "agent_not_started"
  | "cwd_unusable"
  | "script_invalid";

/** Why a run cannot be started, with a hint for the user. */
export class RunnerError extends Error {
  readonly code: RunnerErrorCode;
  readonly hint: string;

  constructor(code: RunnerErrorCode, message: string, options: { readonly hint: string }) {
    super(message);
    this.name = "RunnerError";
    this.code = code;
    this.hint = options.hint;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
