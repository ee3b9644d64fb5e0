// The tool `read` (J-27 … J-30): a file of the root as text, or the lines of it that answer the question.
import { withLastLine } from "@jeeves/cut";
import { defineTool, type ToolCall, type ToolOutcome } from "@jeeves/kit/mcp";
import { readTextFile, type TextFile, WorkspaceError } from "@jeeves/workspace";
import { byteLength } from "../answer/pruning.ts";
import { type ReadArguments, readArguments } from "../arguments.ts";
import { readSurface } from "../surface/surface.ts";
import { startExecution, toFailureOutcome } from "./execution.ts";
import { moreItems } from "./more-items.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** `read`. A file that is missing, denied or no text is a tool error. */
export function createReadTool(deps: ToolDeps) {
  return defineTool<ReadArguments>({
    ...readSurface,
    args: readArguments(deps.root),
    run: (args, call) => read(args, call, deps),
  });
}

async function read(args: ReadArguments, call: ToolCall, deps: ToolDeps): Promise<ToolOutcome> {
  const execution = startExecution("read", call);
  let file: TextFile;
  try {
    file = await readTextFile(deps.root, args.file_path, {
      maxBytes: args.max_output_bytes,
      rules: await deps.rulesOf(call),
      signal: call.signal,
      ...(args.start_line === undefined ? {} : { startLine: args.start_line }),
      ...(args.end_line === undefined ? {} : { endLine: args.end_line }),
    });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const code = error.code === "denied" ? "permission_denied" : error.code;
    const failure = { code, message: error.message, hint: error.hint };
    execution.failed(failure);
    return toFailureOutcome("read", failure, args.context_focus_question, deps.answerer);
  }
  const bytes = byteLength(file.content);
  execution.succeeded(bytes);
  const durationMs = execution.durationMs();
  const isWholeFile = args.start_line === undefined && args.end_line === undefined && !file.truncated;
  const answer = await deps.answerer.answerTo(
    {
      tool: "read",
      args,
      question: args.context_focus_question,
      code: file.content,
      text: file.content,
      path: args.file_path,
      isExact: file.validUtf8,
      isToolError: false,
      isWholeFile,
      source: { tool: "read", path: args.file_path, dir: deps.root.path },
    },
    call,
  );
  const { pruning, shown, aside } = answer;
  const content = answer.remoteText ?? shown?.parts[0] ?? file.content;
  return {
    text: withLastLine(content, shown?.lastLine),
    ...moreItems(aside, pruning.applied ? whereItBegins(file) : undefined, whereItEnds(file, bytes)),
    structured: {
      tool: "read",
      file_path: args.file_path,
      encoding: args.encoding,
      content,
      truncated: file.truncated || answer.isCutToClient === true,
      bytes,
      duration_ms: durationMs,
      pruning,
    },
    mode: pruning.applied ? "pruned" : "raw",
  };
}

/** Markers number what was read. */
function whereItBegins({ firstLine }: TextFile): string | undefined {
  return firstLine === 1 ? undefined : `[line 1 of this is line ${firstLine} of the file]`;
}

function whereItEnds(file: TextFile, bytes: number): string | undefined {
  // Nothing at all would look like an empty file.
  if (file.lineCount !== undefined) return `[no such lines: the file has ${file.lineCount}]`;
  if (!file.truncated) return undefined;
  const line = file.firstLine + file.content.split("\n").length - 1;
  return `[cut off after ${bytes} bytes, in line ${line}: start_line ${line} reads on]`;
}
