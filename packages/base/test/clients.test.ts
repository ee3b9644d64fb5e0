import { describe, expect, it } from "vitest";
import { CLIENTS, clientHomeOf, clientOf, type ShownThing, shownCharsOf, traitsOf } from "../src/index.ts";

const THINGS: readonly ShownThing[] = ["result", "error", "command", "failedCommand", "search", "hookText"];

function shownBy(name: string, env: NodeJS.ProcessEnv = {}): unknown[] {
  return THINGS.map((thing) => shownCharsOf(clientOf(name), thing, env));
}

describe("the table of clients", () => {
  it("knows clients by the names that they give themselves", () => {
    const names = [
      "claude-code",
      "Claude-Code",
      "codex-mcp-client",
      "codex",
      "opencode",
      "gemini-cli-mcp-client-jeeves",
    ];
    expect(names.map((name) => clientOf(name)?.id)).toEqual([
      "claude-code",
      "claude-code",
      "codex",
      "codex",
      "opencode",
      "gemini",
    ]);
    expect(["", "claude-codex", "codexa", "my-codex", "claude-ai"].map(clientOf)).toEqual(Array(5).fill(undefined));
  });

  it("each client stands in it once, and is known by its own id", () => {
    const ids = CLIENTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.map((id) => traitsOf(id).id)).toEqual(ids);
    expect(CLIENTS.map(({ id }) => CLIENTS.filter(({ clientInfo }) => clientInfo.test(`${id}-cli`)).length)).toEqual(
      ids.map(() => 1),
    );
  });

  it("X-51 a tenth of what a client shows is left to the client", () => {
    expect(shownBy("claude-code")).toEqual([45_000, 9_000, 27_000, 9_000, 18_000, undefined]);
    expect(shownBy("codex-mcp-client")).toEqual([10_800, 10_800, 9_000, 9_000, undefined, 9_000]);
    expect(shownBy("gemini-cli")).toEqual([36_000, 36_000, 36_000, 36_000, undefined, undefined]);
    expect(shownBy("opencode")).toEqual([45_000, 45_000, 45_000, 45_000, undefined, undefined]);
    expect(shownBy("lm-studio")).toEqual(Array(6).fill(undefined));
    expect(shownBy("unknown")).toEqual(Array(6).fill(undefined));
  });

  it("X-51 JEEVES_MAX_RESULT_CHARS replaces the limits of results and commands", () => {
    const set = { JEEVES_MAX_RESULT_CHARS: " 1000 " };
    expect(shownBy("claude-code", set)).toEqual([900, 900, 900, 900, 18_000, undefined]);
    expect(shownBy("unknown", set)).toEqual([900, 900, 900, 900, undefined, undefined]);
    for (const wrong of ["", "0", "-5", "0x10", "1e3", "many"])
      expect(shownBy("codex", { JEEVES_MAX_RESULT_CHARS: wrong })).toEqual(shownBy("codex"));
  });

  it("knows where a client keeps its files", () => {
    const env = { HOME: "/home/u", CODEX_HOME: "/elsewhere", CLAUDE_CONFIG_DIR: "" };
    expect(clientHomeOf(traitsOf("codex"), env)).toBe("/elsewhere");
    expect(clientHomeOf(traitsOf("claude-code"), env)).toBe("/home/u/.claude");
    expect(clientHomeOf(traitsOf("gemini"), env)).toBe("/home/u/.gemini");
    expect(clientHomeOf(traitsOf("opencode"), env)).toBe("/home/u/.config/opencode");
    expect(clientHomeOf(traitsOf("opencode"), { ...env, XDG_CONFIG_HOME: "/conf" })).toBe("/conf/opencode");
  });
});
