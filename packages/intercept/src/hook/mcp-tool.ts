// Tools of MCP servers as Claude Code and Codex both name them: whose they are, what a call of one asks for, and their
// results, of which nothing else is known.
import { withoutDir } from "../focus/focus.ts";
import type { HookAnswer } from "./hook-answer.ts";
import { MIN_TOKENS, type Reading } from "./reading.ts";
import type { ToolEvent } from "./tool-event.ts";

const NAME = /^mcp__(.+?)__(.+)$/s;

/** What our own servers say was cut already, or asked for because it had been. */
export function isOthersTool({ tool, ownServer = "" }: ToolEvent): boolean {
  const [, server] = NAME.exec(tool) ?? [];
  return server !== undefined && !ownServer.split(",").includes(server);
}

/** A text of which nothing is known but the words of the call. */
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
