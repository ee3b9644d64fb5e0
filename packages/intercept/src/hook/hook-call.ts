// The hooks for a client's settings: when they are called, for which tools, and with which arguments. Claude Code and Codex
// share the form and fill in the names in braces. Other code writes the settings.
import type { HookMoment } from "./tool-event.ts";

/** The name of the unlisted tool that clients' hooks call. */
export const HOOK_TOOL = "jeeves_hook";

/** The tools that a hook is for, by Claude Code's names. */
export const CLAUDE_MATCHERS: Readonly<Record<HookMoment, string>> = {
  PreToolUse: "Read|Grep|Glob|Edit|MultiEdit|Write|NotebookEdit",
  PostToolUse: "Read|Grep|Glob|WebFetch|Agent|Task|mcp__.*",
};
/** The tools that a hook is for, by Codex' names. */
export const CODEX_MATCHERS: Readonly<Record<HookMoment, string>> = {
  PreToolUse: "Bash|apply_patch",
  PostToolUse: "mcp__.*",
};

/** What the settings know of our server. */
export interface HookCallOptions {
  /** The name under which the client knows the server that answers. */
  readonly server: string;
  readonly execPath: string;
  /** Codex: where its user's rules for commands are. */
  readonly rulesDir?: string;
}

/** A hook in the settings of a client: which tool of our server it calls, and with what. */
export interface HookCall {
  readonly type: "mcp_tool";
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
}

/** The hook of one moment, as client settings have it. */
export function toHookCall(moment: HookMoment, { server, execPath, rulesDir }: HookCallOptions): HookCall {
  const fields = [
    "hook_event_name",
    "tool_name",
    "tool_input",
    // Codex silently ignores a hook with a placeholder that its moment does not have.
    ...(moment === "PostToolUse" ? ["tool_response"] : []),
    "tool_use_id",
    "transcript_path",
    "session_id",
    "cwd",
  ];
  const input = Object.fromEntries(fields.map((name) => [name, `\${${name}}`]));
  return {
    type: "mcp_tool",
    server,
    tool: HOOK_TOOL,
    input: {
      ...input,
      own_server: server,
      exec_path: execPath,
      ...(rulesDir === undefined ? {} : { rules_dir: rulesDir }),
    },
  };
}
