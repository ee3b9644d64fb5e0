// One line of a transcript of any client.
import { isRecord } from "@jeeves/base";
import { readClaudeRecord } from "../claude/transcript.ts";
import { readCodexRecord } from "../codex/transcript.ts";
import { readGeminiRecord } from "../gemini/transcript.ts";
import type { TranscriptRecord } from "../transcript/transcript-event.ts";

/** Parses a line; undefined for one that is torn or of an unknown form. */
export function readRecord(line: string): TranscriptRecord | undefined {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(record)) return undefined;
  return readClaudeRecord(record) ?? readCodexRecord(record) ?? readGeminiRecord(record);
}
