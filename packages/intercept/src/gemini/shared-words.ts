// Gemini's names for tools and their arguments, in the words that the rest of this package has for them.
import type { ToolEvent } from "../hook/tool-event.ts";

type Input = ToolEvent["input"];

const asItIs = (input: Input): Input => input;
/** Lines are named by the first and the last; elsewhere by the first and how many. */
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

/** The event in shared words; one of a tool that we do not know as it is. */
export function inSharedWords(event: ToolEvent): ToolEvent {
  const [tool, toInput] = (Object.hasOwn(TOOLS, event.tool) ? TOOLS[event.tool] : undefined) ?? [event.tool, asItIs];
  return { ...event, tool, input: toInput(event.input) };
}
