// which calls of a transcript are in the session's context. Trees as Claude Code 2.1.197 and 2.1.325 write them.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCallsInContext } from "../src/focus/session-tail.ts";

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "jeeves-context-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function callsIn(...records: readonly object[]): Promise<string> {
  const file = join(dir, "session.jsonl");
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return [...(await readCallsInContext(file))].join(" ");
}

/** "child<parent"; "child<" is a root. */
function at(place: string) {
  const [uuid, parent] = place.split("<");
  return { uuid, parentUuid: parent || null, isSidechain: false };
}
const user = (place: string, content: unknown, more = {}) => ({
  ...at(place),
  type: "user",
  message: { role: "user", content },
  ...more,
});
const prompt = (place: string) => user(place, "Go on.");
const result = (place: string, id: string, content = "text") =>
  user(place, [{ type: "tool_result", tool_use_id: id, content }]);
const model = (place: string, id: string, block: object, more = {}) => ({
  ...at(place),
  type: "assistant",
  message: { id, role: "assistant", model: "claude", content: [block], usage: { input_tokens: 1, output_tokens: 1 } },
  ...more,
});
const call = (place: string, message: string, id: string) =>
  model(place, message, { type: "tool_use", id, name: "Read", input: {} });
const say = (place: string, message: string) => model(place, message, { type: "text", text: "Well." });
const system = (place: string, subtype: string) => ({ ...at(place), type: "system", subtype });
/** Claude Code's records beside the tree. */
const BESIDE = [
  { type: "queue-operation", operation: "enqueue" },
  { type: "last-prompt", lastPrompt: "Go on." },
];

/** One call and its answer. */
const ONE = [prompt("p<"), call("a<p", "m1", "A"), result("ra<a", "A"), say("s<ra", "m2")];
/** Two calls in one message whose results came in the other order: B is beside the way from the end to the root. */
const PARALLEL = [
  prompt("p<"),
  say("t<p", "m1"),
  call("a<t", "m1", "A"),
  call("b<a", "m1", "B"),
  result("rb<b", "B"),
  result("ra<a", "A"),
];

it("X-56 a session that goes on has all of its calls, whatever stands between them", async () => {
  const links = [...BESIDE, { ...at("x<s"), type: "attachment", attachment: {} }, system("y<x", "turn_duration")];
  expect(await callsIn(...ONE, ...links, prompt("q<y"), call("c<q", "m3", "C"), ...BESIDE)).toBe("A C");
});

it("X-56 after a rewind the branch left behind is not in the context", async () => {
  expect(await callsIn(...ONE, ...BESIDE, prompt("q<p"), call("c<q", "m3", "C"))).toBe("C");
  expect(await callsIn(...ONE, prompt("q<"), call("c<q", "m3", "C"))).toBe("C");
  const further = [prompt("q<s"), call("b<q", "m3", "B"), result("rb<b", "B")];
  expect(await callsIn(...ONE, ...further, prompt("r<s"), call("c<r", "m4", "C"))).toBe("A C");
});

it("X-56 a rewind from a rewind, back to the first branch", async () => {
  const second = [prompt("q<p"), call("b<q", "m3", "B"), result("rb<b", "B")];
  expect(await callsIn(...ONE, ...second, prompt("r<s"), call("c<r", "m4", "C"))).toBe("A C");
});

it("X-56 parallel calls are in the context, in whichever order their results came", async () => {
  expect(await callsIn(...PARALLEL)).toBe("A B");
  expect(await callsIn(...PARALLEL.slice(0, -1))).toBe("A B");
  expect(await callsIn(...PARALLEL.slice(0, -2))).toBe("A B");
  // B still runs, and A's result came last.
  expect(await callsIn(...PARALLEL.filter(({ uuid }) => uuid !== "rb"))).toBe("A B");
  expect(await callsIn(...PARALLEL, call("c<ra", "m2", "C"))).toBe("A B C");
  const hook = { ...at("h<ra"), type: "attachment", attachment: { type: "hook_additional_context" } };
  expect(await callsIn(...PARALLEL, hook, call("c<h", "m2", "C"), result("rc<c", "C"))).toBe("A B C");
});

it("X-56 a rewind into the middle of a message, or to before it, leaves its other calls behind", async () => {
  const next = [call("c<q", "m3", "C")];
  expect(await callsIn(...PARALLEL, say("s<ra", "m2"), prompt("q<p"), ...next)).toBe("C");
  expect(await callsIn(...PARALLEL, say("s<ra", "m2"), prompt("q<t"), ...next)).toBe("C");
  // The call is on the branch, its result is not.
  expect(await callsIn(...PARALLEL, say("s<ra", "m2"), prompt("q<a"), ...next)).toBe("C");
  expect(await callsIn(...PARALLEL, say("s<ra", "m2"), prompt("q<rb"), ...next)).toBe("B C");
});

it("X-56 the client's own words in the place of an answer are no answer", async () => {
  const own = {
    message: { role: "assistant", model: "<synthetic>", content: [{ type: "text", text: "No response" }] },
  };
  const next = [prompt("q<s"), call("c<q", "m3", "C")];
  expect(await callsIn(...PARALLEL, model("s<ra", "m2", {}, own), ...next)).toBe("A C");
});

it("X-56 a message's id that comes again on another branch brings nothing back", async () => {
  const left = [call("a<p", "m1", "A"), call("b<a", "m1", "B"), result("rb<b", "B"), result("ra<a", "A")];
  expect(await callsIn(prompt("p<"), ...left, prompt("q<p"), call("c<q", "m1", "C"), result("rc<c", "C"))).toBe("C");
});

it("X-56 a chain that leaves what can be read ends there", async () => {
  expect(await callsIn(...ONE, prompt("q<lost"), call("c<q", "m3", "C"))).toBe("C");
  expect(await callsIn(prompt("p<q"), call("a<p", "m1", "A"), prompt("q<a"), call("c<q", "m2", "C"))).toBe("C");
});

it("X-56 without a tree all calls count, a subagent's never", async () => {
  const flat = ONE.map(({ uuid, parentUuid, ...record }) => record);
  expect(await callsIn(...flat, { ...flat[1], isSidechain: true })).toBe("A");
  const side = { ...call("c<s", "m3", "C"), isSidechain: true };
  expect(await callsIn(...ONE, side)).toBe("A");
});

it("X-56 nothing above a compaction, or above a record of cleared results, is in the context", async () => {
  for (const subtype of ["compact_boundary", "microcompact_boundary"])
    for (const place of ["x<s", "x<"])
      expect(await callsIn(...ONE, system(place, subtype), prompt("q<x"), call("c<q", "m3", "C"))).toBe("C");
  const summary = user("x<s", "What was done so far.", { isCompactSummary: true });
  expect(await callsIn(...ONE, summary, call("c<x", "m3", "C"))).toBe("C");
});

it("X-56 a result that says that it was cleared is not in the context", async () => {
  const cleared = result("ra<a", "A", "[Old tool result content cleared]");
  const records = ONE.map((record) => (record.uuid === "ra" ? cleared : record));
  expect(await callsIn(...records, prompt("q<s"), call("c<q", "m3", "C"))).toBe("C");
  const flat = records.map(({ uuid, parentUuid, ...record }) => record);
  expect(await callsIn(...flat)).toBe("");
});
