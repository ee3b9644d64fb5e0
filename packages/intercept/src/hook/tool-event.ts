// One tool call as a client's hook reports it. Clients send fields as text or as JSON inside text. Newer ones may send
// something unknown: that is no event, and the call goes on unchanged.
import { isRecord } from "@jeeves/base";
import { parseSessionFacts, type SessionTail } from "../focus/session-facts.ts";

/** Before or after a tool ran. */
export type HookMoment = "PreToolUse" | "PostToolUse";

/** A tool call as a client's hook reports it. */
export interface ToolEvent {
  readonly moment: HookMoment;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly response: unknown;
  readonly transcriptPath?: string;
  /** The end of the session as sent by the client's plugin; used instead of a transcript. */
  readonly session?: SessionTail;
  readonly sessionId?: string;
  readonly cwd?: string;
  /** The name under which the client knows our own server: its results are never cut again. */
  readonly ownServer?: string;
  /** The id of the call, the same each time that a hook is called for it. */
  readonly callId?: string;
  /** Where jeeves-exec is, for a client whose commands are rewritten. */
  readonly execPath?: string;
  /** Where such a client keeps its user's rules for commands. */
  readonly rulesDir?: string;
}

/** Gemini CLI's names for the two moments, and those of the other clients. */
const MOMENTS: Readonly<Record<string, HookMoment>> = {
  PreToolUse: "PreToolUse",
  PostToolUse: "PostToolUse",
  BeforeTool: "PreToolUse",
  AfterTool: "PostToolUse",
};

/** The event in a hook's arguments; undefined where there is none that we know. */
export function parseToolEvent(given: Readonly<Record<string, unknown>>): ToolEvent | undefined {
  const named = given.hook_event_name;
  const moment = typeof named === "string" && Object.hasOwn(MOMENTS, named) ? MOMENTS[named] : undefined;
  if (moment === undefined) return undefined;
  const session = parseSessionFacts(decode(given.session_facts));
  const tool = textOf(given.tool_name);
  const input = decode(given.tool_input);
  if (tool === undefined || !isRecord(input)) return undefined;
  return {
    moment,
    tool,
    input,
    response: decode(given.tool_response),
    ...optional("transcriptPath", given.transcript_path),
    ...(session === undefined ? {} : { session }),
    ...optional("sessionId", given.session_id),
    ...optional("cwd", given.cwd),
    ...optional("ownServer", given.own_server),
    ...optional("callId", given.tool_use_id),
    ...optional("execPath", given.exec_path),
    ...optional("rulesDir", given.rules_dir),
  };
}

function optional<Name extends string>(name: Name, value: unknown): { readonly [name in Name]?: string } {
  const text = textOf(value);
  return text === undefined ? {} : ({ [name]: text } as { readonly [name in Name]?: string });
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function decode(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
