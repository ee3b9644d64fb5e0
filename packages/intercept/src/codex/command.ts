// Codex cuts a command's output itself, and hooks cannot replace it: so the command is rewritten to run under jeeves-exec.
// The sandbox and the working directory stay Codex' own. The arguments are the same in every session (the session's id is
// in the environment), so that a user who chose "do not ask again" is not asked again. Settings from our server's own
// environment are passed as arguments, because Codex' shell does not have them.
import { resolve } from "node:path";
import { shellQuote } from "@jeeves/base";
import { isHeld } from "../commands.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

/** The tool's input with the command under jeeves-exec; undefined for a command that must not be held back (commands.ts). */
export function rewriteCodexCommand(
  event: ToolEvent,
  env: NodeJS.ProcessEnv,
): Readonly<Record<string, unknown>> | undefined {
  const command = textOf(event.input.command);
  if (event.tool !== "Bash" || command === undefined || event.execPath === undefined) return undefined;
  if (!isHeld(command) || command.includes("jeeves-exec")) return undefined;
  const { JEEVES_MODE: mode, JEEVES_STATE_DIR: stateDir } = env;
  const words = [
    event.execPath,
    "--client=codex",
    ...(mode ? [`--mode=${mode}`] : []),
    ...(stateDir ? [`--state-dir=${resolve(stateDir)}`] : []),
    command,
  ];
  return { ...event.input, command: words.map(shellQuote).join(" ") };
}
