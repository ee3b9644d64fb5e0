import { expect, it } from "vitest";
import { type CutRequest, constantPolicy, createCutter, createInProcessEngine } from "../src/index.ts";

it("X-60 a fault of ours costs the cut, never the text", async () => {
  const cutter = createCutter({ engine: createInProcessEngine(), env: { JEEVES_MODE: "on" } });
  const request: CutRequest = {
    text: "one line of a long text, with words in it\n".repeat(1_000),
    focus: "words",
    policy: constantPolicy,
    caller: { session: "s", client: "", tool: "grep", dir: "" },
    args: {},
    search: () => {
      throw new Error("cannot read this");
    },
    source: { tool: "grep" },
    room: { maxChars: 5_000 },
    idOptions: () => ({}),
    signal: new AbortController().signal,
  };
  expect(await cutter.cut(request)).toMatchObject({ kind: "whole", reason: "engine_error", cause: expect.any(Error) });
  expect(await cutter.fit(request)).toBeUndefined();
});
