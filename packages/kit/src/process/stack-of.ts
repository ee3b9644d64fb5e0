// A thrown value as text for the log. Never sent to a client.

/** The stack of an error, or the text of any other thrown value. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
