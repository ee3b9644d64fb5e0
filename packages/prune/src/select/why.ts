// Reasons to keep a line, as one byte.

/** Why a line was kept: one byte per line, the index into this list plus one. */
export const WHY = [
  "evidence",
  "support",
  "error",
  "header",
  "fill",
  "protected",
  "outcome",
  "end",
  "mention",
] as const;
/** A reason to keep a line. */
export type Why = (typeof WHY)[number];
