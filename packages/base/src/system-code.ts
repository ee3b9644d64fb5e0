// The codes of failed system calls.

/** The code of a failed system call (`ENOENT`, `EROFS`); undefined for any other value. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
