// Gemini CLI: a hook may answer a result with the call of another tool, whose result takes its place. That call is its own
// read_file of a file with the text to show (answer.ts), so the answer is no error and needs no tool of ours.
import { isRecord } from "@jeeves/base";
import type { ClientAdapter } from "../hook/client-adapter.ts";
import { otherReading } from "../hook/mcp-tool.ts";
import type { Reading } from "../hook/reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";
import { wayBackOf } from "../stored/way-back.ts";
import { readGeminiCommand } from "./command.ts";
import { contentOf, replaceText } from "./content.ts";
import { readGeminiMcp } from "./mcp.ts";
import { linkStored } from "./project-files.ts";
import { readGeminiRead } from "./read.ts";
import { readGeminiGlob, readGeminiGrep } from "./search.ts";
import { inSharedWords } from "./shared-words.ts";

/** What differs in Gemini CLI. */
export const geminiAdapter: ClientAdapter = {
  inSharedWords,
  // Gemini can open only stored texts that were put into its own directory for this project.
  before: async () => undefined,
  readCommand: async (event) => readGeminiCommand(event),
  read(event) {
    // The message of a failure is one short line.
    if (isRecord(event.response) && event.response.error !== undefined) return undefined;
    if (event.tool === "Read") return readGeminiRead(event);
    if (event.tool === "Grep") return readGeminiGrep(event);
    if (event.tool === "Glob") return readGeminiGlob(event);
    return event.tool === "WebFetch" ? readText(event) : readGeminiMcp(event);
  },
  wayBack(event, memory) {
    const back = wayBackOf(event, memory);
    return back && { ...back, text: contentOf(event) ?? "" };
  },
  nameStored: linkStored,
};

function readText(event: ToolEvent): Reading | undefined {
  const text = contentOf(event);
  return text === undefined ? undefined : otherReading(event, text, replaceText);
}
