// Claude Code's own Read. Where a call names lines, only those that the session already has are left out.

import { isRecord } from "@jeeves/base";
import { READ_MIN_TOKENS, type Reading } from "../hook/reading.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

/** The lines of a file; undefined for images and other content, and where the response's numbers do not fit the call. */
export function readClaudeRead(event: ToolEvent): Reading | undefined {
  const { input, response } = event;
  const isRanged = input.offset !== undefined || input.limit !== undefined;
  if (!isRecord(response) || response.type !== "text" || !isRecord(response.file)) return undefined;
  const { file } = response;
  const { content, startLine, numLines, totalLines } = file;
  const path = textOf(file.filePath) ?? textOf(input.file_path);
  if (typeof content !== "string" || typeof startLine !== "number" || path === undefined) return undefined;
  if (!Number.isSafeInteger(startLine) || startLine < 1 || (startLine !== 1 && !isRanged)) return undefined;
  // Of a file beyond its token cap Claude Code reads the first page, and shows these numbers itself.
  const isFirstPage = file.truncatedByTokenCap === true;
  if (numLines !== totalLines && !isFirstPage && !isRanged) return undefined;
  return {
    text: content,
    class: isRanged ? "read-range" : "read",
    ...(isRanged ? { firstLine: startLine } : {}),
    clientView: numbered,
    minTokens: READ_MIN_TOKENS,
    path,
    numbered: true,
    isWholeFile: true,
    asked: [],
    what: path,
    replace: (shown) => {
      const lines = shown.split("\n").length;
      const counted = isFirstPage || isRanged ? {} : { numLines: lines, startLine: 1, totalLines: lines };
      return { kind: "replace", output: { ...response, file: { ...file, ...counted, content: shown } } };
    },
  };
}

/** The text as the model sees it: a number, a tab and the line. */
function numbered(text: string): string {
  return text
    .split("\n")
    .map((line, index) => `${index + 1}\t${line}`)
    .join("\n");
}
