// An answer in Gemini's words. A text in the place of a result is written to a file, and Gemini is asked to read that:
// what read_file shows then takes the result's place.
import { createHash } from "node:crypto";
import type { HookAnswer } from "../hook/hook-answer.ts";
import type { ToolEvent } from "../hook/tool-event.ts";
import { writeShown } from "./project-files.ts";
import { canReadFile, type GeminiPlaces } from "./settings.ts";

/** What read_file shows of a file at once, and of a line. */
const MAX_LINES = 2_000;
const MAX_LINE_CHARS = 2_000;

/** The hook's output; an empty object changes nothing. */
export async function toGeminiOutput(
  answer: HookAnswer | undefined,
  event: ToolEvent,
  places: GeminiPlaces,
): Promise<Readonly<Record<string, unknown>>> {
  if (answer?.kind === "refuse") return { decision: "deny", reason: answer.reason };
  if (answer?.kind !== "replace" || typeof answer.output !== "string") return {};
  const text = answer.output;
  const lines = text.split("\n");
  if (lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE_CHARS)) return {};
  // Its own result shows that it has read_file; after that of another tool it must not be missing.
  if (event.tool !== "read_file" && !(await canReadFile(places))) return {};
  const name = `shown-${createHash("sha256").update(text).digest("hex").slice(0, 16)}.txt`;
  const path = await writeShown(event, name, text);
  if (path === undefined) return {};
  const tailToolCallRequest = { name: "read_file", args: { file_path: path } };
  return { hookSpecificOutput: { hookEventName: "AfterTool", tailToolCallRequest } };
}
