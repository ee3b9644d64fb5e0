import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { deriveFocus } from "../src/focus/focus.ts";

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
