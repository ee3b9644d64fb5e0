// Tools of MCP servers, which Claude Code and Codex name in the same way: their server, the words of a call, and their
// results, of which nothing else is known.
import { withoutDir } from "../focus/focus.ts";
import type { HookAnswer } from "./hook-answer.ts";
import { MIN_TOKENS, type Reading } from "./reading.ts";
import type { ToolEvent } from "./tool-event.ts";

const NAME = /^mcp__(.+?)__(.+)$/s;

/** Whether a tool belongs to another server. Results of our own were cut already, or bring back what was cut. */
export function isOthersTool({ tool, ownServer = "" }: ToolEvent): boolean {
  const [, server] = NAME.exec(tool) ?? [];
  return server !== undefined && !ownServer.split(",").includes(server);
}

/** The reading of a text about which only the call's words are known. */
export function otherReading(event: ToolEvent, text: string, replace: (shown: string) => HookAnswer): Reading {
  const words = wordsOf(event);
  const asked = words.map((each) => withoutDir(each, event.cwd));
  return {
    ...{ text, class: "other", minTokens: MIN_TOKENS, numbered: false, isWholeFile: false },
    ...{ asked, what: words.join(" "), replace },
  };
}

function wordsOf({ input }: ToolEvent): string[] {
  return Object.values(input).filter((value) => typeof value === "string");
}
