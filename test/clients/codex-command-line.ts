// Codex as a person starts it: `codex exec` with the settings that its home holds, and its sandbox on.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { checkRun } from "./agent.ts";
import { startFakeOpenAi } from "./fake-openai.ts";
import type { Conversation, Turn } from "./scripted-model.ts";

const bin = createRequire(import.meta.url).resolve("@openai/codex/bin/codex.js");

export interface CodexCommandRun {
  readonly prompt: string;
  readonly script: readonly Turn[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
}

export async function codexCommand(run: CodexCommandRun): Promise<Conversation> {
  const model = await startFakeOpenAi(run.script);
  const provider = `{name="fake",base_url="${model.origin}/v1",wire_api="responses",env_key="FAKE_KEY"}`;
  const config = [
    'model_provider="fake"',
    `model_providers.fake=${provider}`,
    "check_for_update_on_startup=false",
    "analytics.enabled=false",
    "mcp_servers.jeeves.required=true",
  ];
  const args = [
    ...["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", "workspace-write"],
    ...["-C", run.cwd, "-m", run.model ?? "fake-model", ...config.flatMap((entry) => ["-c", entry]), run.prompt],
  ];
  try {
    const child = spawn(process.execPath, [bin, ...args], {
      env: { ...run.env, FAKE_KEY: "x" },
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-4_000);
    });
    const [code] = await once(child, "close");
    return checkRun(model, code === 0 ? undefined : `codex exited with ${code}\n${stderr}`);
  } finally {
    await model.close();
  }
}
