// The file that a call reads, by its input: a path, or a plain command that prints one file.
import { isRecord } from "@jeeves/base";

const PRINTS = /^(?:cat|nl|head|tail|sed|bat|less)\s/;
const OTHER_SHELL_WORDS = /[|;&<>$`()*?[\]{}]/;
const MAX_COMMAND_CHARS = 1_000;

/** undefined where the call reads no file, or several. */
export function readTargetOf(tool: string, given: unknown): string | undefined {
  const input = parsed(given);
  if (!isRecord(input)) return undefined;
  const { file_path: path } = input;
  if (typeof path === "string") return /read/i.test(tool) ? path : undefined;
  return fileInCommand(commandOf(input.command ?? input.cmd));
}

function commandOf(command: unknown): string {
  // ["bash", "-lc", "cat file"]
  const words = Array.isArray(command) ? command.at(-1) : command;
  return typeof words === "string" && words.length <= MAX_COMMAND_CHARS ? words.trim() : "";
}

function fileInCommand(command: string): string | undefined {
  if (!PRINTS.test(command)) return undefined;
  // A script of sed is quoted, and so is no word of the shell's.
  const bare = command.replace(/'[^']*'|"\d[^"$`]*"/g, "'").replace(/\s\d+(?:,\d+)?p\b/, " '");
  if (OTHER_SHELL_WORDS.test(bare)) return undefined;
  const words = bare.split(/\s+/).slice(1);
  const files = words.filter((word) => !word.startsWith("-") && !word.startsWith("'") && !/^\d+$/.test(word));
  return files.length === 1 ? files[0] : undefined;
}

/** Codex writes arguments as a string of JSON. */
function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
