// Claude Code's own Read: whole files only. A call that names lines wants exactly those.

import { isRecord } from "@jeeves/base";
import type { Reading } from "../hook/reading.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

/** Its user asked for the file, not for a search: only a file that is dear on every later turn is worth a doubt. */
const MIN_TOKENS = 6_000;

export function readClaudeRead(event: ToolEvent): Reading | undefined {
  const { input, response } = event;
  if (input.offset !== undefined || input.limit !== undefined) return undefined;
  if (!isRecord(response) || response.type !== "text" || !isRecord(response.file)) return undefined;
  const { file } = response;
  const { content, startLine, numLines, totalLines } = file;
  const path = textOf(file.filePath) ?? textOf(input.file_path);
  if (typeof content !== "string" || startLine !== 1 || path === undefined) return undefined;
  // Of a file that is dear beyond its cap Claude Code reads the first page, and says so itself, with these numbers.
  const isFirstPage = file.truncatedByTokenCap === true;
  if (numLines !== totalLines && !isFirstPage) return undefined;
  return {
    text: content,
    minTokens: MIN_TOKENS,
    path,
    numbered: true,
    isWholeFile: true,
    asked: [],
    what: path,
    replace: (shown) => {
      const lines = shown.split("\n").length;
      const counted = isFirstPage ? {} : { numLines: lines, startLine: 1, totalLines: lines };
      return { kind: "replace", output: { ...response, file: { ...file, ...counted, content: shown } } };
    },
  };
}
