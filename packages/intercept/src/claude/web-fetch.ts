// Claude Code's own WebFetch: its small model's answer about a page or, for documentation in Markdown, the page itself.
import { isRecord, traitsOf } from "@jeeves/base";
import { clientView } from "@jeeves/cut";
import { otherReading } from "../hook/mcp-tool.ts";
import type { Reading } from "../hook/reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

/** The answer about a page; undefined for a result of another shape. */
export function readClaudeWebFetch(event: ToolEvent): Reading | undefined {
  const { response } = event;
  if (!isRecord(response) || typeof response.result !== "string") return undefined;
  return {
    ...otherReading(event, response.result, (result) => ({ kind: "replace", output: { ...response, result } })),
    clientView: (text) => clientView(text, traitsOf("claude-code"), "result"),
  };
}
