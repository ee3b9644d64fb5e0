// The Codex CLI, the native binary of its npm package, in `exec` mode: one process per run, events as JSON lines.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { Agent, AgentRun, McpServer } from "./agent.ts";
import { checkRun, createClientEnv } from "./agent.ts";
import { startFakeOpenAi } from "./fake-openai.ts";

const bin = createRequire(import.meta.url).resolve("@openai/codex/bin/codex.js");
const PREAMBLE = /^Wall time: [\d.]+ seconds\nOutput:$/;
const STDERR_TAIL_CHARS = 4_000;

export const codex: Agent = {
  name: "Codex CLI",
  findTools: () => [],
  ownParts: ([first = "", ...rest]) => (PREAMBLE.test(first) ? rest : [first, ...rest]),
  async run(run) {
    const model = await startFakeOpenAi(run.script);
    try {
      const done = await runCodex(run, `${model.origin}/v1`);
      return { seen: checkRun(model, done.failure), finalText: done.finalText };
    } finally {
      await model.close();
    }
  },
};

const event = z.union([
  z.object({
    type: z.literal("item.completed"),
    item: z.object({ type: z.literal("agent_message"), text: z.string() }),
  }),
  z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
  z.object({ type: z.string() }),
]);

async function runCodex(run: AgentRun, baseUrl: string): Promise<{ finalText: string; failure: string | undefined }> {
  const home = join(run.home, ".codex");
  await mkdir(home, { recursive: true });
  const env = { ...(await createClientEnv(run.home)), CODEX_HOME: home, FAKE_KEY: "x" };
  // A group of its own, so that the binary behind the launcher and its servers end with it.
  const child = spawn(process.execPath, [bin, ...toArgv(run, baseUrl)], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL_CHARS);
  });
  const closed = once(child, "close");
  let finalText = "";
  let failure: string | undefined;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const parsed = event.parse(JSON.parse(line));
      if ("item" in parsed) finalText = parsed.item.text;
      else if ("error" in parsed) failure = parsed.error.message;
    }
    const [code, killedBy] = await closed;
    if (code !== 0) failure ??= `codex exited with ${code ?? killedBy}`;
  } finally {
    killGroup(child.pid);
  }
  return { finalText, failure: failure === undefined ? undefined : `${failure}\n${stderr}` };
}

function toArgv(run: AgentRun, baseUrl: string): string[] {
  const provider = `{name="fake",base_url=${toToml(baseUrl)},wire_api="responses",env_key="FAKE_KEY"}`;
  const config = [
    'model_provider="fake"',
    `model_providers.fake=${provider}`,
    "check_for_update_on_startup=false",
    "analytics.enabled=false",
    ...Object.entries(run.servers).flatMap(([name, server]) => toServerConfig(name, server)),
  ];
  return [
    ...["exec", "--json", "--skip-git-repo-check", "--ephemeral", "-C", run.cwd, "-m", "fake-model"],
    ...config.flatMap((entry) => ["-c", entry]),
    run.prompt,
  ];
}

function toServerConfig(name: string, { command, args, env }: McpServer): string[] {
  const at = `mcp_servers.${name}`;
  return [
    `${at}.command=${toToml(command)}`,
    `${at}.args=[${args.map(toToml).join(",")}]`,
    ...Object.entries(env).map(([key, value]) => `${at}.env.${key}=${toToml(value)}`),
    // Without it a server that is slow or broken is left out in silence, and the test would blame the tools.
    `${at}.required=true`,
    `${at}.default_tools_approval_mode="approve"`,
  ];
}

/** A JSON string is a TOML basic string. */
function toToml(text: string): string {
  return JSON.stringify(text);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
