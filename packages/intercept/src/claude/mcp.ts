// Results of other MCP servers in Claude Code: a list of items, or plain text. One text item is cut; images and several
// texts are left alone, and so are the results of our own tools.

import { isRecord, traitsOf } from "@jeeves/base";
import { clientView } from "@jeeves/cut";
import { isOthersTool, wordsOf } from "../hook/mcp-tool.ts";
import { MIN_TOKENS, type Reading } from "../hook/reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

export function readClaudeMcp(event: ToolEvent): Reading | undefined {
  if (!isOthersTool(event)) return undefined;
  const { response } = event;
  if (!Array.isArray(response) || response.length !== 1) return undefined;
  const item: unknown = response[0];
  if (!isRecord(item) || item.type !== "text" || typeof item.text !== "string") return undefined;
  return {
    text: item.text,
    class: "other",
    minTokens: MIN_TOKENS,
    clientView: (text) => clientView(text, traitsOf("claude-code"), "result"),
    numbered: false,
    isWholeFile: false,
    asked: wordsOf(event),
    what: wordsOf(event).join(" "),
    replace: (shown) => ({ kind: "replace", output: [{ ...item, text: shown }] }),
  };
}
