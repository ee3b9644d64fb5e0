// The form of a prune id. Runs in browsers too: it imports nothing.

/** The source of a regular expression that matches one prune id: "prn_" and twelve characters of RFC 4648 base32. */
export const PRUNE_ID_PATTERN = "prn_[a-z2-7]{12}";

const WHOLE = new RegExp(`^${PRUNE_ID_PATTERN}$`);
const INSIDE = new RegExp(`\\b${PRUNE_ID_PATTERN}\\b`, "g");

/** True for a text that is a prune id and nothing else. */
export function isPruneId(text: string): boolean {
  return WHOLE.test(text);
}

/** The prune ids that a text names, in order of appearance, each once. */
export function pruneIdsIn(text: string): string[] {
  return [...new Set(text.match(INSIDE) ?? [])];
}
