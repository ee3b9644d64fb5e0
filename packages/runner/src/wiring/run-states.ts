// The life of the pruner in one run (J-78), as data: the states and who may follow whom. No way leads back.

const TRANSITIONS = {
  "run:init": ["run:mcp_pruner_disabled", "run:mcp_pruner_starting"],
  "run:mcp_pruner_disabled": ["run:shutdown"],
  "run:mcp_pruner_starting": ["run:mcp_pruner_running", "run:mcp_pruner_disabled"],
  "run:mcp_pruner_running": ["run:mcp_pruner_degraded", "run:shutdown"],
  "run:mcp_pruner_degraded": ["run:shutdown"],
  "run:shutdown": [],
} as const;

/** A state of a run. */
export type RunState = keyof typeof TRANSITIONS;
export const RUN_STATES: Readonly<Record<RunState, readonly RunState[]>> = TRANSITIONS;

export interface RunPath {
  readonly state: RunState;
  readonly states: readonly RunState[];
  /** A step that the table does not know is a bug in the caller, and throws. */
  advance(to: RunState): void;
}

export function createRunPath(): RunPath {
  const states: RunState[] = ["run:init"];
  let state: RunState = "run:init";
  return {
    get state() {
      return state;
    },
    get states() {
      return [...states];
    },
    advance(to) {
      if (!RUN_STATES[state].includes(to)) throw new Error(`a run cannot go from ${state} to ${to}`);
      state = to;
      states.push(to);
    },
  };
}
