// The end of a client's transcript: what the user asked last, what the assistant wrote and thought before the call, and how
// large the context is. Only the end is read, at most a few megabytes. From a missing or unknown file nothing is known.
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BOOKKEEPING_WAIT_MS, guarded, openPlainFile } from "@jeeves/state";
import { endsContext, inContext } from "../transcript/in-context.ts";
import { promptTokensOf, type TranscriptEvent, type TranscriptRecord } from "../transcript/transcript-event.ts";
import { readRecord } from "./read-record.ts";
import type { SessionTail } from "./session-facts.ts";

const TAIL_BYTES = 256 * 1024;
/** Read where the first tail has no prompt: an agent that works for an hour has its prompt far back. */
const MAX_TAIL_BYTES = 4 * 1024 * 1024;
/** Codex records the model of a turn near its prompt, at most so many records before it. */
const AROUND_PROMPT = 8;
/** The pause between two reads of a transcript whose last records may not be written yet. */
export const LOOK_AGAIN_MS = 40;
/** After so many reads a transcript is taken as it is. */
export const MAX_LOOKS = 8;

/** What is known of a session: what its client sent with the call, or else the end of its transcript. */
export async function tailOfSession({
  session,
  transcriptPath,
}: {
  readonly session?: SessionTail;
  readonly transcriptPath?: string;
}): Promise<SessionTail> {
  return session ?? (transcriptPath === undefined ? {} : readSessionTail(transcriptPath));
}

/** Reads the end of a transcript, again after a pause where it has no prompt: clients write it asynchronously. */
export async function readSessionTail(file: string): Promise<SessionTail> {
  for (let look = 1; ; look++) {
    const tail = await readTail(file, TAIL_BYTES).catch(() => undefined);
    const found = tailOf(tail?.text ?? "");
    if (found.user !== undefined || look === MAX_LOOKS) return found;
    // The prompt of a long transcript is further back, not late.
    if (tail?.isWhole === false)
      return readTail(file, MAX_TAIL_BYTES).then(
        ({ text }) => tailOf(text),
        () => found,
      );
    await delay(LOOK_AGAIN_MS);
  }
}

/** The ids of the session's own calls that are in its context, with their results. Bounded by the tail. */
export async function readCallsInContext(file: string): Promise<ReadonlySet<string>> {
  const records: TranscriptRecord[] = [];
  const lines = (await readLongTail(file)).split("\n");
  for (let index = lines.length - 1; index >= 0; index--) {
    const record = readRecord(lines[index] ?? "");
    if (record === undefined || record.isSidechain) continue;
    if (endsContext(record)) break;
    records.push(record);
  }
  const events = inContext(records.reverse()).flatMap((record) => record.events);
  return new Set(events.flatMap((event) => (event.kind === "call" ? [event.id] : [])));
}

/** The last 4 MiB of a transcript; "" where it cannot be read. */
export async function readLongTail(file: string): Promise<string> {
  return (await readTail(file, MAX_TAIL_BYTES).catch(() => undefined))?.text ?? "";
}

function tailOf(text: string): SessionTail {
  const found: { -readonly [name in keyof SessionTail]: SessionTail[name] } = {};
  const calls = new Set<string>();
  let isThisCall = true;
  let repeated: string | undefined;
  let isCompacted = false;
  const take = (event: TranscriptEvent): void => {
    if (event.kind === "usage") {
      if (!isCompacted) found.contextTokens ??= promptTokensOf(event.usage);
    } else if (event.kind === "compacted") isCompacted = true;
    // Messages before the user's last prompt are about something else.
    else if (found.user !== undefined) return;
    // Claude Code repeats the prompt from time to time, before or after a call.
    else if (event.kind === "prompt" && event.isRepeated === true) repeated ??= event.text;
    else if (event.kind === "prompt") found.user = event.text;
    else if (event.kind === "said") found.said ??= event.text;
    else if (event.kind === "call") calls.add(event.id);
    // Results of the call itself may be there already; those above it belong to the call before.
    else if (event.kind === "result") isThisCall &&= calls.size === 0;
    else if (event.kind === "thought" && isThisCall) found.thought ??= event.text;
  };
  // From the end, so that a long transcript costs no more than a short one.
  const lines = text.split("\n");
  const isDone = () => found.user !== undefined && (found.contextTokens !== undefined || isCompacted);
  let left = AROUND_PROMPT;
  for (let index = lines.length - 1; index >= 0 && left > 0; index--) {
    if (isDone()) left = found.model === undefined ? left - 1 : 0;
    const record = readRecord(lines[index] ?? "");
    if (record === undefined || record.isSidechain) continue;
    if (record.model !== undefined) found.model ??= record.model;
    for (let k = record.events.length - 1; k >= 0; k--) {
      const event = record.events[k];
      if (event !== undefined) take(event);
    }
  }
  const user = found.user ?? repeated;
  return { ...found, ...(user === undefined ? {} : { user }), ...(calls.size === 0 ? {} : { calls }) };
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
