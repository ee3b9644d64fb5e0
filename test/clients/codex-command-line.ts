// Codex as a person starts it: `codex exec` with the settings that its home holds, and its sandbox on.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { checkRun } from "./agent.ts";
import { startFakeOpenAi } from "./fake-openai.ts";
import { startFakeCodeMode } from "./fake-openai-code-mode.ts";
import type { Conversation, Turn } from "./scripted-model.ts";

const bin = createRequire(import.meta.url).resolve("@openai/codex/bin/codex.js");

export interface CodexCommandRun {
  readonly prompt: string;
  readonly script: readonly Turn[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A model that writes JavaScript calls commands in another way. */
  readonly mode: "direct" | "code";
  /** Our server is waited for, and must start (default). Without one there is none in the settings. */
  readonly isServerRequired?: boolean;
  readonly hasServer?: boolean;
  /** A sandbox on the command line takes the place of the permission profile that the settings choose. */
  readonly usesProfile?: boolean;
}

/** Another tool's server, as Codex' user has set it up: its tool `fetch` gives the text of the file. */
export function codexTextServer(file: string): string {
  const settings = [
    "[mcp_servers.text]",
    `command = ${JSON.stringify(process.execPath)}`,
    `args = [${JSON.stringify(fileURLToPath(new URL("text-server.mjs", import.meta.url)))}]`,
    `env = { TEXT_FILE = ${JSON.stringify(file)} }`,
    "required = true",
    'default_tools_approval_mode = "approve"',
  ];
  return `${settings.join("\n")}\n`;
}

/** What the model saw in the last request, and every request as JSON. */
export interface CodexOutcome extends Conversation {
  readonly requests: readonly string[];
}

export async function codexCommand(run: CodexCommandRun): Promise<CodexOutcome> {
  const model = await (run.mode === "code" ? startFakeCodeMode : startFakeOpenAi)(run.script);
  const provider = `{name="fake",base_url="${model.origin}/v1",wire_api="responses",env_key="FAKE_KEY"}`;
  const config = [
    'model_provider="fake"',
    `model_providers.fake=${provider}`,
    "check_for_update_on_startup=false",
    "analytics.enabled=false",
    ...(run.hasServer === false ? [] : [`mcp_servers.jeeves.required=${run.isServerRequired ?? true}`]),
  ];
  const args = [
    ...["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"],
    ...(run.usesProfile === true ? [] : ["-s", "workspace-write"]),
    ...[
      "-C",
      run.cwd,
      "-m",
      run.mode === "code" ? "gpt-6.1-sol" : "fake-model",
      ...config.flatMap((entry) => ["-c", entry]),
      run.prompt,
    ],
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
    // Whatever it left in its group: servers, commands.
    if (child.pid !== undefined) killGroup(child.pid);
    const seen = checkRun(model, code === 0 ? undefined : `codex exited with ${code}\n${stderr}`);
    return { ...seen, requests: model.bodies };
  } finally {
    await model.close();
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
