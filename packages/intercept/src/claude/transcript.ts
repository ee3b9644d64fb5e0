// Claude Code's transcripts: JSON lines, a record per block of a message.
import { isRecord } from "@jeeves/base";
import { textOf } from "../hook/tool-event.ts";
import {
  countOf,
  given,
  type TranscriptEvent,
  type TranscriptRecord,
  type TreePlace,
} from "../transcript/transcript-event.ts";
import { fillingIn } from "./prompt-filling.ts";

/** The model of messages that the client writes itself. */
const SYNTHETIC = "<synthetic>";
const BOUNDARY = "compact_boundary";

/** Parses a record; undefined for one that is not Claude Code's. */
export function readClaudeRecord(record: Readonly<Record<string, unknown>>): TranscriptRecord | undefined {
  const events = eventsIn(record);
  const place = placeOf(record);
  // Records without events still link others in the tree.
  if (events === undefined && place === undefined) return undefined;
  const named = { session: textOf(record.sessionId), dir: textOf(record.cwd), agent: textOf(record.agentId) };
  return {
    at: textOf(record.timestamp) ?? "",
    isSidechain: record.isSidechain === true,
    ...given(named),
    ...(place === undefined ? {} : { place }),
    events: events ?? [],
  };
}

function placeOf(record: Readonly<Record<string, unknown>>): TreePlace | undefined {
  const { type, message } = record;
  const id = textOf(record.uuid);
  if (!id) return undefined;
  const isModels = type === "assistant" && isRecord(message) && message.model !== SYNTHETIC;
  const isResult = type === "user" && isRecord(message) && resultsIn(message.content).length > 0;
  return {
    id,
    ...given({ parent: textOf(record.parentUuid), message: isModels ? textOf(message.id) || id : undefined }),
    ...((type === "user" || type === "assistant") && !isModels && !isResult ? { isPrompt: true } : {}),
  };
}

function eventsIn(record: Readonly<Record<string, unknown>>): TranscriptEvent[] | undefined {
  const { type, message } = record;
  // Claude Code repeats the user's prompt from time to time, which helps where the prompt itself is far back.
  if (type === "last-prompt")
    return wordsAs("prompt", textOf(record.lastPrompt) ?? "").map((event) => ({ ...event, isRepeated: true as const }));
  if (type === "system" && record.subtype === BOUNDARY) return [{ kind: "compacted" }];
  // Old results were removed: microcompact_boundary.
  if (type === "system" && textOf(record.subtype)?.endsWith(BOUNDARY)) return [{ kind: "cleared" }];
  if (type === "api-request-shape" || type === "attachment") return fillingIn(record);
  // Records that Claude Code adds itself have other types.
  if ((type !== "user" && type !== "assistant") || !isRecord(message) || message.role !== type) return undefined;
  return type === "user" ? userEvents(record, message) : assistantEvents(message);
}

function userEvents(
  record: Readonly<Record<string, unknown>>,
  { content }: Readonly<Record<string, unknown>>,
): TranscriptEvent[] {
  if (record.isCompactSummary === true) return [{ kind: "compacted" }];
  const results = resultsIn(content);
  // Text beside a tool's result is not the user's.
  if (results.length > 0)
    return results.map((block) => ({
      kind: "result",
      id: textOf(block.tool_use_id) ?? "",
      text: textIn(block.content),
      isError: block.is_error === true,
    }));
  return record.isMeta === true ? [] : wordsAs("prompt", textIn(content));
}

function resultsIn(content: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(content) ? content.filter(isRecord).filter(({ type }) => type === "tool_result") : [];
}

function assistantEvents(message: Readonly<Record<string, unknown>>): TranscriptEvent[] {
  const { content, usage, model } = message;
  if (model === SYNTHETIC) return [];
  const events: TranscriptEvent[] = [];
  for (const block of Array.isArray(content) ? content.filter(isRecord) : []) {
    if (block.type === "thinking") events.push(...wordsAs("thought", textOf(block.thinking) ?? ""));
    else if (block.type === "tool_use")
      events.push({ kind: "call", id: textOf(block.id) ?? "", tool: textOf(block.name) ?? "", input: block.input });
  }
  events.unshift(...wordsAs("said", textIn(content)));
  if (isRecord(usage)) {
    const created = isRecord(usage.cache_creation) ? usage.cache_creation : {};
    events.push({
      kind: "usage",
      usage: {
        call: textOf(message.id) ?? "",
        model: textOf(model) ?? "",
        cached: countOf(usage.cache_read_input_tokens),
        written: countOf(usage.cache_creation_input_tokens),
        writtenForHour: countOf(created.ephemeral_1h_input_tokens),
        plain: countOf(usage.input_tokens),
        output: countOf(usage.output_tokens),
      },
    });
  }
  return events;
}

function wordsAs<Kind extends "prompt" | "said" | "thought">(kind: Kind, words: string) {
  const text = words.trim();
  // Text that the client adds starts with a tag: reminders, the environment.
  const isAdded = text === "" || (kind !== "thought" && text.startsWith("<"));
  return isAdded ? [] : [{ kind, text }];
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter((item) => isRecord(item) && item.type === "text")
    .map((item) => textOf(item.text) ?? "")
    .join("\n");
}
