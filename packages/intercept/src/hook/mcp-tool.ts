// Tools of MCP servers as Claude Code and Codex both name them: whose they are, and what a call of one says.
import type { ToolEvent } from "./tool-event.ts";

const NAME = /^mcp__(.+?)__(.+)$/s;

/** What our own servers say was cut already, or asked for because it had been. */
export function isOthersTool({ tool, ownServer = "" }: ToolEvent): boolean {
  const [, server] = NAME.exec(tool) ?? [];
  return server !== undefined && !ownServer.split(",").includes(server);
}

export function wordsOf({ input }: ToolEvent): string[] {
  return Object.values(input).filter((value) => typeof value === "string");
}
