import { describe, expect, it } from "vitest";
import { parseSearchCommand } from "../../src/search/search-command.ts";

describe("X-58 search commands", () => {
  it.each([
    "rg -l x",
    "cd a && rg -il x",
    "grep -rl x .",
    "grep -rc x .",
    "grep -L x *",
    "rg --files-with-matches x",
    "rg --count-matches x",
    "rg --files",
    "git --no-pager grep -l x",
    "git grep --name-only x",
    "ag -l x",
    "LC_ALL=C ack -l x",
  ])("%s lists files", (command) => {
    expect(parseSearchCommand(command)).toEqual({ prints: "files" });
  });

  it.each([
    "rg -n x",
    "rg -tc x",
    "rg -g '*.l' x",
    "rg -n 'a -l b' src",
    "rg -n -e -l",
    "rg -L x",
    "grep -rn x .",
    "grep -C3 x a",
    "rg -n x -- -l",
    "rg -n x | sort -l",
    "git -C a grep -n x",
    "egrep x a",
  ])("%s shows lines", (command) => {
    expect(parseSearchCommand(command)?.prints).toBe("matches");
  });

  it.each(["npm test", "cat rg", "git log -l", "rgb x", "echo | rg x"])("%s is no search", (command) => {
    expect(parseSearchCommand(command)).toBeUndefined();
  });
});
