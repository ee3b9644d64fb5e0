// The tool `grep` (J-38 … J-52): matches of the root's files, or those of them that answer the question.
import { toSearch, withLastLine } from "@jeeves/cut";
import { defineTool, type ToolCall, type ToolOutcome } from "@jeeves/kit/mcp";
import { searchText, WorkspaceError } from "@jeeves/workspace";
import { byteLength } from "../answer/pruning.ts";
import { type GrepArguments, grepArguments } from "../arguments.ts";
import { grepSurface } from "../surface/surface.ts";
import { startExecution, toFailureOutcome } from "./execution.ts";
import { parseMatches, renderMatch, toEntries } from "./match-lines.ts";
import { moreItems } from "./more-items.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** `grep`. No match is a success with no matches; a timeout or an invalid pattern is a tool error. */
export function createGrepTool(deps: ToolDeps) {
  return defineTool<GrepArguments>({
    ...grepSurface,
    args: grepArguments(deps.root),
    run: (args, call) => grep(args, call, deps),
  });
}

async function grep(args: GrepArguments, call: ToolCall, deps: ToolDeps): Promise<ToolOutcome> {
  const execution = startExecution("grep", call);
  // named paths are the root's; with none the search starts in `cwd`.
  const named = args.paths ?? (args.path === undefined ? undefined : [args.path]);
  let found: Awaited<ReturnType<typeof searchText>>;
  try {
    found = await searchText(deps.root, {
      pattern: args.pattern,
      paths: named ?? [],
      fixedString: args.fixed_string,
      caseSensitive: args.case_sensitive,
      contextLines: args.context_lines,
      timeoutMs: args.timeout_ms,
      maxMatches: args.max_matches,
      maxBytes: args.max_output_bytes,
      rules: await deps.rulesOf(call),
      env: deps.env,
      signal: call.signal,
      ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
    });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const failure = {
      code: codeOf(error),
      message: error.message,
      hint: error.hint,
      ...(error.exitCode === undefined ? {} : { exit_code: error.exitCode }),
      ...(error.code === "timeout" ? { timeoutMs: args.timeout_ms } : {}),
    };
    execution.failed(failure);
    return toFailureOutcome("grep", failure, args.context_focus_question, deps.answerer);
  }
  const text = found.matches.map(renderMatch).join("\n");
  execution.succeeded(byteLength(text));
  const durationMs = execution.durationMs();
  const answer = await deps.answerer.answerTo(
    {
      tool: "grep",
      args,
      question: args.context_focus_question,
      code: text,
      text,
      kind: "matches",
      search: (focus) => toSearch(text, toEntries(found.matches), { focus, searched: args.pattern }),
      isToolError: false,
      source: { tool: "grep", label: args.pattern.slice(0, 200), dir: deps.root.path },
      canApply: (pruned) => parseMatches(pruned, found.matches) !== undefined,
    },
    call,
  );
  const { pruning, shown, remoteText } = answer;
  // A dropped line is a dropped match.
  const kept = shown === undefined ? found.matches : found.matches.filter((_, index) => shown.isShown(index));
  const matches = remoteText === undefined ? kept : (parseMatches(remoteText, found.matches) ?? found.matches);
  const lines = remoteText === undefined ? (shown?.parts[0] ?? text) : matches.map(renderMatch).join("\n");
  return {
    text: withLastLine(lines === "" ? whyNone(found) : lines, shown?.lastLine),
    ...moreItems(answer.aside, hasMore(found), leftOut(found)),
    structured: {
      tool: "grep",
      pattern: args.pattern,
      paths: named ?? ["."],
      matches,
      ...(shown?.others === undefined
        ? {}
        : { other_matches: shown.others.map(({ path, lines }) => ({ path, lines })) }),
      match_count: found.matchCount,
      truncated: found.truncated || answer.isCutToClient === true,
      duration_ms: durationMs,
      pruning,
    },
    mode: pruning.applied ? "pruned" : "raw",
  };
}

function hasMore({ matchCount, truncated }: { readonly matchCount: number; readonly truncated: boolean }) {
  if (!truncated || matchCount === 0) return undefined;
  return `[the first ${matchCount} matches, there are more: name other paths, or raise max_matches or max_output_bytes]`;
}

/** what a file did not hold when it was looked up is never shown. */
function leftOut({ unverified }: { readonly unverified: number }) {
  return unverified === 0 ? undefined : `[${unverified} matches left out: their files changed during the search]`;
}

/** X-19; a remote pruner may have kept none of those that there are. */
function whyNone({ matchCount, truncated }: { readonly matchCount: number; readonly truncated: boolean }): string {
  if (matchCount > 0) return `(none of ${matchCount} matches was kept)`;
  return truncated ? "(found, but too long to show: name other paths)" : "(no matches found)";
}

/** J-44 has four codes; every fault of a directory and every denied path is `invalid_path`. */
function codeOf(error: WorkspaceError): "timeout" | "spawn_error" | "rg_error" | "invalid_path" {
  return error.code === "timeout" || error.code === "spawn_error" || error.code === "rg_error"
    ? error.code
    : "invalid_path";
}
