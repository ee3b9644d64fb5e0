// The life of an agent (RU-17) as data: the states and who may follow whom. No way leads back: a new attempt is a new
// record.

const FOLLOWERS = {
  spawned: ["completed", "error", "killed"],
  completed: ["reaped", "rejected"],
  error: ["reaped", "rejected", "killed"],
  killed: ["reaped", "rejected"],
  reaped: [],
  rejected: [],
} as const;

export type AgentState = keyof typeof FOLLOWERS;
export const AGENT_STATES = ["spawned", "completed", "error", "reaped", "rejected", "killed"] as const;

export function mayFollow(from: AgentState, to: AgentState): boolean {
  const followers: readonly AgentState[] = FOLLOWERS[from];
  return followers.includes(to);
}

/** Nothing of it is left to merge or to throw away. */
export function isOver(state: AgentState): boolean {
  return FOLLOWERS[state].length === 0;
}
