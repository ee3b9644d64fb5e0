// X-61 in the real Codex: a permission profile that denies reading a file binds the commands in its sandbox; our server
// runs outside of it, and refuses the same file. Codex' rules/*.rules are about commands and name no files to read.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { codexCommand } from "./codex-command-line.ts";
import { createInterceptProject, type InterceptProject } from "./intercept-project.ts";
import type { Conversation } from "./scripted-model.ts";

const PROFILE = `default_permissions = "careful"
[permissions.careful.filesystem]
":minimal" = "read"
":root" = "read"
glob_scan_max_depth = 3
[permissions.careful.filesystem.":workspace_roots"]
"." = "write"
"**/.env" = "deny"
`;
let project: InterceptProject;
let seen: Conversation;

beforeAll(async () => {
  project = await createInterceptProject();
  const codexHome = join(project.home, ".codex");
  const env = {
    ...(await createClientEnv(project.home)),
    CODEX_HOME: codexHome,
    JEEVES_STATE_DIR: project.stateDir,
  };
  await mkdir(codexHome);
  await writeFile(join(codexHome, "config.toml"), PROFILE);
  await writeFile(join(project.root, ".env"), "SECRET=sesame\n");
  project.jeeves(["init", "codex", "--both"], env);
  seen = await codexCommand({
    prompt: "Read the files.",
    mode: "direct",
    usesProfile: true,
    cwd: project.root,
    env,
    script: [
      { call: { tool: "exec_command" }, with: { cmd: "cat small.txt .env" } },
      { call: { server: "jeeves", tool: "read" }, with: { file_path: ".env" } },
      { call: { server: "jeeves", tool: "grep" }, with: { pattern: "sesame|small" } },
      { call: { server: "jeeves", tool: "read" }, with: { file_path: "small.txt" } },
      { say: "Done." },
    ],
  });
});
afterAll(() => project?.remove());

const text = (index: number) => seen?.outputs[index]?.parts.join("\n") ?? "";

it("X-61 what the profile denies, neither a command nor our read nor our grep shows", () => {
  expect(text(0)).toContain("a small file");
  for (const index of [0, 1, 2]) expect(text(index)).not.toContain("sesame");
  expect(text(1)).toContain('"**/.env" = "deny"');
  expect(text(1)).toContain(join(project.home, ".codex", "config.toml"));
  expect(text(2)).toContain("small.txt:1:");
  expect(text(3)).toContain("a small file");
});
