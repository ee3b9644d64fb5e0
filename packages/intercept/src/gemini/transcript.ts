// Gemini's transcripts: JSON lines, a record per message. A record is written again when its calls have ended.
import { isRecord } from "@jeeves/base";
import { textOf } from "../hook/tool-event.ts";
import { countOf, type TranscriptEvent, type TranscriptRecord } from "../transcript/transcript-event.ts";

/** Parses a record; undefined for one that is not Gemini's. */
export function readGeminiRecord(record: Readonly<Record<string, unknown>>): TranscriptRecord | undefined {
  const { type, timestamp, model, sessionId, projectHash } = record;
  const base = { at: textOf(timestamp) ?? "", isSidechain: false };
  if (typeof sessionId === "string" && typeof projectHash === "string")
    return { ...base, session: sessionId, events: [] };
  if (type !== "user" && type !== "gemini") return undefined;
  if (typeof record.id !== "string") return undefined;
  const named = textOf(model);
  const events = type === "user" ? userEvents(record) : modelEvents(record);
  return { ...base, ...(named === undefined ? {} : { model: named }), events };
}

function userEvents({ content }: Readonly<Record<string, unknown>>): TranscriptEvent[] {
  const text = textIn(content).trim();
  // Results of tools have no text; text that Gemini adds begins with a tag.
  return text === "" || text.startsWith("<") ? [] : [{ kind: "prompt", text }];
}

function modelEvents(record: Readonly<Record<string, unknown>>): TranscriptEvent[] {
  const { content, thoughts, tokens, toolCalls } = record;
  const said = textIn(content).trim();
  const thought = listOf(thoughts)
    .map(({ description }) => textOf(description) ?? "")
    .join("\n")
    .trim();
  const calls = listOf(toolCalls);
  return [
    ...(said === "" ? [] : [{ kind: "said", text: said } as const]),
    ...(thought === "" ? [] : [{ kind: "thought", text: thought } as const]),
    ...calls.map((call): TranscriptEvent => {
      return { kind: "call", id: textOf(call.id) ?? "", tool: textOf(call.name) ?? "", input: call.args };
    }),
    ...calls.flatMap(resultIn),
    ...(isRecord(tokens) ? [usageIn(record, tokens)] : []),
  ];
}

/** The result stands beside its call. */
function resultIn({ id, result, status }: Readonly<Record<string, unknown>>): TranscriptEvent[] {
  const parts = listOf(result).flatMap(({ functionResponse }) =>
    isRecord(functionResponse) ? [functionResponse] : [],
  );
  if (parts.length === 0) return [];
  const { output, error } = isRecord(parts[0]?.response) ? parts[0].response : {};
  const text = textOf(output) ?? textOf(error) ?? "";
  return [{ kind: "result", id: textOf(id) ?? "", text, isError: status === "error" }];
}

function usageIn(
  { id, model }: Readonly<Record<string, unknown>>,
  tokens: Readonly<Record<string, unknown>>,
): TranscriptEvent {
  const cached = Math.min(countOf(tokens.cached), countOf(tokens.input));
  const output = countOf(tokens.output) + countOf(tokens.thoughts);
  const usage = { call: textOf(id) ?? "", model: textOf(model) ?? "", cached, written: 0, writtenForHour: 0 };
  return { kind: "usage", usage: { ...usage, plain: countOf(tokens.input) - cached, output } };
}

function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text }) => textOf(text) ?? "")
    .join("\n");
}
