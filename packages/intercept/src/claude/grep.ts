// Claude Code's own Grep, where it has one: long lists of matching lines. File lists and counts are left alone.

import { isRecord } from "@jeeves/base";
import { MIN_TOKENS, type Reading, roomFor } from "../hook/reading.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

const MIN_LINES = 150;

/** More than 150 matching lines; undefined for a shorter list, or for a result of another shape. */
export function readClaudeGrep(event: ToolEvent): Reading | undefined {
  const { response } = event;
  if (!isRecord(response) || response.mode !== "content" || typeof response.content !== "string") return undefined;
  const { content } = response;
  if (content.split("\n").length <= MIN_LINES) return undefined;
  return {
    text: content,
    class: "search",
    minTokens: MIN_TOKENS,
    ...roomFor("claude-code", "search"),
    kind: "matches",
    numbered: false,
    isWholeFile: false,
    asked: [textOf(event.input.pattern) ?? ""],
    what: textOf(event.input.pattern) ?? "",
    search: {
      searched: textOf(event.input.pattern) ?? "",
      // In Claude Code 0 means no limit; hooks may get numbers as text.
      asksForAll: Number(event.input.head_limit ?? Number.NaN) === 0,
      onlyPath: textOf(event.input.path),
    },
    replace: (shown) => ({
      kind: "replace",
      output: { ...response, content: shown, numLines: shown.split("\n").length },
    }),
  };
}
