// The one error of this package: a code from a closed list, and the next thing to try. A refusal by the rules is one
// too: its reader (mostly an agent) must learn what to do instead.
import { existsSync } from "node:fs";
import { systemCodeOf } from "@jeeves/base";
import { DatabaseError } from "@jeeves/state";

/**
 * Why a command was refused or failed; codes keep their meaning. `invalid_argument` gives exit code 2, all others 1.
 */
export type RudderErrorCode =
  | "no_haven" // nothing was set up here yet
  | "not_found" // an id, a section or a box that is not there
  | "invalid_argument" // words or values that are not valid
  | "held" // someone else holds a live lease
  | "lost" // the caller held the task, and a newer holder has it
  | "blocked" // a claim or a start of a task that waits for others
  | "open_tasks" // an epic or a PRD that cannot be done yet
  | "needed" // others wait for what should go
  | "not_empty" // an epic, a PRD or a haven that holds something
  | "archived" // it is in the archive, where nothing is changed
  | "not_held" // a renewal or release where the caller has no lease
  | "closed" // the task is Done or Cancelled
  | "denied" // the caller may not do that here
  | "cycle" // a dependency that would wait for itself
  | "duplicate_id" // two artefacts answer to one id
  | "broken_artefact" // front matter that does not parse
  | "broken_state" // a file of ours that someone damaged
  | "not_writable" // a read-only haven
  | "disk_full"
  | "no_database" // the database that holds the haven cannot be used
  | "busy" // the haven's lock could not be had in time
  | "no_repository" // a worktree was asked for where there is no git repository, or one without a commit
  | "branch_exists" // the branch or the worktree of a task is there already
  | "dirty" // uncommitted changes that a merge would leave behind or run into
  | "conflict" // a merge that a person has to make
  | "git_failed" // git itself refused
  | "agent_running" // the agent is still at work
  | "agent_failed" // an agent did not start, or did not end well
  | "sandbox_missing"; // a sandbox was asked for that cannot be had here

/** A command that was refused or has failed. `message` is what went wrong, `hint` what to do next. */
export class RudderError extends Error {
  override readonly name = "RudderError";
  readonly code: RudderErrorCode;
  readonly hint: string;
  /** What a program would want to know: the holder, the line, the candidates. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: RudderErrorCode,
    message: string,
    options: {
      readonly hint: string;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }
}

/** A file where a directory should be, or the other way round. */
const IN_THE_WAY = new Set(["EISDIR", "ENOTDIR", "EEXIST", "ENXIO"]);

/** Failures of the system and of the database as a RudderError with a hint; any other error comes back as it is. */
export function toRudderError(error: unknown, haven: string): unknown {
  if (error instanceof RudderError || !(error instanceof Error)) return error;
  if (error instanceof DatabaseError) return ofDatabase(error);
  const code = systemCodeOf(error);
  const options = { cause: error, details: { system: code ?? "", haven } };
  if (code === "ENOENT" && !existsSync(haven)) return noHaven(haven); // moved away while it was in use
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") {
    const hint = "free some space and run the command again: nothing was acknowledged, nothing is half done";
    return new RudderError("disk_full", `the disk of ${haven} is full`, { ...options, hint });
  }
  if (code === "EROFS" || code === "EACCES" || code === "EPERM") {
    const hint = "make it writable, or set RUDDER_HAVEN to a haven that is; reading commands work without";
    return new RudderError("not_writable", `the haven ${haven} cannot be written (${code})`, { ...options, hint });
  }
  if (code === "ELOOP") {
    const path = "path" in error ? String(error.path) : haven;
    const hint = "put a plain file in its place: a link could lead out of the haven";
    return new RudderError("broken_state", `${path} is a link`, { ...options, hint });
  }
  if (code !== undefined && IN_THE_WAY.has(code)) {
    const path = "dest" in error ? error.dest : "path" in error ? error.path : haven;
    const hint = "move away what is in its place: rudder makes its own files and directories";
    return new RudderError("broken_state", `${path} cannot be used (${code})`, { ...options, hint });
  }
  if (code === "EMFILE" || code === "ENFILE") {
    const hint = "run the command again, or raise the limit (ulimit -n)";
    return new RudderError("busy", `too many files are open (${code})`, { ...options, hint });
  }
  if (code === "lock_timeout") {
    const hint = "hint" in error ? String(error.hint) : "run the command again";
    return new RudderError("busy", error.message, { ...options, hint });
  }
  return error;
}

const OF_DATABASE: Readonly<Partial<Record<DatabaseError["code"], RudderErrorCode>>> = {
  invalid_url: "invalid_argument",
  not_permitted: "not_writable",
  read_only: "not_writable",
  full: "disk_full",
  busy: "busy",
  conflict: "busy",
};

function ofDatabase(error: DatabaseError): RudderError {
  const { code, hint, message, sqlState } = error;
  const details = { database: code, ...(sqlState === "" ? {} : { sql_state: sqlState }) };
  return new RudderError(OF_DATABASE[code] ?? "no_database", message, { hint, details, cause: error });
}

/** A directory that is no haven, or none any more. */
export function noHaven(haven: string): RudderError {
  return new RudderError("no_haven", `there is no haven at ${haven}`, {
    hint: "run: rudder init (or set RUDDER_HAVEN, or --root to the project whose haven you mean)",
    details: { haven },
  });
}
