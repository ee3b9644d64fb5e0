import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { fallbackStateDir, resolveDataDir, resolveStateDir } from "../src/index.ts";

describe("resolveStateDir", () => {
  it.each<[string, NodeJS.ProcessEnv, string]>([
    ["JEEVES_STATE_DIR first", { JEEVES_STATE_DIR: "/s", XDG_STATE_HOME: "/x", HOME: "/h" }, "/s"],
    ["then XDG_STATE_HOME", { JEEVES_STATE_DIR: "", XDG_STATE_HOME: "/x", HOME: "/h" }, "/x/jeeves"],
    ["a relative XDG_STATE_HOME is ignored", { XDG_STATE_HOME: "x", HOME: "/h" }, "/h/.local/state/jeeves"],
    ["then the home directory", { HOME: "/h" }, "/h/.local/state/jeeves"],
    ["of this user when HOME is not set", {}, `${homedir()}/.local/state/jeeves`],
  ])("X-21 %s", (_, env, expected) => {
    expect(resolveStateDir(env)).toBe(expected);
  });

  it("X-21 the fallback is below TMPDIR and bears the user's number", () => {
    const uid = process.getuid?.() ?? "";
    expect(fallbackStateDir({ TMPDIR: "/t" })).toBe(`/t/jeeves-${uid}`);
    expect(fallbackStateDir({ TMPDIR: "relative" })).toBe(`/tmp/jeeves-${uid}`);
    expect(fallbackStateDir({})).toBe(`/tmp/jeeves-${uid}`);
  });
});

describe("resolveDataDir", () => {
  it.each<[string, NodeJS.ProcessEnv, string]>([
    ["XDG_DATA_HOME first", { XDG_DATA_HOME: "/x", HOME: "/h" }, "/x/jeeves"],
    ["a relative XDG_DATA_HOME is ignored", { XDG_DATA_HOME: "x", HOME: "/h" }, "/h/.local/share/jeeves"],
    ["then the home directory", { HOME: "/h", JEEVES_STATE_DIR: "/s" }, "/h/.local/share/jeeves"],
    ["of this user when HOME is not set", {}, `${homedir()}/.local/share/jeeves`],
  ])("X-62 %s", (_, env, expected) => {
    expect(resolveDataDir(env)).toBe(expected);
  });
});
