import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { focusOf } from "../src/focus/focus.ts";
import { readSessionTail } from "../src/focus/session-tail.ts";

const deriveFocus = async (asked: readonly string[], file: string) => focusOf(asked, await readSessionTail(file));

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "jeeves-focus-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function transcript(...entries: readonly unknown[]): Promise<string> {
  const file = join(dir, `${Math.random()}.jsonl`);
  await writeFile(file, entries.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))).join("\n"));
  return file;
}
const claude = (role: string, content: unknown, more = {}) => ({ type: role, message: { role, content }, ...more });

it("the call's own words come first, then the user's last prompt, then the assistant's last words", async () => {
  const file = await transcript(
    claude("user", "an old question"),
    claude("assistant", [{ type: "text", text: "an old answer" }]),
    claude("user", "Why does the login fail?"),
    claude("user", [{ type: "tool_result", content: "not words" }]),
    claude("assistant", [
      { type: "text", text: "I look at the session." },
      { type: "tool_use", name: "Read" },
    ]),
    claude("user", "<system-reminder>no</system-reminder>"),
    claude("user", "from a subagent", { isSidechain: true }),
  );
  expect(await deriveFocus(["grep me"], file)).toBe("grep me\nWhy does the login fail?\nI look at the session.");
});

it("what a client adds on its own is not the user's, and a repeated prompt is", async () => {
  const blob = {
    type: "api-request-blob",
    message: { role: "user", content: [{ type: "text", text: "Tool loaded." }] },
  };
  const mixed = claude("user", [
    { type: "tool_result", content: "x" },
    { type: "text", text: "Keep the user updated." },
  ]);
  const file = await transcript(
    { type: "last-prompt", lastPrompt: "What broke?" },
    claude("assistant", "Hm."),
    mixed,
    blob,
  );
  expect(await deriveFocus([], file)).toBe("What broke?\nHm.");
});

it("X-56 a prompt that Claude Code repeats behind a call hides neither the call nor what was said and thought before it", async () => {
  const called = claude("assistant", [
    { type: "thinking", thinking: "The session expires." },
    { type: "text", text: "I look at the session." },
    { type: "tool_use", id: "call-1", name: "Read" },
  ]);
  const repeated = { type: "last-prompt", lastPrompt: "Why does the login fail?" };
  const file = await transcript(claude("user", "Why does the login fail?"), called, repeated);
  const tail = await readSessionTail(file);
  expect(tail).toMatchObject({ user: "Why does the login fail?", said: "I look at the session." });
  expect(tail.thought).toBe("The session expires.");
  expect(tail.calls?.has("call-1")).toBe(true);
});

it("Codex' transcripts are read too", async () => {
  const message = (role: string, type: string, text: string) => ({
    type: "response_item",
    payload: { type: "message", role, content: [{ type, text }] },
  });
  const file = await transcript(
    message("user", "input_text", "What broke?"),
    message("assistant", "output_text", "I run it."),
  );
  expect(await deriveFocus([], file)).toBe("What broke?\nI run it.");
});

it("X-56 what the assistant thought right before the call is part of the focus, and older thoughts are not", async () => {
  const file = await transcript(
    claude("user", "Why does the login fail?"),
    claude("assistant", [{ type: "thinking", thinking: "an older thought" }]),
    claude("assistant", [{ type: "tool_use", id: "t1", name: "Read", input: {} }]),
    claude("user", [{ type: "tool_result", tool_use_id: "t1", content: "not words" }]),
    claude("assistant", [{ type: "thinking", thinking: "The cookie may expire too early." }]),
    claude("assistant", [{ type: "tool_use", id: "t2", name: "Read", input: {} }]),
    claude("user", [{ type: "tool_result", tool_use_id: "t2", content: "<result>" }]),
  );
  expect(await deriveFocus([], file)).toBe("Why does the login fail?\nThe cookie may expire too early.");
});

it("X-56 the context is the whole prompt of the last call, in either client's words", async () => {
  const usage = {
    input_tokens: 4,
    cache_read_input_tokens: 30_000,
    cache_creation_input_tokens: 1_200,
    output_tokens: 9,
  };
  const inClaude = await transcript(
    { type: "assistant", message: { role: "assistant", id: "m1", content: "Hm.", usage } },
    claude("user", "And now?"),
  );
  expect(await readSessionTail(inClaude)).toEqual({ user: "And now?", contextTokens: 31_204 });
  const last = { input_tokens: 20_000, cached_input_tokens: 15_000, output_tokens: 3 };
  const inCodex = await transcript(
    { type: "response_item", payload: { type: "message", role: "user", content: [{ text: "What broke?" }] } },
    { type: "event_msg", payload: { type: "token_count", info: { last_token_usage: last } } },
  );
  expect(await readSessionTail(inCodex)).toEqual({ user: "What broke?", contextTokens: 20_000 });
  const compacted = await transcript(
    { type: "assistant", message: { role: "assistant", id: "m1", content: "Hm.", usage } },
    { type: "system", subtype: "compact_boundary" },
    claude("user", "And now?"),
  );
  expect(await readSessionTail(compacted)).toEqual({ user: "And now?" });
  const odd = { input_tokens: -4, cache_read_input_tokens: "many", output_tokens: null };
  const strange = await transcript(
    { type: "assistant", message: { role: "assistant", content: "Hm.", usage: odd } },
    claude("user", "And now?"),
  );
  expect(await readSessionTail(strange)).toEqual({ user: "And now?", contextTokens: 0 });
});

it("a transcript that is missing, broken or huge costs nothing but its words", async () => {
  expect(await deriveFocus([], join(dir, "missing"))).toBe("");
  expect(await deriveFocus([], dir)).toBe("");
  expect(await deriveFocus([], await transcript('{"role": broken', "\0\0"))).toBe("");
  const huge = await transcript(claude("user", "lost in the past"), "x".repeat(50_000_000), claude("user", "now"));
  expect(await deriveFocus([], huge)).toBe("now");
});

it("a prompt that its client has not written yet is waited for a moment", async () => {
  const file = join(dir, "late.jsonl");
  const focus = deriveFocus([], file);
  await writeFile(file, `${JSON.stringify({ type: "user", message: { role: "user", content: "What broke?" } })}\n`);
  expect(await focus).toBe("What broke?");
});

it("a prompt that is far back, behind an hour of tool results, is found", async () => {
  const results = Array.from({ length: 60 }, () =>
    claude("user", [{ type: "tool_result", content: "x".repeat(20_000) }]),
  );
  const file = await transcript(claude("user", "Why does the login fail?"), ...results, claude("assistant", "Hm."));
  expect(await deriveFocus(["grep me"], file)).toBe("grep me\nWhy does the login fail?\nHm.");
});
