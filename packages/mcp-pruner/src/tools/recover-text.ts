// The tool `recover_text`: lines of a stored text, exactly. The first item of `content` is the lines and nothing
// else; where its client could not display them all, a second item names the next range, or the file that holds a line
// which no page could show.
import { type Recovered, recover } from "@jeeves/cut";
import { judgeStored } from "@jeeves/intercept";
import { defineTool, type ToolCall, type ToolOutcome } from "@jeeves/kit/mcp";
import { callerOf } from "../answer/cut-output.ts";
import { byteLength } from "../answer/pruning.ts";
import { type RecoverArguments, recoverArguments } from "../arguments.ts";
import { recoverSurface } from "../surface/surface.ts";
import { startExecution, type ToolFailure } from "./execution.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** The same lines may be asked for again and again, up to this size or that of the text. */
const MAX_REPEATED_CHARS = 10_485_760;

/** `recover_text`. Texts of other projects and denied files are tool errors, as are unknown ids and wrong ranges. */
export function createRecoverTool(deps: ToolDeps) {
  return defineTool<RecoverArguments>({
    ...recoverSurface,
    args: recoverArguments,
    run: (args, call) => recoverText(args, call, deps),
  });
}

async function recoverText(args: RecoverArguments, call: ToolCall, deps: ToolDeps): Promise<ToolOutcome> {
  const execution = startExecution("recover_text", call);
  const { prune_id: pruneId } = args;
  const { meter, project, root } = deps;
  const caller = callerOf("recover_text", call, deps);
  const recovered = await recover(
    {
      pruneId,
      ranges: args.ranges?.map(({ start_line, end_line }) => ({ startLine: start_line, endLine: end_line })),
      chars: args.chars === undefined ? undefined : parseChars(args.chars),
      lineNumbers: args.include_line_numbers,
      maxChars: call.maxResultChars,
      maxRepeatedChars: MAX_REPEATED_CHARS,
      caller,
      ...(deps.sessions.isShared ? { countsFor: "caller" as const } : {}),
      judge: (stored) => {
        const access = { project, root: root.path, session: caller.session, meter, rules: () => deps.rulesOf(call) };
        return judgeStored({ pruneId, stored }, access);
      },
    },
    deps,
  );
  if (recovered.kind !== "recovered") {
    const failure = failureOf(recovered, args);
    const { code, message, hint } = failure;
    execution.failed(failure);
    const structured = { tool: "recover_text", error: { code, message } };
    return { text: `${message}\n${hint}`, structured, isError: true };
  }
  const { text, ranges, chars, next } = recovered;
  execution.succeeded(byteLength(text), { prune_id: pruneId });
  const lineHint = await wholeLineHint(recovered, deps);
  const more = [
    ...(lineHint === undefined ? [] : [lineHint]),
    ...(next === undefined
      ? []
      : [`[next: recover_text ${pruneId} ${chars === undefined ? "lines" : "chars"} ${next}]`]),
  ];
  return {
    text,
    ...(more.length === 0 ? {} : { more }),
    structured: {
      tool: "recover_text",
      prune_id: pruneId,
      ranges: ranges.map(({ startLine, endLine }) => ({ start_line: startLine, end_line: endLine })),
      ...(chars && { chars: chars.map(({ startChar, endChar }) => `${startChar}-${endChar}`).join(",") }),
      content: text,
      duration_ms: execution.durationMs(),
    },
    mode: "raw",
  };
}

function failureOf(
  recovered: Exclude<Recovered, { kind: "recovered" }>,
  { prune_id: pruneId, chars }: RecoverArguments,
): ToolFailure {
  const isChars = chars !== undefined;
  switch (recovered.kind) {
    case "unavailable":
      return { code: "store_unavailable", message: recovered.error.message, hint: recovered.error.hint };
    case "denied": // the rules of this moment hold for what was read earlier, too
      return { code: "permission_denied", message: recovered.message, hint: recovered.hint };
    case "missing": {
      const hint = "it expired or never was: call the tool again";
      return { code: "prune_id_not_found", message: `no stored text ${pruneId}`, hint };
    }
    case "invalid_range":
      return { code: "invalid_range", ...wordsOf(recovered, isChars) };
  }
}

function parseChars(words: string) {
  return words.split(",").map((range) => {
    const [startChar = 0, endChar = 0] = range.split("-").map(Number);
    return { startChar, endChar };
  });
}

function wordsOf({ fault, lineCount, charCount }: Extract<Recovered, { kind: "invalid_range" }>, isChars: boolean) {
  if (fault.kind === "too_much") {
    const message = `the ranges hold ${fault.chars} characters together`;
    return { message, hint: `at most ${fault.maxChars} at once: ask for fewer ${isChars ? "chars" : "lines"}` };
  }
  const unit = isChars ? "chars" : "lines";
  const given =
    fault.kind === "empty" ? "ranges is empty" : `${unit} ${fault.range.startLine}-${fault.range.endLine} are no range`;
  if (isChars) {
    return {
      message: `${given} of a text of ${charCount} characters`,
      hint: `valid: 1 ≤ first ≤ last, first ≤ ${charCount}`,
    };
  }
  return {
    message: `${given} of a text of ${lineCount} lines`,
    hint: `valid: 1 ≤ start_line ≤ end_line, start_line ≤ ${lineCount}`,
  };
}

/** Its own file can be cut, searched or parsed; its rest also comes by characters. */
async function wholeLineHint(
  { cutLine, stored }: Extract<Recovered, { kind: "recovered" }>,
  { store, project }: ToolDeps,
): Promise<string | undefined> {
  if (cutLine === undefined) return undefined;
  const { number, text, shownChars, rest } = cutLine;
  const options = { tool: "recover_text", line: true };
  const put = { text, focus: "", options, source: stored.source ?? {}, project };
  const kept = await store.put(put).catch(() => undefined);
  const where = kept?.path === undefined ? "" : `; the whole line: ${kept.path}`;
  const next = `; next: chars ${rest.startChar}-${rest.endChar}`;
  return `[line ${number}: ${shownChars} of ${text.length} characters${where}${next}]`;
}
