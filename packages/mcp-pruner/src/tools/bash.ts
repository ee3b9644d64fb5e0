// The tool `bash` (J-31 … J-37): a command under the root. A command that failed did run, so its output is kept, and
// pruned too: failing test runs are the largest outputs that there are.
import { countLines, withLastLine } from "@jeeves/cut";
import { defineTool, type ToolCall, type ToolOutcome } from "@jeeves/kit/mcp";
import { type CommandOutcome, runCommand, WorkspaceError } from "@jeeves/workspace";
import type { Answer } from "../answer/cut-output.ts";
import { byteLength } from "../answer/pruning.ts";
import { type BashArguments, bashArguments } from "../arguments.ts";
import { bashSurface } from "../surface/surface.ts";
import { startExecution, type ToolFailure, toFailureOutcome } from "./execution.ts";
import { moreItems } from "./more-items.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** `bash`. A command that failed or timed out is a tool error that still has its output. */
export function createBashTool(deps: ToolDeps) {
  return defineTool<BashArguments>({
    ...bashSurface,
    args: bashArguments(deps.root),
    run: (args, call) => bash(args, call, deps),
  });
}

async function bash(args: BashArguments, call: ToolCall, deps: ToolDeps): Promise<ToolOutcome> {
  const execution = startExecution("bash", call);
  let done: CommandOutcome;
  try {
    done = await runCommand(deps.root, {
      command: args.command,
      baseEnv: deps.env,
      timeoutMs: args.timeout_ms,
      maxBytes: args.max_output_bytes,
      signal: call.signal,
      ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
      ...(args.env === undefined ? {} : { env: args.env }),
    });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const failure = { code: error.code, message: error.message, hint: error.hint };
    execution.failed(failure);
    return toFailureOutcome("bash", failure, args.context_focus_question, deps.answerer);
  }
  const failure = failureOf(done, args);
  const code = done.stdout === "" ? done.stderr : done.stdout;
  if (failure === undefined) execution.succeeded(byteLength(code));
  else execution.failed(failure);

  const { text, barriers } = joinStreams(done);
  const answer = await deps.answerer.answerTo(
    {
      tool: "bash",
      args,
      question: args.context_focus_question,
      code,
      text,
      barriers,
      isExact: done.validUtf8,
      isToolError: failure !== undefined,
      command: args.command,
      // A hint: a failed command that printed matches has searched.
      ...(failure === undefined ? {} : { kind: "logs" as const }),
      source: { tool: "bash", label: args.command.slice(0, 200) },
    },
    failure === undefined ? call : { ...call, maxResultChars: call.maxErrorChars },
  );
  const streams = applyTo(done, answer);
  const { pruning } = answer;
  const { code: errorCode, message, exit_code } = failure ?? {};
  return {
    text: withLastLine(toText(streams, failure), answer.shown?.lastLine),
    ...moreItems(
      answer.aside,
      done.truncated ? `[cut off after ${byteLength(text)} bytes: it printed more]` : undefined,
    ),
    structured:
      failure === undefined
        ? {
            tool: "bash",
            command: args.command,
            cwd: done.cwd,
            ...streams,
            exit_code: done.exitCode,
            timed_out: done.timedOut,
            truncated: done.truncated || answer.isCutToClient === true,
            duration_ms: done.durationMs,
            pruning,
          }
        : {
            tool: "bash",
            error: { code: errorCode, message, ...(exit_code === undefined ? {} : { exit_code }) },
            ...streams,
            pruning,
          },
    ...(failure === undefined ? {} : { isError: true }),
    mode: pruning.applied ? "pruned" : "raw",
  };
}

function failureOf(done: CommandOutcome, args: BashArguments): ToolFailure | undefined {
  if (done.timedOut) {
    return {
      code: "timeout",
      message: `timed out after ${args.timeout_ms} ms and was killed`,
      hint: "a longer timeout_ms (up to 300000) may help",
      timeoutMs: args.timeout_ms,
    };
  }
  if (done.exitCode === 0) return undefined;
  return { code: "nonzero_exit", message: `exit code ${done.exitCode}`, exit_code: done.exitCode };
}

/** one text to prune, store and number: stdout, then stderr from a line of its own. */
function joinStreams({ stdout, stderr }: CommandOutcome) {
  if (stdout === "" || stderr === "") return { text: stdout + stderr, barriers: [] };
  const head = stdout.endsWith("\n") ? stdout : `${stdout}\n`;
  return { text: head + stderr, barriers: [countLines(head)] };
}

/** What a remote pruner returned replaces the stream that it was sent (J-62), the embedded engine's parts both. */
function applyTo(done: CommandOutcome, answer: Answer): { readonly stdout: string; readonly stderr: string } {
  if (answer.remoteText !== undefined) {
    return done.stdout === ""
      ? { stdout: "", stderr: answer.remoteText }
      : { stdout: answer.remoteText, stderr: done.stderr };
  }
  if (answer.shown === undefined) return { stdout: done.stdout, stderr: done.stderr };
  const [first = "", second = ""] = answer.shown.parts;
  return done.stdout === "" ? { stdout: "", stderr: first } : { stdout: first, stderr: second };
}

/** stdout, a `[stderr]` part, then why it failed. */
function toText(
  streams: { readonly stdout: string; readonly stderr: string },
  failure: ToolFailure | undefined,
): string {
  let text = streams.stdout;
  if (streams.stderr !== "") text = `${withLastLine(text, "[stderr]")}\n${streams.stderr}`;
  if (failure === undefined) return text === "" ? "(no output)" : text;
  const why =
    failure.code === "timeout" ? `[${failure.message}; ${failure.hint}]` : `[exit code: ${failure.exit_code}]`;
  return withLastLine(text === "" ? "(no output)" : text, why);
}
