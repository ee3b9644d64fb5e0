// Claude Code: results are replaced in their own shape.
import { isRecord } from "@jeeves/base";
import type { ClientAdapter } from "../hook/client-adapter.ts";
import type { Reading } from "../hook/reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";
import { judgeStoredRead, judgeStoredSearch } from "../stored/stored-read.ts";
import { wayBackOf } from "../stored/way-back.ts";
import { readClaudeGlob } from "./glob.ts";
import { readClaudeGrep } from "./grep.ts";
import { readClaudeAgent, readClaudeMcp } from "./mcp.ts";
import { readClaudeRead } from "./read.ts";
import { readClaudeWebFetch } from "./web-fetch.ts";

const SEARCHES = new Set(["Grep", "Glob"]);

/** What differs in Claude Code. */
export const claudeAdapter: ClientAdapter = {
  async before(event, { storedReads }) {
    if (event.tool === "Read") return judgeStoredRead(event, await storedReads());
    return SEARCHES.has(event.tool) ? judgeStoredSearch(event, await storedReads()) : undefined;
  },
  read(event) {
    const reader = readerOf(event.tool);
    const reading = reader?.(event);
    const isNarrow = event.input.offset !== undefined || event.input.limit !== undefined;
    // Responses are objects or lists; anything else from a known tool comes from a version that we do not know.
    const isUnknown = reader !== undefined && reading === undefined && !isNarrow && typeof event.response !== "object";
    return isUnknown ? "unknown_shape" : reading;
  },
  wayBack(event, memory) {
    const back = wayBackOf(event, memory);
    if (back === undefined) return undefined;
    return { ...back, text: shownText(event) };
  },
};

/** What the model was shown of a file, or of a search in one file. */
function shownText(event: ToolEvent): string {
  const { response } = event;
  if (isRecord(response) && typeof response.content === "string") return response.content;
  const { text = "", clientView } = readClaudeRead(event) ?? {};
  return clientView?.(text) ?? text;
}

function readerOf(tool: string): ((event: ToolEvent) => Reading | undefined) | undefined {
  if (tool === "Read") return readClaudeRead;
  if (tool === "Grep") return readClaudeGrep;
  if (tool === "Glob") return readClaudeGlob;
  if (tool === "WebFetch") return readClaudeWebFetch;
  if (tool === "Agent" || tool === "Task") return readClaudeAgent;
  return tool.startsWith("mcp__") ? readClaudeMcp : undefined;
}
