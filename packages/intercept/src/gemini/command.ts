// Gemini's own run_shell_command, failing or not: all that it printed behind "Output: ", and lines about how it ended.
import type { CommandReading } from "../hook/reading.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";
import { contentOf, replaceText, withoutFence } from "./content.ts";

const START = "Output: ";
/** Lines behind the output. */
const ABOUT = /^(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): /;
const MAX_LINES_ABOUT = 6;

/** A command's output; undefined for one in the background, and for a result of another shape. */
export function readGeminiCommand(event: ToolEvent): CommandReading | undefined {
  const command = textOf(event.input.command);
  const content = contentOf(event);
  if (event.tool !== "Bash" || command === undefined || content === undefined) return undefined;
  const { text, fence } = withoutFence(content);
  if (!text.startsWith(START)) return undefined;
  const { output, about } = splitOutput(text.slice(START.length));
  return {
    command,
    text: output,
    exitCode: Number(/^Exit Code: (-?\d+)$/m.exec(about)?.[1] ?? 0),
    dir: textOf(event.input.dir_path) ?? ".",
    replace: (shown) => replaceText(fence([START + shown, ...(about === "" ? [] : [about])].join("\n"))),
  };
}

function splitOutput(text: string): { readonly output: string; readonly about: string } {
  let end = text.length;
  for (let line = 0; line < MAX_LINES_ABOUT; line++) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    if (start === 0 || !ABOUT.test(text.slice(start, end))) break;
    end = start - 1;
  }
  return { output: text.slice(0, end), about: text.slice(end + 1) };
}
