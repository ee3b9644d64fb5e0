// Results of other MCP servers in Claude Code, a list of items, and answers of subagents, which hold such a list. One text
// item is cut; images and several texts are left alone, and so are the results of our own tools.

import { isRecord, traitsOf } from "@jeeves/base";
import { clientView } from "@jeeves/cut";
import { isOthersTool, otherReading } from "../hook/mcp-tool.ts";
import type { Reading } from "../hook/reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

/** The only text item of another server's result; undefined for any other result. */
export function readClaudeMcp(event: ToolEvent): Reading | undefined {
  return isOthersTool(event) ? readItems(event, event.response, (content) => content) : undefined;
}

/** The answer of a subagent; undefined for one in the background, which has no answer yet. */
export function readClaudeAgent(event: ToolEvent): Reading | undefined {
  const { response } = event;
  return isRecord(response) ? readItems(event, response.content, (content) => ({ ...response, content })) : undefined;
}

function readItems(
  event: ToolEvent,
  items: unknown,
  toOutput: (items: readonly unknown[]) => unknown,
): Reading | undefined {
  if (!Array.isArray(items) || items.length !== 1) return undefined;
  const item: unknown = items[0];
  if (!isRecord(item) || item.type !== "text" || typeof item.text !== "string") return undefined;
  return {
    ...otherReading(event, item.text, (text) => ({ kind: "replace", output: toOutput([{ ...item, text }]) })),
    clientView: (text) => clientView(text, traitsOf("claude-code"), "result"),
  };
}
