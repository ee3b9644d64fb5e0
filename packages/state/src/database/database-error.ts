// Database errors as a closed list of codes, each with a hint at what to try next. PostgreSQL's own message is kept, the
// secrets of the address are taken out.
import { isRecord, systemCodeOf } from "@jeeves/base";

/** The kinds of database errors. */
export type DatabaseErrorCode =
  | "invalid_url" // JEEVES_DATABASE_URL is no address of PostgreSQL
  | "unreachable" // no connection, or one that ended before its answer
  | "stalled" // a connection that does not answer in time
  | "refused" // wrong password, no such database or user
  | "not_permitted" // a right is missing
  | "read_only" // a replica, or a database that takes no writes
  | "full" // the server's disk
  | "busy" // too many connections, or a lock that was not acquired in time
  | "conflict" // this transaction must be repeated
  | "newer_schema" // a newer Jeeves has changed the tables
  | "failed"; // any other error of the server

/** A failed database operation: its code, and a hint at what to do about it. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;
  readonly hint: string;
  /** The server's own code (SQLSTATE) or the system's; empty where there is none. */
  readonly sqlState: string;

  constructor(
    code: DatabaseErrorCode,
    message: string,
    options: { readonly hint: string; readonly sqlState?: string; readonly cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.sqlState = options.sqlState ?? "";
  }
}

const HINTS: Readonly<Record<DatabaseErrorCode, string>> = {
  invalid_url: "correct JEEVES_DATABASE_URL",
  unreachable: "see that the server runs and can be reached from here; jeeves doctor tests it",
  stalled: "see that the network between here and the server is up; jeeves doctor tests it",
  refused: "check user, password and database in JEEVES_DATABASE_URL",
  not_permitted: "give this user the right: GRANT CREATE, USAGE ON SCHEMA public TO the user",
  read_only: "name the primary in JEEVES_DATABASE_URL: this one takes no writes",
  full: "free space on the database's server; nothing was acknowledged, nothing is half done",
  busy: "try again; if it lasts, raise max_connections, or see who holds a lock (pg_stat_activity)",
  conflict: "try again",
  newer_schema: "update Jeeves on this machine",
  failed: "this is a fault of ours, or of the database: its message says more",
};

/** Classes (two digits) and codes (five) of SQLSTATE. */
const CODES: Readonly<Record<string, DatabaseErrorCode>> = {
  "08": "unreachable",
  "28": "refused",
  "57P01": "unreachable",
  "57P02": "unreachable",
  "57P03": "unreachable",
  "3D000": "refused",
  "42501": "not_permitted",
  "25006": "read_only",
  "53100": "full",
  "53200": "busy",
  "53300": "busy",
  "55P03": "busy",
  "57014": "stalled",
  "25P03": "stalled",
  "40": "conflict",
};

/** An error of the driver or the server, classified; `shown` names the database, `clean` takes secrets out. */
export function toDatabaseError(
  error: unknown,
  { shown, clean }: { readonly shown: string; readonly clean: (message: string) => string },
): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const code = codeOf(error);
  const sqlState = isRecord(error) && typeof error.code === "string" ? error.code : (systemCodeOf(error) ?? "");
  return new DatabaseError(code, `${shown}: ${clean(messageOf(error))}`, { hint: HINTS[code], sqlState });
}

/** A database error that we raise ourselves, with the hint of its code. */
export function databaseError(code: DatabaseErrorCode, message: string): DatabaseError {
  return new DatabaseError(code, message, { hint: HINTS[code] });
}

/** Whether the connection was lost or could not be made: another connection may succeed. */
export function isConnectionFault(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && (error.code === "unreachable" || error.code === "stalled");
}

/** Whether the error is likely to pass soon, so that the operation may be repeated. */
export function isTransient(error: unknown): error is DatabaseError {
  return isConnectionFault(error) || (error instanceof DatabaseError && ["busy", "conflict"].includes(error.code));
}

function codeOf(error: unknown): DatabaseErrorCode {
  const code = isRecord(error) && typeof error.code === "string" ? error.code : "";
  const known = CODES[code] ?? CODES[code.slice(0, 2)];
  if (/^[0-9A-Z]{5}$/.test(code) && known !== undefined) return known;
  const message = messageOf(error);
  if (/timeout/i.test(message)) return "stalled";
  if (/^E[A-Z_]+$/.test(code)) return "unreachable";
  // Of the driver: a connection that ended, or TLS that failed.
  if (/connection|socket|client (?:was closed|has encountered)|SSL|certificate/i.test(message)) return "unreachable";
  return "failed";
}

/** An attempt at several addresses fails with all of their errors, and no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
