// A hook's answer in Gemini's form. A text that replaces a result is written to a file, and Gemini is asked to read that:
// the result of read_file then replaces the original.
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
  // A result of read_file proves that it may be called; after another tool's result, the settings are checked.
  if (event.tool !== "read_file" && !(await canReadFile(places))) return {};
  const name = `shown-${createHash("sha256").update(text).digest("hex").slice(0, 16)}.txt`;
  const path = await writeShown(event, name, text);
  if (path === undefined) return {};
  const tailToolCallRequest = { name: "read_file", args: { file_path: path } };
  return { hookSpecificOutput: { hookEventName: "AfterTool", tailToolCallRequest } };
}
