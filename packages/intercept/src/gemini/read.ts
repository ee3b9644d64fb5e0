// Gemini's own read_file: the file's lines without numbers, 2,000 of them at most. For a longer file, a few lines above the
// text name the range. Kept lines are shown as they are, so that an edit can quote them.
import { READ_MIN_TOKENS, type Reading } from "../hook/reading.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";
import { contentOf, replaceText } from "./content.ts";

const HEAD =
  /^\s*IMPORTANT: The file content has been truncated\.\nStatus: Showing lines (\d+)-(\d+) of \d+ total lines\.[\s\S]*?\n--- FILE CONTENT \(truncated\) ---\n/;
const MAX_HEAD_CHARS = 2_000;
/** Behind a line that Gemini cut off. */
const CUT_LINE = /\.\.\. \[truncated\]$/m;

/** The lines of a file; undefined for images and results of another shape. */
export function readGeminiRead(event: ToolEvent): Reading | undefined {
  const content = contentOf(event);
  const path = textOf(event.input.file_path);
  if (content === undefined || path === undefined || CUT_LINE.test(content)) return undefined;
  const [head = "", first = "1"] = HEAD.exec(content.slice(0, MAX_HEAD_CHARS)) ?? [];
  const isRanged = event.input.offset !== undefined;
  const firstLine = Number(first);
  if (firstLine !== 1 && !isRanged) return undefined;
  return {
    text: content.slice(head.length),
    class: isRanged ? "read-range" : "read",
    ...(isRanged ? { firstLine } : {}),
    minTokens: READ_MIN_TOKENS,
    ...{ path, what: path, asked: [], numbered: false, isWholeFile: true },
    replace: (shown) => replaceText(`${head}${shown}`),
  };
}
