// The states of the pruner in one run (J-78), and which may follow which. None is entered twice.

const TRANSITIONS = {
  "run:init": ["run:mcp_pruner_disabled", "run:mcp_pruner_starting"],
  "run:mcp_pruner_disabled": ["run:shutdown"],
  "run:mcp_pruner_starting": ["run:mcp_pruner_running", "run:mcp_pruner_disabled"],
  "run:mcp_pruner_running": ["run:mcp_pruner_degraded", "run:shutdown"],
  "run:mcp_pruner_degraded": ["run:shutdown"],
  "run:shutdown": [],
} as const;

/** A state of the pruner in a run. */
export type RunState = keyof typeof TRANSITIONS;
/** Each state, and the states that may follow it. */
export const RUN_STATES: Readonly<Record<RunState, readonly RunState[]>> = TRANSITIONS;

/** Where the pruner is in its life, and the states so far, in order. */
export interface RunPath {
  readonly state: RunState;
  readonly states: readonly RunState[];
  /** Throws where the table does not allow the step: that is a bug in the caller. */
  advance(to: RunState): void;
}

/** Begins in `run:init`. */
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
