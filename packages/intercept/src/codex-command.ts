// Codex shows its model what a command printed, after a cut of its own, and lets no hook replace it: so the command is
// rewritten to run under jeeves-exec. The sandbox and the working directory stay Codex' own. The words are the same in every
// session (the session's name is in the environment), so that a user who says "do not ask again" is not asked again.
import { isRecognised } from "./commands.ts";
import { type ToolEvent, textOf } from "./tool-event.ts";

export function rewriteCodexCommand(event: ToolEvent): Readonly<Record<string, unknown>> | undefined {
  const command = textOf(event.input.command);
  if (event.tool !== "Bash" || command === undefined || event.execPath === undefined) return undefined;
  if (!isRecognised(command) || command.includes("jeeves-exec")) return undefined;
  const words = [event.execPath, "--client=codex", command];
  return { ...event.input, command: words.map(quote).join(" ") };
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
