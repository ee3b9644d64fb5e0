// The end of a client's transcript: what the user asked last, and what the assistant said last. Only the end is read,
// a few megabytes of however long a file; a file that is missing or not what we know says nothing.
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isRecord } from "@jeeves/base";
import { BOOKKEEPING_WAIT_MS, guarded, openPlainFile } from "@jeeves/state";
import { textOf } from "../hook/tool-event.ts";

const TAIL_BYTES = 256 * 1024;
/** An agent that works on its own for an hour has its prompt far back. */
const MAX_TAIL_BYTES = 4 * 1024 * 1024;
const MAX_CHARS = 1_000;
const LOOK_AGAIN_MS = 40;
const MAX_LOOKS = 8;

export interface LastWords {
  readonly user?: string;
  readonly assistant?: string;
}

/** A client writes its transcript beside its work: at a session's first call the prompt may not be there yet. */
export async function readLastWords(file: string): Promise<LastWords> {
  for (let look = 1; ; look++) {
    const tail = await readTail(file, TAIL_BYTES).catch(() => undefined);
    const words = lastWordsIn(tail?.text ?? "");
    if (words.user !== undefined || look === MAX_LOOKS) return words;
    // A long one will not get a prompt by waiting.
    if (tail?.isWhole === false)
      return readTail(file, MAX_TAIL_BYTES).then(
        ({ text }) => lastWordsIn(text),
        () => words,
      );
    await delay(LOOK_AGAIN_MS);
  }
}

function lastWordsIn(tail: string): LastWords {
  let user: string | undefined;
  let assistant: string | undefined;
  // From the end, so that a long transcript costs no more than a short one.
  const lines = tail.split("\n");
  for (let index = lines.length - 1; index >= 0 && (user === undefined || assistant === undefined); index--) {
    const said = wordsOf(lines[index] ?? "");
    if (said?.role === "user") user ??= said.text;
    // What was said before the user's last words is about something else.
    else if (said?.role === "assistant" && user === undefined) assistant ??= said.text;
  }
  return { ...(user === undefined ? {} : { user }), ...(assistant === undefined ? {} : { assistant }) };
}

interface Tail {
  readonly text: string;
  readonly isWhole: boolean;
}

function readTail(file: string, maxBytes: number): Promise<Tail> {
  return guarded(dirname(file), BOOKKEEPING_WAIT_MS, () => readEnd(file, maxBytes));
}

async function readEnd(file: string, maxBytes: number): Promise<Tail> {
  const opened = await openPlainFile(file);
  if (opened === undefined) return { text: "", isWhole: true };
  const { handle, size } = opened;
  try {
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return { text: buffer.subarray(0, bytesRead).toString("utf8"), isWhole: length === size };
  } finally {
    await handle.close();
  }
}

interface Said {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** Claude: {type, message:{role, content}}. Codex: {type:"response_item", payload:{type:"message", role, content}}. */
function wordsOf(line: string): Said | undefined {
  if (!line.includes('"role"') && !line.includes('"lastPrompt"')) return undefined;
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(entry) || entry.isMeta === true || entry.isSidechain === true) return undefined;
  // Claude Code repeats the user's prompt from time to time: a way to it where the prompt itself is far back.
  const prompt = entry.type === "last-prompt" ? textOf(entry.lastPrompt)?.trim() : undefined;
  if (prompt !== undefined) return { role: "user", text: prompt.slice(0, MAX_CHARS) };
  const message = entry.type === "response_item" ? entry.payload : entry.message;
  if (!isRecord(message)) return undefined;
  const { role, content } = message;
  if (role !== "user" && role !== "assistant") return undefined;
  // What Claude Code adds on its own has other types, and words beside a tool's result are not the user's.
  if (entry.type !== "response_item" && entry.type !== role) return undefined;
  if (role === "user" && holdsToolResult(content)) return undefined;
  const text = (typeof content === "string" ? content : textsOf(content)).trim();
  // What clients add themselves starts with a tag: reminders, the environment.
  return text === "" || text.startsWith("<") ? undefined : { role, text: text.slice(0, MAX_CHARS) };
}

function holdsToolResult(content: unknown): boolean {
  return Array.isArray(content) && content.some((item) => isRecord(item) && item.type === "tool_result");
}

function textsOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .filter(
      (item) => isRecord(item) && (item.type === "text" || item.type === "input_text" || item.type === "output_text"),
    )
    .map((item) => textOf(item.text) ?? "")
    .join("\n");
}
