// The life of an agent (RU-17) as data: its states, and which may follow which. None comes twice: a new attempt is a
// new record.

const FOLLOWERS = {
  spawned: ["completed", "error", "killed"],
  completed: ["reaped", "rejected"],
  error: ["reaped", "rejected", "killed"],
  killed: ["reaped", "rejected"],
  reaped: [],
  rejected: [],
} as const;

/**
 * `reaped` and `rejected` are final; `completed`, `error` and `killed` have work that is still to be merged or put
 * aside.
 */
export type AgentState = keyof typeof FOLLOWERS;
/** All states. */
export const AGENT_STATES = ["spawned", "completed", "error", "reaped", "rejected", "killed"] as const;

/** Whether an agent may go from one state to the other. */
export function mayFollow(from: AgentState, to: AgentState): boolean {
  const followers: readonly AgentState[] = FOLLOWERS[from];
  return followers.includes(to);
}

/** True for a final state: nothing is left to merge or to put aside. */
export function isOver(state: AgentState): boolean {
  return FOLLOWERS[state].length === 0;
}
