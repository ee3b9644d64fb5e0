// The states of one tool request (J-79), and which may follow which.

const TRANSITIONS = {
  "req:received": ["req:validating", "req:invalid_request", "req:internal_error"],
  "req:validating": ["req:executing_tool", "req:invalid_request", "req:internal_error"],
  "req:invalid_request": [],
  "req:executing_tool": ["req:raw_output_ready", "req:tool_error", "req:internal_error"],
  "req:tool_error": [],
  "req:raw_output_ready": ["req:prune_check", "req:internal_error"],
  "req:prune_check": ["req:respond_raw", "req:calling_pruner", "req:internal_error"],
  "req:calling_pruner": ["req:respond_pruned", "req:pruner_error_fallback", "req:internal_error"],
  "req:pruner_error_fallback": ["req:respond_raw", "req:internal_error"],
  "req:respond_raw": ["req:responded", "req:internal_error"],
  "req:respond_pruned": ["req:responded", "req:internal_error"],
  "req:responded": [],
  "req:internal_error": [],
} as const;

/** A state of a call. */
export type RequestState = keyof typeof TRANSITIONS;
/** The states that a call goes through, and which may follow each. */
export const REQUEST_STATES: Readonly<Record<RequestState, readonly RequestState[]>> = TRANSITIONS;

/** Where a request is, and the states so far, in order. `ended`: no state can follow. */
export interface RequestPath {
  readonly state: RequestState;
  readonly states: readonly RequestState[];
  readonly ended: boolean;
  /** Throws where the table does not allow the step: that is a bug in the caller. */
  advance(to: RequestState): void;
  /** Goes the shortest way to a state: a tool that prunes nothing need not name the steps between. Throws like `advance`. */
  advanceTo(goal: RequestState): void;
}

/** Begins in `req:received`. */
export function createRequestPath(): RequestPath {
  const states: RequestState[] = ["req:received"];
  let state: RequestState = "req:received";
  const advance = (to: RequestState) => {
    if (!REQUEST_STATES[state].includes(to)) throw new Error(`a request cannot go from ${state} to ${to}`);
    state = to;
    states.push(to);
  };
  return {
    get state() {
      return state;
    },
    get states() {
      return states;
    },
    get ended() {
      return REQUEST_STATES[state].length === 0;
    },
    advance,
    advanceTo(goal) {
      const way = shortestWay(state, goal);
      if (way === undefined) throw new Error(`a request cannot go from ${state} to ${goal}`);
      for (const step of way) advance(step);
    },
  };
}

function shortestWay(from: RequestState, goal: RequestState): readonly RequestState[] | undefined {
  const seen = new Set<RequestState>([from]);
  let ways: RequestState[][] = [[]];
  while (ways.length > 0) {
    const longer: RequestState[][] = [];
    for (const way of ways) {
      const at = way.at(-1) ?? from;
      if (at === goal) return way;
      for (const next of REQUEST_STATES[at]) {
        if (seen.has(next)) continue;
        seen.add(next);
        longer.push([...way, next]);
      }
    }
    ways = longer;
  }
  return undefined;
}
