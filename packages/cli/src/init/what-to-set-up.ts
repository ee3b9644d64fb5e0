// What every client is given: our server, its tools, its hook. Words for one client's files are in that client's file.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CliError } from "../cli-error.ts";

/** The name under which a client knows our server, and by which we find our entries again. */
export const SERVER_NAME = "jeeves";

export interface SetUp {
  readonly scope: "user" | "project";
  readonly parts: "hooks" | "tools" | "both";
  readonly shadow: boolean;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly serverPath: string;
  readonly execPath: string;
}

export function findOwnFiles(): Pick<SetUp, "serverPath" | "execPath"> {
  // From the bundle (dist/chunks or dist) and from the source.
  const bases = ["../../..", "../..", "../../../.."].map((up) => fileURLToPath(new URL(`${up}/`, import.meta.url)));
  const base = bases.find((dir) => existsSync(join(dir, "mcp-pruner", "dist", "index.js")));
  if (base === undefined) throw new CliError("mcp-pruner is not built beside this command", "run npm run build first");
  return {
    serverPath: join(base, "mcp-pruner", "dist", "index.js"),
    execPath: join(base, "cli", "bin", "jeeves-exec"),
  };
}

/**
 * bash is left out: a command that a client allows as an MCP tool would step around the user's own rules for Bash, and
 * around Codex' sandbox.
 */
export function toolsOf({ parts }: SetUp): string {
  return parts === "hooks" ? "recover_text" : "read,grep,recover_text";
}

export function serverEnv(setUp: SetUp, deny: readonly string[] = []): Record<string, string> {
  return {
    MCP_PRUNER_TOOLS: toolsOf(setUp),
    PRUNER_ENGINE: "embedded",
    ...(deny.length === 0 ? {} : { MCP_PRUNER_DENY: deny.join(",") }),
    ...(setUp.shadow ? { JEEVES_MODE: "shadow" } : {}),
    ...(setUp.env.JEEVES_STATE_DIR ? { JEEVES_STATE_DIR: setUp.env.JEEVES_STATE_DIR } : {}),
  };
}

/** The hook's call of our server. Claude Code and Codex fill in what stands in braces. */
export function hookCall(
  setUp: SetUp,
  moment: "PreToolUse" | "PostToolUse",
  more: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const fields = [
    "hook_event_name",
    "tool_name",
    "tool_input",
    // Codex silently leaves out a hook that names what its moment does not have.
    ...(moment === "PostToolUse" ? ["tool_response"] : []),
    "tool_use_id",
    "transcript_path",
    "session_id",
    "cwd",
  ];
  const input = Object.fromEntries(fields.map((name) => [name, `\${${name}}`]));
  return {
    type: "mcp_tool",
    server: SERVER_NAME,
    tool: "jeeves_hook",
    input: { ...input, own_server: SERVER_NAME, exec_path: setUp.execPath, ...more },
  };
}
