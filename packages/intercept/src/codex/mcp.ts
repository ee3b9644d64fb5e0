// Results of other MCP servers in Codex. A hook may say something in the place of a result, and the model reads that as
// it stands, but only where the model itself called the tool: the result of a call that a program of the model's makes
// ("code mode", calls numbered exec-…) goes to the program, whatever a hook says.

import { isRecord, traitsOf } from "@jeeves/base";
import { clientView } from "@jeeves/cut";
import { isOthersTool, otherReading } from "../hook/mcp-tool.ts";
import { type Reading, roomFor } from "../hook/reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

export function readCodexMcp(event: ToolEvent): Reading | undefined {
  if (!isOthersTool(event) || event.callId?.startsWith("exec-") !== false) return undefined;
  const { response } = event;
  // The model would have been shown the structured content, of which we know nothing.
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
