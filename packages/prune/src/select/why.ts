// Why a line was kept: one byte per line, the index into this list plus one.
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
export type Why = (typeof WHY)[number];
