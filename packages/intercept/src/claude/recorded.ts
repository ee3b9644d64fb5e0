// Claude Code's recorded calls, for a replay.
import { isRecord } from "@jeeves/base";
import { CLAUDE_MATCHERS } from "../hook/hook-call.ts";
import type { RecordedCall, RecordedClient, RecordedTexts } from "../transcript/recorded-client.ts";
import { readClaudeRecord } from "./transcript.ts";

/** Transcripts of Claude Code. */
export const RECORDED_CLAUDE: RecordedClient = {
  id: "claude-code",
  readRecord: readClaudeRecord,
  responseIn: ({ toolUseResult }) => toolUseResult,
  matchers: CLAUDE_MATCHERS,
  rewritesCommands: false,
  createCallReader: () => textsOf,
};

function textsOf({ tool, input, result, response }: RecordedCall): RecordedTexts {
  const given = isRecord(input) ? input : {};
  const text = result.text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trimEnd();
  const written = Object.values(given).flatMap(wordsIn).join("\n");
  if (tool !== "Bash") return { written, outputs: [{ kind: "tool", text, response }] };
  const exitCode = given.run_in_background === true ? undefined : result.isError ? 1 : 0;
  return { written, outputs: [{ kind: "command", text, command: String(given.command ?? ""), exitCode }] };
}

function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}
