// The command that a call runs, and the file that it reads, from its input: a path, or a plain command that prints one file.
import { isRecord } from "@jeeves/base";

const PRINTS = /^(?:cat|nl|head|tail|sed|bat|less)\s/;
const OTHER_SHELL_WORDS = /[|;&<>$`()*?[\]{}]/;
const MAX_COMMAND_CHARS = 1_000;

/** The path of the file that a call reads; undefined where it reads none, or several. */
export function readTargetOf(tool: string, given: unknown): string | undefined {
  const input = parsed(given);
  if (!isRecord(input)) return undefined;
  const { file_path: path } = input;
  if (typeof path === "string") return /read/i.test(tool) ? path : undefined;
  const command = commandIn(input)?.command ?? "";
  return command.length <= MAX_COMMAND_CHARS ? fileInCommand(command.trim()) : undefined;
}

/** A command as a transcript has it. */
export interface ShellCall {
  readonly command: string;
  /** Set where the call names a directory. */
  readonly dir?: string;
}

/** The shell command that a call runs; undefined where it runs none. */
export function commandIn(given: unknown): ShellCall | undefined {
  const input = parsed(given);
  if (!isRecord(input)) return undefined;
  const words = input.command ?? input.cmd;
  // ["bash", "-lc", "cat file"]
  const command: unknown = Array.isArray(words) ? words.at(-1) : words;
  if (typeof command !== "string") return undefined;
  const { workdir } = input;
  return { command, ...(typeof workdir === "string" && workdir !== "" ? { dir: workdir } : {}) };
}

function fileInCommand(command: string): string | undefined {
  if (!PRINTS.test(command)) return undefined;
  // The quoted script of sed may have characters that are special in a shell; it is removed first.
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
