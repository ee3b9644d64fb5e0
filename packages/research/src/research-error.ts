// The errors of research, as a closed list of codes (C-20).

/** Codes are a contract: they go into tool errors and into the `error.name` of a failed role. */
export type ResearchErrorCode =
  | "deadline_exceeded"
  | "canceled"
  | "saturated"
  | "root_unavailable"
  | "root_not_allowed"
  | "search_failed"
  | "provider_failed"
  | "artifact_failed"
  | "handoff_unreadable"
  | "invalid_config"
  | "internal_error";

/** An error that may be shown: `message` is for people, and `hint` is what to try next, "" where there is nothing. */
export class ResearchError extends Error {
  readonly code: ResearchErrorCode;
  readonly hint: string;

  constructor(
    code: ResearchErrorCode,
    message: string,
    options: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "ResearchError";
    this.code = code;
    this.hint = options.hint ?? "";
  }
}
