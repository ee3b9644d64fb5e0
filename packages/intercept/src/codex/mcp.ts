// Results of other MCP servers in Codex. A hook's text is shown to the model instead of a result, but only where the model
// itself called the tool: the result of a call by a program of the model's ("code mode", with ids such as exec-…) always
// goes to the program.

import { isRecord, traitsOf } from "@jeeves/base";
import { clientView } from "@jeeves/cut";
import { isOthersTool, otherReading } from "../hook/mcp-tool.ts";
import { type Reading, roomFor } from "../hook/reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

/** The only text item of another server's result; undefined for any other result, and for errors. */
export function readCodexMcp(event: ToolEvent): Reading | undefined {
  if (!isOthersTool(event) || event.callId?.startsWith("exec-") !== false) return undefined;
  const { response } = event;
  // The model would see the structured content, whose form we do not know.
  if (!isRecord(response) || response.isError === true || isThere(response.structuredContent)) return undefined;
  if (!Array.isArray(response.content) || response.content.length !== 1) return undefined;
  const item: unknown = response.content[0];
  if (!isRecord(item) || item.type !== "text" || typeof item.text !== "string") return undefined;
  return {
    ...otherReading(event, item.text, (text) => ({ kind: "instead", text })),
    ...roomFor("codex", "hookText"),
    clientView: (text, model) => clientView(text, traitsOf("codex"), "result", model),
  };
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}
