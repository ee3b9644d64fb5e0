// Milliseconds of the wall clock as people and files write them.

/** `2026-01-01T00:00:00.000Z` */
export function toIso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
