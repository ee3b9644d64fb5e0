import fc from "fast-check";
import { expect, it } from "vitest";
import { createRunPath, RUN_STATES, type RunState } from "../../src/wiring/run-states.ts";

it("J-78 the states and their followers are exactly these", () => {
  expect(RUN_STATES).toEqual({
    "run:init": ["run:mcp_pruner_disabled", "run:mcp_pruner_starting"],
    "run:mcp_pruner_disabled": ["run:shutdown"],
    "run:mcp_pruner_starting": ["run:mcp_pruner_running", "run:mcp_pruner_disabled"],
    "run:mcp_pruner_running": ["run:mcp_pruner_degraded", "run:shutdown"],
    "run:mcp_pruner_degraded": ["run:shutdown"],
    "run:shutdown": [],
  });
});

it("J-78 no sequence of steps ever comes back to a state that was left", () => {
  const states = Object.keys(RUN_STATES) as RunState[];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...states), { maxLength: 30 }), (steps) => {
      const path = createRunPath();
      for (const step of steps) {
        const isAllowed = RUN_STATES[path.state].includes(step);
        const before = path.states;
        if (isAllowed) path.advance(step);
        else expect(() => path.advance(step)).toThrow(/cannot go from/);
        expect(path.states).toEqual(isAllowed ? [...before, step] : before);
      }
      expect(new Set(path.states).size).toBe(path.states.length);
    }),
  );
});
