// Which server in a client's settings is ours: the one that starts our file, wherever that lies. A name is nobody's.
import { SERVER_NAME } from "./what-to-set-up.ts";

export const RESEARCH_NAME = "jeeves-research";

const FILES: Readonly<Record<string, RegExp>> = {
  [SERVER_NAME]: /(?<![\w-])mcp-pruner[\\/]+dist[\\/]+index\.js\b/,
  [RESEARCH_NAME]: /(?<![\w-])research[\\/]+dist[\\/]+mcp-research\.js\b/,
};

/** `args` as the settings have them: the text of a list, with paths in it. */
export function startsOwnFile(name: string, args: string): boolean {
  return FILES[name]?.test(args) ?? false;
}
