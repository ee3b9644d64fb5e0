// Results of other people's MCP servers in Claude Code: a list of items, or plain text. One text item is cut; images and
// several texts are left alone, and so is whatever one of our own tools has said.
import { isOthersTool, wordsOf } from "./mcp-tool.ts";
import type { Reading } from "./reading.ts";
import { MIN_TOKENS } from "./reading.ts";
import { isRecord, type ToolEvent } from "./tool-event.ts";

export function readClaudeMcp(event: ToolEvent): Reading | undefined {
  if (!isOthersTool(event)) return undefined;
  const { response } = event;
  if (!Array.isArray(response) || response.length !== 1) return undefined;
  const item: unknown = response[0];
  if (!isRecord(item) || item.type !== "text" || typeof item.text !== "string") return undefined;
  return {
    text: item.text,
    minTokens: MIN_TOKENS,
    numbered: false,
    isWholeFile: false,
    asked: wordsOf(event),
    what: wordsOf(event).join(" "),
    replace: (shown) => ({ kind: "replace", output: [{ ...item, text: shown }] }),
  };
}
