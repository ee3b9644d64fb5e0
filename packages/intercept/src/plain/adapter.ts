// Clients without a module here. Their own adapters send results in the plain form, a text in `output`, and show the text
// that comes back. Results in Claude Code's form are answered in that form.
import { isRecord } from "@jeeves/base";
import { claudeAdapter } from "../claude/adapter.ts";
import type { ClientAdapter } from "../hook/client-adapter.ts";
import { isOthersTool, otherReading } from "../hook/mcp-tool.ts";
import { outputOf, replaceOutput } from "../hook/output.ts";
import { type CommandReading, READ_MIN_TOKENS, type Reading } from "../hook/reading.ts";
import { filesReading, searchReading } from "../hook/search-reading.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";
import { judgeStoredCommand } from "../stored/stored-read.ts";

/** Tools whose results may be any text: pages, answers of subagents. */
const TEXTS = new Set(["WebFetch", "Agent", "Task"]);

/** The adapter of every client without a module of its own. */
export const plainAdapter: ClientAdapter = {
  async before(event, deps) {
    if (event.tool !== "Bash") return claudeAdapter.before(event, deps);
    return judgeStoredCommand(textOf(event.input.command) ?? "", await deps.storedReads());
  },
  readCommand: async (event) => readCommand(event),
  read(event) {
    const text = outputOf(event);
    if (text === undefined) return claudeAdapter.read(event);
    const reading = readText(event, text);
    // such a client is taken to show the whole text.
    return reading && { ...reading, clientView: (shown) => shown };
  },
  wayBack(event, memory) {
    const back = claudeAdapter.wayBack(event, memory);
    return back && { ...back, text: outputOf(event) ?? back.text };
  },
  // An absolute path: not every client expands `~`.
  nameStored: async (_, { path }) => path,
};

function readCommand(event: ToolEvent): CommandReading | undefined {
  const command = textOf(event.input.command);
  const text = outputOf(event);
  if (event.tool !== "Bash" || command === undefined || text === undefined) return undefined;
  const exitCode = numberIn(event.response, "exit_code") ?? 0;
  return { command, text, exitCode, replace: replaceOutput };
}

function readText(event: ToolEvent, text: string): Reading | undefined {
  if (event.tool === "Read") return readFile(event, text);
  if (event.tool === "Grep") return searchReading(event, text, replaceOutput);
  if (event.tool === "Glob") return filesReading(event, text, replaceOutput);
  return TEXTS.has(event.tool) || isOthersTool(event) ? otherReading(event, text, replaceOutput) : undefined;
}

/** Undefined for a part of a file whose range is not in the call: its line numbers would be wrong. */
function readFile({ input, response }: ToolEvent, text: string): Reading | undefined {
  const path = textOf(input.file_path);
  const isRanged = input.offset !== undefined || input.limit !== undefined;
  const firstLine = numberIn(response, "first_line") ?? 1;
  if (path === undefined || (firstLine !== 1 && !isRanged)) return undefined;
  return {
    ...{ text, path, what: path, asked: [], class: isRanged ? "read-range" : "read", minTokens: READ_MIN_TOKENS },
    ...(isRanged ? { firstLine } : {}),
    ...{ numbered: true, isWholeFile: true, replace: replaceOutput },
  };
}

function numberIn(response: unknown, name: string): number | undefined {
  const value = isRecord(response) ? response[name] : undefined;
  return Number.isSafeInteger(value) ? Number(value) : undefined;
}
