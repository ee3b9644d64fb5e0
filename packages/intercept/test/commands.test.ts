import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { rewriteCodexCommand } from "../src/codex/command.ts";
import { isRuled } from "../src/codex/rules.ts";
import { isHeld } from "../src/commands.ts";
import { parseToolEvent } from "../src/index.ts";
import { HELD, NOT_HELD } from "./command-examples.ts";

describe("commands", () => {
  it.each(HELD)("holds back what %s prints", (command) => expect(isHeld(command)).toBe(true));
  it.each(NOT_HELD)("leaves %s alone", (command) => expect(isHeld(command)).toBe(false));

  it("holds a line of a megabyte without reading its words", () => {
    expect(isHeld(`npm start ${"x ".repeat(500_000)}`)).toBe(true);
  });
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
  const rewrite = (command: string, env: NodeJS.ProcessEnv = {}) => {
    const found = event(command);
    return found === undefined ? undefined : rewriteCodexCommand(found, env);
  };

  it("a command that is held runs under jeeves-exec as one word, the same in every session, and nothing else changes", () => {
    expect(rewrite("npm test -- 'it''s'")).toEqual({
      command: "'/opt/a b/jeeves-exec' --client=codex 'npm test -- '\\''it'\\'''\\''s'\\'''",
      workdir: "/p",
    });
  });

  it("X-52 X-21 the mode and the state directory of the server are the command's, too: Codex' shell has its own environment", () => {
    const env = { JEEVES_MODE: "shadow", JEEVES_STATE_DIR: "/s" };
    expect(rewrite("npm test", env)).toMatchObject({
      command: "'/opt/a b/jeeves-exec' --client=codex --mode=shadow --state-dir=/s 'npm test'",
    });
  });

  it("everything else stays as it is", () => {
    expect(rewrite("npm start")).toBeUndefined();
    expect(rewrite("jeeves-exec 'npm test'")).toBeUndefined();
  });
});

describe("the user's rules in Codex", () => {
  const dirs: string[] = [];
  afterEach(() => {
    for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
  });
  function rules(text: string): string {
    const dir = mkdtempSync(join(tmpdir(), "jeeves-rules-"));
    dirs.push(dir);
    mkdirSync(join(dir, ".codex", "rules"), { recursive: true });
    writeFileSync(join(dir, ".codex", "rules", "default.rules"), text);
    return dir;
  }
  const FORBID = 'prefix_rule(pattern=["npm", "test"], decision="forbidden")\n';

  it("a command that a rule may speak of is left as it is, whether the rule is the user's or the project's", async () => {
    const dir = rules(FORBID);
    mkdirSync(join(dir, "deep", "er"), { recursive: true });
    const own = { rulesDir: join(dir, ".codex", "rules"), cwd: undefined };
    expect(await isRuled("cd x && npm test", own)).toBe(true);
    expect(await isRuled("npm test", { rulesDir: undefined, cwd: join(dir, "deep", "er") })).toBe(true);
    expect(await isRuled("cargo build", own)).toBe(false);
    expect(await isRuled("npm test", { rulesDir: join(dir, "nowhere"), cwd: undefined })).toBe(false);
  });

  it.each<[string, (path: string) => void]>([
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
    ["a link to an endless device", (path) => symlinkSync("/dev/zero", path)],
    ["a directory", (path) => mkdirSync(path)],
    ["a file of more than 1 MiB", (path) => writeFileSync(path, " ".repeat(1024 * 1024 + 1))],
  ])("X-60 %s among the rules holds nothing up, and leaves every command as it is", async (_, make) => {
    const dir = rules("");
    mkdirSync(join(dir, "deep", "er"), { recursive: true });
    make(join(dir, ".codex", "rules", "a.rules"));
    expect(await isRuled("ls", { rulesDir: join(dir, ".codex", "rules"), cwd: undefined })).toBe(true);
    expect(await isRuled("ls", { rulesDir: undefined, cwd: join(dir, "deep", "er") })).toBe(true);
  });

  it("X-60 a pipe in the place of the rules directory holds no rules", async () => {
    const dir = rules("");
    execFileSync("mkfifo", [join(dir, "pipe")]);
    expect(await isRuled("ls", { rulesDir: join(dir, "pipe"), cwd: undefined })).toBe(false);
  });
});
