// Claude Code through the Claude Agent SDK: the SDK starts the binary that comes with it as an npm package.
import { join } from "node:path";
import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { query } from "@anthropic-ai/claude-agent-sdk";
import type { Agent, AgentRun, McpServer } from "./agent.ts";
import { checkRun, createClientEnv } from "./agent.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { offlineClaude } from "./offline-settings.ts";

const STDERR_TAIL_CHARS = 4_000;

export const claude: Agent = {
  name: "Claude Agent SDK",
  // Tools of MCP servers are deferred: the model knows their names and asks for their schemas first.
  findTools: (server, tools) => [
    {
      call: { tool: "ToolSearch" },
      with: { query: `select:${tools.map((tool) => `mcp__${server}__${tool}`).join(",")}` },
    },
  ],
  ownParts: (parts) => parts,
  async run(run) {
    const model = await startFakeAnthropic(run.script);
    try {
      const done = await runClaude(run, model.origin);
      return { seen: checkRun(model, done.failure), finalText: done.finalText };
    } finally {
      await model.close();
    }
  },
};

async function runClaude(run: AgentRun, baseUrl: string): Promise<{ finalText: string; failure: string | undefined }> {
  const env = {
    ...(await createClientEnv(run.home)),
    ...offlineClaude(join(run.home, ".claude"), baseUrl),
  };
  const abort = new AbortController();
  const stop = () => abort.abort();
  run.signal?.addEventListener("abort", stop, { once: true });
  let stderr = "";
  let finalText = "";
  let failure: string | undefined;
  try {
    const messages = query({
      prompt: run.prompt,
      options: {
        cwd: run.cwd,
        env,
        abortController: abort,
        settingSources: [],
        strictMcpConfig: true,
        mcpServers: toServerConfigs(run.servers),
        allowedTools: Object.keys(run.servers).map((name) => `mcp__${name}`),
        stderr: (text) => {
          stderr = (stderr + text).slice(-STDERR_TAIL_CHARS);
        },
      },
    });
    for await (const message of messages) {
      failure ??= failureOf(message);
      if (message.type === "result" && message.subtype === "success") finalText = message.result;
    }
  } catch (error) {
    failure ??= error instanceof Error ? error.message : String(error);
  } finally {
    run.signal?.removeEventListener("abort", stop);
    abort.abort();
  }
  return { finalText, failure: failure === undefined ? undefined : `${failure}\n${stderr}` };
}

function failureOf(message: SDKMessage): string | undefined {
  if (message.type === "system" && message.subtype === "init") {
    const missing = message.mcp_servers.filter(({ status }) => status !== "connected");
    if (missing.length > 0) return `MCP servers not connected: ${JSON.stringify(missing)}`;
  }
  if (message.type !== "result") return undefined;
  if (message.subtype !== "success") return `${message.subtype}: ${message.errors.join("; ")}`;
  return message.is_error ? message.result : undefined;
}

function toServerConfigs(servers: AgentRun["servers"]) {
  const toConfig = ({ command, args, env }: McpServer) => ({ command, args: [...args], env: { ...env } });
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, toConfig(server)]));
}
