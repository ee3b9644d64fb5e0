// The judge of the storm, judged: it finds two holders where there are two, and none where there is one.
import { expect, it } from "vitest";
import { holdsOf, type Note, overlapsOf } from "./storm-record.ts";

let count = 0;
const call = (agent: string, op: Note["op"], from: number, to: number, ok = true): Note[] => {
  const id = `${agent}-${++count}`;
  return [
    { agent, at: from, step: "send", id, op, task: "T001" },
    { agent, at: to, step: "ack", id, op, task: "T001", ok },
  ];
};

it("X-30 two that were told the same task are found, however late the second answer came", () => {
  const notes = [...call("ada", "claim", 0, 10), ...call("bob", "claim", 500, 900)];
  expect(overlapsOf(holdsOf(notes, 1_000))).toHaveLength(1);
});

it("X-30 a renewal that was acknowledged counts as holding on", () => {
  const notes = [
    ...call("ada", "claim", 0, 10),
    ...call("ada", "renew", 900, 910),
    ...call("bob", "claim", 1_500, 1_510),
  ];
  expect(overlapsOf(holdsOf(notes, 1_000))).toHaveLength(1);
});

it("X-30 after a release, an end, or a refusal there is nothing to overlap with", () => {
  const released = [
    ...call("ada", "claim", 0, 10),
    ...call("ada", "release", 100, 120),
    ...call("bob", "claim", 110, 130),
  ];
  const ended = [...call("ada", "claim", 0, 10), ...call("bob", "claim", 1_001, 1_010)];
  const refused = [...call("ada", "claim", 0, 10), ...call("bob", "claim", 20, 30, false)];
  for (const notes of [released, ended, refused]) expect(overlapsOf(holdsOf(notes, 1_000))).toEqual([]);
});
