// Results of other people's MCP servers in Codex. A hook may say something in the place of a result, and the model reads
// that as it stands, but only where the model itself has called the tool: what a program of the model's calls ("code
// mode", whose calls are numbered exec-…) goes to the program, whatever a hook says.
import { isOthersTool, wordsOf } from "./mcp-tool.ts";
import { MIN_TOKENS, type Reading } from "./reading.ts";
import { isRecord, type ToolEvent } from "./tool-event.ts";

/** of what a hook says Codex 0.166 shows 10,000 characters, less than of a result. */
const MAX_CHARS = 9_000;

export function readCodexMcp(event: ToolEvent): Reading | undefined {
  if (!isOthersTool(event) || event.callId?.startsWith("exec-") !== false) return undefined;
  const { response } = event;
  // The model would have been shown the structured content, of which we know nothing.
  if (!isRecord(response) || response.isError === true || isThere(response.structuredContent)) return undefined;
  if (!Array.isArray(response.content) || response.content.length !== 1) return undefined;
  const item: unknown = response.content[0];
  if (!isRecord(item) || item.type !== "text" || typeof item.text !== "string") return undefined;
  return {
    text: item.text,
    minTokens: MIN_TOKENS,
    maxChars: MAX_CHARS,
    numbered: false,
    isWholeFile: false,
    asked: wordsOf(event),
    what: wordsOf(event).join(" "),
    replace: (text) => ({ kind: "instead", text }),
  };
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}
