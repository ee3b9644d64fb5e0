// --max-turns for an agent that has no such limit of its own: answers of the model are counted as they become visible.
// Tool calls made side by side in one answer cannot be distinguished from calls made one after the other, and count each.

interface TurnLimit {
  /** False from the first answer beyond the limit on. */
  allows(answer: { readonly id: string; readonly isTool: boolean }): boolean;
  readonly isReached: boolean;
  readonly message: string;
}

/** A counter for one run; without `maxTurns` it allows everything. */
export function createTurnLimit(maxTurns: number | undefined): TurnLimit {
  const tools = new Set<string>();
  let isReached = false;
  return {
    allows({ id, isTool }) {
      if (tools.has(id)) return true; // the result of a call that was allowed
      if (maxTurns !== undefined && tools.size >= maxTurns) isReached = true;
      else if (isTool) tools.add(id);
      return !isReached;
    },
    get isReached() {
      return isReached;
    },
    message: `the limit of ${maxTurns} turns was reached`,
  };
}
