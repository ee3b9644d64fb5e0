// opencode: our plugin sends events before and after its tools run, and puts the answer into the result. Results are
// texts; those of MCP servers are lists of items.
import type { ClientAdapter } from "../hook/client-adapter.ts";
import { otherReading } from "../hook/mcp-tool.ts";
import { outputOf, replaceOutput } from "../hook/output.ts";
import type { Reading } from "../hook/reading.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";
import { judgeStoredCommand, judgeStoredRead, judgeStoredSearch } from "../stored/stored-read.ts";
import { wayBackOf } from "../stored/way-back.ts";
import { readOpencodeCommand } from "./command.ts";
import { readOpencodeMcp } from "./mcp.ts";
import { readOpencodeRead } from "./read.ts";
import { readOpencodeGlob, readOpencodeGrep } from "./search.ts";
import { inSharedWords } from "./shared-words.ts";

/** opencode's tools whose results may be any text: pages, answers of subagents. */
const TEXTS = new Set(["WebFetch", "Task"]);
const SEARCHES = new Set(["Grep", "Glob"]);

/** What differs in opencode. */
export const opencodeAdapter: ClientAdapter = {
  inSharedWords,
  async before(event, { storedReads }) {
    if (event.tool === "Read") return judgeStoredRead(event, await storedReads());
    if (event.tool === "Bash") return judgeStoredCommand(textOf(event.input.command) ?? "", await storedReads());
    return SEARCHES.has(event.tool) ? judgeStoredSearch(event, await storedReads()) : undefined;
  },
  readCommand: readOpencodeCommand,
  read(event) {
    if (event.tool === "Read") return readOpencodeRead(event);
    if (event.tool === "Grep") return readOpencodeGrep(event);
    if (event.tool === "Glob") return readOpencodeGlob(event);
    return TEXTS.has(event.tool) ? readText(event) : readOpencodeMcp(event);
  },
  wayBack(event, memory) {
    const back = wayBackOf(event, memory);
    return back && { ...back, text: outputOf(event) ?? "" };
  },
  nameStored: async (_, { path }) => path,
};

function readText(event: ToolEvent): Reading | undefined {
  const text = outputOf(event);
  return text === undefined ? undefined : otherReading(event, text, replaceOutput);
}
