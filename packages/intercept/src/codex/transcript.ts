// Codex' transcripts (rollouts): JSON lines, {type, payload}. A call of the model ends with its token count.
import { isRecord } from "@jeeves/base";
import { textOf } from "../hook/tool-event.ts";
import { countOf, given, type TranscriptEvent, type TranscriptRecord } from "../transcript/transcript-event.ts";

const HEADER_CHARS = 400;
const HEADER_CODE = /^(?:Exit code: |Process exited with code )(-?\d+)$|^\{"chunk_id":.*?"exit_code":(-?\d+)/m;
const METADATA_CODE = /"metadata":\{"exit_code":(-?\d+)[^{}]*\}\}\s*$/;
const FAILED = /^(?:Script failed$|exec_command failed:)/m;

/** Parses a record; undefined for one that is not Codex'. */
export function readCodexRecord(record: Readonly<Record<string, unknown>>): TranscriptRecord | undefined {
  const events = eventsIn(record);
  return events && { at: textOf(record.timestamp) ?? "", isSidechain: false, ...namesIn(record), events };
}

/** Fields that Codex writes once for the records that follow: the session at the start, directory and model with each turn. */
function namesIn({ type, payload }: Readonly<Record<string, unknown>>) {
  if (!isRecord(payload)) return {};
  const dir = textOf(payload.cwd);
  if (type === "session_meta") return given({ session: textOf(payload.id), dir });
  return type === "turn_context" ? given({ model: textOf(payload.model), dir }) : {};
}

function eventsIn({ type, payload }: Readonly<Record<string, unknown>>): TranscriptEvent[] | undefined {
  if (type === "compacted") return [{ kind: "compacted" }];
  if (!isRecord(payload)) return undefined;
  if (type === "session_meta" || type === "turn_context") return [];
  // Some turns were taken back.
  if (type === "event_msg" && payload.type === "thread_rolled_back") return [{ kind: "cleared" }];
  if (type === "event_msg") return payload.type === "token_count" ? usageIn(payload) : [];
  return type === "response_item" ? itemEvents(payload) : undefined;
}

function usageIn({ info }: Readonly<Record<string, unknown>>): TranscriptEvent[] {
  if (!isRecord(info) || !isRecord(info.last_token_usage)) return [];
  const { input_tokens, cached_input_tokens, output_tokens } = info.last_token_usage;
  const total = isRecord(info.total_token_usage)
    ? countOf(info.total_token_usage.total_tokens, Number.MAX_SAFE_INTEGER)
    : 0;
  const cached = Math.min(countOf(cached_input_tokens), countOf(input_tokens));
  const plain = countOf(input_tokens) - cached;
  // A count may be written more than once; the running sum distinguishes the calls.
  const usage = { call: total === 0 ? "" : String(total), model: "", cached, written: 0, writtenForHour: 0, plain };
  return [{ kind: "usage", usage: { ...usage, output: countOf(output_tokens) } }];
}

function itemEvents(payload: Readonly<Record<string, unknown>>): TranscriptEvent[] {
  const { type, role } = payload;
  const id = textOf(payload.call_id) ?? textOf(payload.id) ?? "";
  if (type === "message") {
    const text = textIn(payload.content).trim();
    // Text that Codex adds: the environment in tags, instructions under a heading.
    if (text === "" || text.startsWith("<") || text.startsWith("# AGENTS.md instructions")) return [];
    return role === "user" ? [{ kind: "prompt", text }] : role === "assistant" ? [{ kind: "said", text }] : [];
  }
  if (type === "reasoning") {
    const text = textIn(payload.summary).trim();
    return text === "" ? [] : [{ kind: "thought", text }];
  }
  if (type === "function_call" || type === "custom_tool_call" || type === "local_shell_call") {
    const name = textOf(payload.name) ?? (type === "local_shell_call" ? "local_shell" : "");
    // A tool of a server: mcp__SERVER, and its name apart.
    const tool = textOf(payload.namespace) ? `${textOf(payload.namespace)}__${name}` : name;
    return [{ kind: "call", id, tool, input: payload.arguments ?? payload.input ?? payload.action }];
  }
  if (type === "function_call_output" || type === "custom_tool_call_output")
    return [{ kind: "result", id, ...outputOf(payload.output) }];
  return [];
}

/** The exit code stands in a JSON object around the output, or in a line above it. */
function outputOf(output: unknown): { readonly text: string; readonly isError: boolean } {
  const text = outputText(output);
  const head = text.slice(0, HEADER_CHARS);
  const found = HEADER_CODE.exec(head) ?? METADATA_CODE.exec(text.slice(-HEADER_CHARS));
  const hasFailed = FAILED.test(head) || Number(found?.[1] ?? found?.[2] ?? 0) !== 0;
  return { text, isError: isRecord(output) ? output.success === false : hasFailed };
}

function outputText(output: unknown): string {
  if (typeof output === "string") return output;
  return isRecord(output) ? (textOf(output.content) ?? "") : textIn(output);
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .map(({ text }) => textOf(text) ?? "")
    .join("\n");
}
