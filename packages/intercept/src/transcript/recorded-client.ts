// What a replay needs of a client's recordings: how a tool call and its result become texts, and which hooks would have been
// called. Each client's module has its own.
import type { ClientId } from "@jeeves/base";
import type { TranscriptRecord } from "./transcript-event.ts";

/** A tool call with its result, as in a transcript. */
export interface RecordedCall {
  readonly id: string;
  /** The client's own name for the tool. */
  readonly tool: string;
  readonly input: unknown;
  readonly result: { readonly text: string; readonly isError: boolean };
  /** The result in the client's own form, beside the text: Claude Code's `toolUseResult`, Codex' `payload.output`. */
  readonly response?: unknown;
}

/** One text that a call brought into the context. A call may bring several. */
export type RecordedOutput =
  | {
      readonly kind: "command";
      readonly command: string;
      readonly text: string;
      /** Undefined while it still runs. */
      readonly exitCode: number | undefined;
    }
  | { readonly kind: "tool"; readonly text: string; readonly response: unknown };

/** A call as texts. */
export interface RecordedTexts {
  /** All that the agent wrote with the call. */
  readonly written: string;
  readonly outputs: readonly RecordedOutput[];
}

/** A client whose transcripts can be replayed. */
export interface RecordedClient {
  readonly id: ClientId;
  readRecord(record: Readonly<Record<string, unknown>>): TranscriptRecord | undefined;
  /** The result of a record in the client's own form. */
  responseIn(record: Readonly<Record<string, unknown>>): unknown;
  /** The tools that its hooks are for, as patterns. */
  readonly matchers: Readonly<Record<"PreToolUse" | "PostToolUse", string>>;
  /** Whether its hook rewrites commands; otherwise every command runs under the launcher. */
  readonly rewritesCommands: boolean;
  /** Reads the calls of one session, in their order. */
  createCallReader(): (call: RecordedCall) => RecordedTexts;
}
