// What each client is known to show to its model.
import { describe, expect, it } from "vitest";
import { maxResultCharsOf, resultFormOf } from "../../src/mcp/client.ts";

const named = (name: string) => ({ name, version: "1" });

describe("clients", () => {
  it.each([
    ["claude-code", "text", 45_000],
    ["Claude-Code", "text", 45_000],
    ["codex-mcp-client", "text", 10_800],
    ["opencode", "both", 45_000],
    // Its model sees the text and the JSON.
    ["copilot-cli", "text", 18_000],
    ["copilot-client", "both", undefined],
    ["codexsomething", "both", undefined],
    ["", "both", undefined],
  ])("X-18 X-51 %j gets %s, and at most %s characters", (name, form, chars) => {
    expect(resultFormOf(named(name), {})).toBe(form);
    expect(resultFormOf(named(name), { JEEVES_RESULT_FORM: "auto" })).toBe(form);
    expect(maxResultCharsOf(named(name), {})).toBe(chars);
  });

  it("X-18 the setting wins over what we know; a word that it does not know is auto", () => {
    expect(resultFormOf(named("claude-code"), { JEEVES_RESULT_FORM: "both" })).toBe("both");
    expect(resultFormOf(named("x"), { JEEVES_RESULT_FORM: " TEXT " })).toBe("text");
    expect(resultFormOf(named("x"), { JEEVES_RESULT_FORM: "json" })).toBe("both");
  });

  it.each([
    ["20000", 18_000],
    ["1", 0],
    ["0", undefined],
    ["-5", undefined],
    ["1e3", undefined],
    ["", undefined],
  ])("X-51 JEEVES_MAX_RESULT_CHARS=%j gives an unknown client %s", (value, chars) => {
    expect(maxResultCharsOf(named("x"), { JEEVES_MAX_RESULT_CHARS: value })).toBe(chars);
  });
});
