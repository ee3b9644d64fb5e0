// Translates opencode's names for tools and their arguments into those of the rest of this package.
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

type Input = ToolEvent["input"];

const fileIn = ({ filePath, ...rest }: Input): Input => ({ ...rest, file_path: filePath });
const editIn = ({ filePath, oldString, newString, ...rest }: Input): Input => ({
  ...rest,
  file_path: filePath,
  old_string: oldString,
  new_string: newString,
});
const editsIn = ({ edits, ...rest }: Input): Input => ({
  ...fileIn(rest),
  edits: Array.isArray(edits) ? edits.map(editIn) : [],
});
const patchIn = (input: Input): Input => ({ ...input, input: textOf(input.patchText) ?? textOf(input.patch) ?? "" });
const asItIs = (input: Input): Input => input;

const TOOLS: Readonly<Record<string, readonly [tool: string, input: (input: Input) => Input]>> = {
  read: ["Read", fileIn],
  write: ["Write", fileIn],
  edit: ["Edit", editIn],
  multiedit: ["MultiEdit", editsIn],
  patch: ["apply_patch", patchIn],
  apply_patch: ["apply_patch", patchIn],
  bash: ["Bash", asItIs],
  grep: ["Grep", ({ include, ...rest }) => ({ ...rest, glob: include })],
  glob: ["Glob", asItIs],
  webfetch: ["WebFetch", asItIs],
  task: ["Task", asItIs],
};

/** The event with the shared names; an event of an unknown tool is returned unchanged. */
export function inSharedWords(event: ToolEvent): ToolEvent {
  const [tool, toInput] = (Object.hasOwn(TOOLS, event.tool) ? TOOLS[event.tool] : undefined) ?? [event.tool, asItIs];
  return { ...event, tool, input: toInput(event.input) };
}
