// Results of MCP servers in opencode: a list of items, before opencode cuts them. One text item is cut; the results of our
// own tools are not.
import { isRecord, traitsOf } from "@jeeves/base";
import { clientView } from "@jeeves/cut";
import { otherReading } from "../hook/mcp-tool.ts";
import type { Reading } from "../hook/reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

/** The only text item of another server's result; undefined for any other result. */
export function readOpencodeMcp(event: ToolEvent): Reading | undefined {
  const { tool, response, ownServer = "" } = event;
  // Tools are named after their server: jeeves_read.
  if (ownServer.split(",").some((server) => server !== "" && tool.startsWith(`${server}_`))) return undefined;
  if (!isRecord(response) || !Array.isArray(response.content) || response.content.length !== 1) return undefined;
  const item: unknown = response.content[0];
  if (!isRecord(item) || item.type !== "text" || typeof item.text !== "string") return undefined;
  return {
    ...otherReading(event, item.text, (text) => ({ kind: "replace", output: { content: [{ ...item, text }] } })),
    clientView: (text) => clientView(text, traitsOf("opencode"), "result"),
  };
}
