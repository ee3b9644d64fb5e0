// The only error of this package, with a code from a closed list and a hint. A command that failed or
// timed out is a value (`CommandOutcome`), not an error.
import { shownText, systemCodeOf } from "@jeeves/base";

/** The reasons of a WorkspaceError. */
export type WorkspaceErrorCode =
  | "not_found"
  | "permission_denied"
  | "invalid_path"
  | "io_error"
  | "invalid_cwd"
  | "spawn_error"
  | "rg_error"
  | "timeout"
  | "denied";

/** Why a file, a command or a search was refused or failed, with a hint for the user. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  readonly code: WorkspaceErrorCode;
  readonly hint: string;
  readonly exitCode?: number;

  constructor(
    code: WorkspaceErrorCode,
    message: string,
    options: { readonly hint: string; readonly exitCode?: number; readonly cause?: unknown },
  ) {
    // The message may contain file names, so it becomes one line. `rg_error` messages have passed run-engine.ts's own check.
    super(
      code === "rg_error" ? message : shownText(message),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.hint = options.hint;
    if (options.exitCode !== undefined) this.exitCode = options.exitCode;
  }
}

/** A system error about a path as a WorkspaceError. Aborts, WorkspaceErrors and errors without a code pass through. */
export function toFileError(error: unknown, shownPath: string): unknown {
  if (error instanceof WorkspaceError) return error;
  const code = systemCodeOf(error);
  switch (code) {
    case undefined:
    case "ABORT_ERR":
      return error;
    case "ENOENT":
    case "ENOTDIR":
      return new WorkspaceError("not_found", `no such file: ${shownPath}`, {
        hint: "list the directory, or search for the name",
        cause: error,
      });
    case "EACCES":
    case "EPERM":
      return new WorkspaceError("permission_denied", `not allowed to read ${shownPath}`, {
        hint: "ask for access, or read another file",
        cause: error,
      });
    case "ELOOP":
      return invalidPath(shownPath, "is a loop of symbolic links");
    case "EISDIR":
      return invalidPath(shownPath, "is a directory");
    case "ENAMETOOLONG":
    case "EINVAL":
    case "ERR_INVALID_ARG_VALUE":
      return invalidPath(shownPath, `is not a usable path (${code})`);
    default:
      return new WorkspaceError("io_error", `${code} while reading ${shownPath}`, { hint: "try again", cause: error });
  }
}

/** An `invalid_path` error whose message is the path followed by `what`. */
export function invalidPath(shownPath: string, what: string): WorkspaceError {
  return new WorkspaceError("invalid_path", `${shownPath} ${what}`, {
    hint: "name a regular file inside the root, relative to it",
  });
}
