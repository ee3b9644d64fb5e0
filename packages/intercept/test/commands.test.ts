import { describe, expect, it } from "vitest";
import { rewriteCodexCommand } from "../src/codex-command.ts";
import { isRecognised, parseToolEvent } from "../src/index.ts";
import { NOT_RECOGNISED, RECOGNISED } from "./command-examples.ts";

describe("commands", () => {
  it.each(RECOGNISED)("recognises %s", (command) => expect(isRecognised(command)).toBe(true));
  it.each(NOT_RECOGNISED)("leaves %s alone", (command) => expect(isRecognised(command)).toBe(false));
});

describe("Codex", () => {
  const event = (command: string) =>
    parseToolEvent({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command, workdir: "/p" },
      session_id: "s-1",
      exec_path: "/opt/a b/jeeves-exec",
    });
  const rewrite = (command: string) => {
    const found = event(command);
    return found === undefined ? undefined : rewriteCodexCommand(found);
  };

  it("a recognised command runs under jeeves-exec as one word, and nothing else of the call changes", () => {
    expect(rewrite("npm test -- 'it''s'")).toEqual({
      command: "'/opt/a b/jeeves-exec' --client=codex --session=s-1 'npm test -- '\\''it'\\'''\\''s'\\'''",
      workdir: "/p",
    });
  });

  it("everything else stays as it is", () => {
    expect(rewrite("ls -la")).toBeUndefined();
    expect(rewrite("jeeves-exec 'npm test'")).toBeUndefined();
  });
});
