// Why a run cannot start, with a code from a closed list and a hint. How a run that has started ends is a value
// (RunOutcome), not an error.

/** The reasons for which a run cannot start. */
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

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
