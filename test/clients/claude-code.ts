// Claude Code as a person starts it: the command line of one version, with the settings that its user's home holds.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { checkRun, createClientEnv } from "./agent.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { offlineClaude, PATIENT_CLAUDE } from "./offline-settings.ts";
import type { Conversation, Turn } from "./scripted-model.ts";

const require = createRequire(import.meta.url);

export interface ClaudeCodeVersion {
  readonly version: string;
  readonly bin: string;
}

/** The newest that runs on this Node, and the one that npm gives to Node 20. */
export const VERSIONS: readonly ClaudeCodeVersion[] = [
  { version: "2.1.325", bin: nativeBin() },
  {
    version: "2.1.197",
    bin: join(dirname(require.resolve("@anthropic-ai/claude-code/package.json")), "bin", "claude.exe"),
  },
];

/** The Agent SDK brings its own Claude Code in a package per platform. */
function nativeBin(): string {
  const sdk = createRequire(require.resolve("@anthropic-ai/claude-agent-sdk"));
  return sdk.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
}

/** A PATH with the newest one as `claude`, in a directory below `home`. */
export async function claudeOnPath(home: string): Promise<string> {
  const bin = join(home, "claude-bin");
  await mkdir(bin, { recursive: true });
  const link = join(bin, "claude");
  if (!existsSync(link)) await symlink(VERSIONS[0]?.bin ?? "", link);
  return `${bin}:${process.env.PATH ?? ""}`;
}

export interface ClaudeCodeRun {
  readonly prompt: string;
  readonly script: readonly Turn[];
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

export interface ClaudeCodeOutcome {
  readonly seen: Conversation;
  /** Every request to the model, as JSON. */
  readonly requests: readonly string[];
  /** As the client reported them when it started. */
  readonly servers: readonly { readonly name: string; readonly status: string }[];
}

const started = z.object({
  type: z.literal("system"),
  subtype: z.literal("init"),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })),
});

export async function claudeEnv(home: string): Promise<Record<string, string>> {
  return { ...(await createClientEnv(home)), CLAUDE_CONFIG_DIR: join(home, ".claude") };
}

export async function runClaudeCode({ bin }: ClaudeCodeVersion, run: ClaudeCodeRun): Promise<ClaudeCodeOutcome> {
  const model = await startFakeAnthropic(run.script);
  try {
    const env = {
      ...(await createClientEnv(run.home)),
      ...offlineClaude(join(run.home, ".claude"), model.origin),
      ...PATIENT_CLAUDE,
      ...run.env,
    };
    const args = ["-p", run.prompt, "--output-format", "stream-json", "--verbose", ...(run.args ?? [])];
    const child = spawn(bin, args, { cwd: run.cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-4_000);
    });
    const closed = once(child, "close");
    let servers: ClaudeCodeOutcome["servers"] = [];
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        const init = started.safeParse(JSON.parse(line));
        if (init.success) servers = init.data.mcp_servers;
      }
      const [code] = await closed;
      const seen = checkRun(model, code === 0 ? undefined : `claude exited with ${code}\n${stderr}`);
      return { seen, requests: model.bodies, servers };
    } finally {
      child.kill("SIGKILL");
    }
  } finally {
    await model.close();
  }
}
