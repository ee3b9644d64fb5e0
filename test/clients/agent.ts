// What every real client is asked to do here: run one prompt against a scripted model with some MCP
// servers wired in, and say what its model saw.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Conversation, ScriptedModel, Turn } from "./scripted-model.ts";

export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentRun {
  readonly prompt: string;
  readonly script: readonly Turn[];
  readonly cwd: string;
  /** An empty directory that stands for the user's home: no settings of the machine may leak in. */
  readonly home: string;
  readonly servers: Readonly<Record<string, McpServer>>;
  readonly signal?: AbortSignal;
}

export interface AgentOutcome {
  /** The agent's last words to its user. */
  readonly finalText: string;
  /** What the model saw in the last request: every tool, every output. */
  readonly seen: Conversation;
}

export interface Agent {
  readonly name: string;
  /** The turns that a model takes before it may call these tools: some clients defer them. */
  findTools(server: string, tools: readonly string[]): readonly Turn[];
  run(run: AgentRun): Promise<AgentOutcome>;
  /** The texts of one output without the client's own words around them. */
  ownParts(parts: readonly string[]): readonly string[];
}

/** A PATH, a home, and a proxy at a closed loopback port, so that nothing can leave the machine. */
export async function createClientEnv(home: string): Promise<Record<string, string>> {
  const config = join(home, ".config");
  await mkdir(config, { recursive: true });
  // Its own: Codex starts no sandbox where its home lies below the directory for temporary files.
  const temporary = join(home, "tmp");
  await mkdir(temporary, { recursive: true });
  const proxy = "http://127.0.0.1:9";
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TMPDIR: temporary,
    XDG_CONFIG_HOME: config,
    LANG: "C.UTF-8",
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: "127.0.0.1",
  };
}

/** The last conversation; throws where the script was left or the client itself failed. */
export function checkRun(model: ScriptedModel, failure: string | undefined): Conversation {
  const problems = [...model.problems, ...(failure === undefined ? [] : [failure])];
  if (problems.length > 0) throw new Error(`the run did not go as scripted:\n${problems.join("\n")}`);
  const last = model.conversations.at(-1);
  if (last === undefined) throw new Error("the client never asked the model");
  return last;
}
