// X-21 inside Codex' sandbox: the state directory cannot be written there, so what is cut is kept in the fallback
// directory, where our server, outside of the sandbox, finds it again.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { codexCommand } from "./codex-command-line.ts";
import { createInterceptProject, FOCUS, type InterceptProject } from "./intercept-project.ts";
import type { Conversation } from "./scripted-model.ts";

const PRUNE_ID = /prn_([a-z2-7])[a-z2-7]{11}/;
let project: InterceptProject;
let stateDir: string;
let seen: Conversation;

beforeAll(async () => {
  project = await createInterceptProject();
  stateDir = await mkdtemp("/var/tmp/jeeves-state-"); // the sandbox lets commands write to the project, to /tmp and to TMPDIR
  const env = {
    ...(await createClientEnv(project.home)),
    CODEX_HOME: join(project.home, ".codex"),
    JEEVES_STATE_DIR: stateDir,
  };
  await mkdir(env.CODEX_HOME);
  project.jeeves(["init", "codex"], env);
  seen = await codexCommand({
    prompt: FOCUS,
    mode: "direct",
    cwd: project.root,
    env,
    script: [
      { call: { tool: "exec_command" }, with: { cmd: "cat test.log" } },
      {
        call: { server: "jeeves", tool: "recover_text" },
        with: (so) => ({ prune_id: idIn(so), ranges: [{ start_line: 5_000, end_line: 5_040 }] }),
      },
      { say: "Done." },
    ],
  });
});
afterAll(async () => {
  await project?.remove();
  await rm(stateDir, { recursive: true, force: true });
});

const fallbackDir = () => join(project.home, "tmp", `jeeves-${process.getuid?.()}`);
const text = (index: number) => seen?.outputs[index]?.parts.join("\n") ?? "";

function idIn(conversation: Conversation): string {
  return PRUNE_ID.exec(conversation.outputs.at(-1)?.parts.join("\n") ?? "")?.[0] ?? "none";
}

it("X-21 a cut made in the sandbox is stored in the fallback directory, and recover_text brings it back", () => {
  const [id = "", shard = ""] = PRUNE_ID.exec(text(0)) ?? [];
  expect(existsSync(join(stateDir, "store"))).toBe(false);
  expect(existsSync(join(fallbackDir(), "store", shard, `${id}.txt`))).toBe(true);
  expect(text(1)).toContain(project.log.split("\n").slice(4_999, 5_040).join("\n"));
});
