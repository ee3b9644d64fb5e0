// What can go wrong in research, as a closed list of codes that stay the same (C-20). The message is for people.

/** The codes of failures; they keep their meaning. */
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

/** A refusal or failure of research, with a hint on what to do. */
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
