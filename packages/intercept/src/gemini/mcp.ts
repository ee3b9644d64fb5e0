// Results of MCP servers in Gemini: one text in a fence, before Gemini cuts it. The results of our own tools are not cut.
import { traitsOf } from "@jeeves/base";
import { clientView } from "@jeeves/cut";
import { otherReading } from "../hook/mcp-tool.ts";
import type { Reading } from "../hook/reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";
import { contentOf, replaceText, withoutFence } from "./content.ts";

/** The text of another server's result, without its fence; undefined for any other result. */
export function readGeminiMcp(event: ToolEvent): Reading | undefined {
  const { tool, ownServer = "" } = event;
  const isOwn = ownServer.split(",").some((server) => server !== "" && tool.startsWith(`mcp_${server}_`));
  const content = contentOf(event);
  if (content === undefined || !tool.startsWith("mcp_") || isOwn) return undefined;
  const { text, fence } = withoutFence(content);
  return {
    ...otherReading(event, text, (shown) => replaceText(fence(shown))),
    clientView: (shown) => clientView(shown, traitsOf("gemini"), "result"),
  };
}
