// What the log gets of something that was thrown. Never for a client's eyes.

export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
