// Translates Gemini's names for tools and their arguments into those of the rest of this package.
import type { ToolEvent } from "../hook/tool-event.ts";

type Input = ToolEvent["input"];

const asItIs = (input: Input): Input => input;
/** Gemini names a range by its first and last line; elsewhere by the first line and a count. */
const readIn = ({ start_line: start, end_line: end, ...rest }: Input): Input => {
  if (start === undefined && end === undefined) return rest;
  const first = Number(start ?? 1);
  return { ...rest, offset: first, ...(end === undefined ? {} : { limit: Number(end) - first + 1 }) };
};
const searchIn = ({ dir_path: dir, include, include_pattern: glob = include, ...rest }: Input): Input => ({
  ...rest,
  path: rest.path ?? dir,
  glob,
});

const TOOLS: Readonly<Record<string, readonly [tool: string, input: (input: Input) => Input]>> = {
  read_file: ["Read", readIn],
  write_file: ["Write", asItIs],
  replace: ["Edit", asItIs],
  run_shell_command: ["Bash", asItIs],
  grep_search: ["Grep", searchIn],
  // Its name in earlier versions.
  search_file_content: ["Grep", searchIn],
  glob: ["Glob", searchIn],
  web_fetch: ["WebFetch", asItIs],
};

/** The event with the shared names; an event of an unknown tool is returned unchanged. */
export function inSharedWords(event: ToolEvent): ToolEvent {
  const [tool, toInput] = (Object.hasOwn(TOOLS, event.tool) ? TOOLS[event.tool] : undefined) ?? [event.tool, asItIs];
  return { ...event, tool, input: toInput(event.input) };
}
