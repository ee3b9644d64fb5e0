// Codex shows its model what a command printed, after a cut of its own, and lets no hook replace it: so the command is
// rewritten to run under jeeves-exec. The sandbox and the working directory stay Codex' own. The words are the same in every
// session (the session's name is in the environment), so that a user who chose "do not ask again" is not asked again. What
// our server was given in an environment of its own is among them: Codex' shell has none of it.
import { resolve } from "node:path";
import { shellQuote } from "@jeeves/base";
import { isHeld } from "../commands.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

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
