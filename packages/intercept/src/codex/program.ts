// In Codex' code mode models write programs that run commands, and the transcript has only the program. The command is
// known only for a program that runs one literal command, once.
import type { ShellCall } from "../transcript/read-target.ts";

const CALL = /\btools\.(?:exec_command|shell_command)\(/;
const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|${"`"}(?:[^${"`"}\\$]|\\.)*${"`"}`;
const STRINGS = new RegExp(STRING, "g");
const PAIR = String.raw`["']?(\w+)["']?\s*:\s*(${STRING}|[\w.]+)`;
const PAIRS = new RegExp(PAIR, "g");
const ARGUMENTS = new RegExp(String.raw`^\s*\{\s*(?:${PAIR.replaceAll(/\((?!\?)/g, "(?:")}\s*,?\s*)*\}\s*\)`);
const REPEATS = /\b(?:for|while|do|function)\b|=>|\bPromise\./;
/** Around the call: `const { output } = await …; text(output);`. */
const PLAIN =
  /^\s*(?:const|let|var)\s+(?:\{\s*output\s*\}\s*=\s*await\s*;?\s*text\(\s*output|(\w+)\s*=\s*await\s*;?\s*text\(\s*\1\.output)\s*\)\s*;?\s*$/;
const MAX_CHARS = 20_000;

/** The one command that a program runs; undefined where that is not certain. */
export function commandInProgram(program: unknown): ShellCall | undefined {
  if (typeof program !== "string" || program.length > MAX_CHARS) return undefined;
  const [before = "", behind = "", ...more] = program.split(CALL);
  const given = ARGUMENTS.exec(behind)?.[0];
  if (more.length > 0 || given === undefined) return undefined;
  if (REPEATS.test(`${before}${behind}`.replace(STRINGS, '""'))) return undefined;
  const values = new Map([...given.matchAll(PAIRS)].map(([, name = "", value = ""]) => [name, value]));
  const command = literalOf(values.get("cmd") ?? values.get("command"));
  const dir = values.has("workdir") ? literalOf(values.get("workdir")) : "";
  if (command === undefined || dir === undefined) return undefined;
  return { command, ...(dir === "" ? {} : { dir }) };
}

/** Whether such a program shows all that its command printed, and nothing else. */
export function showsAll(program: unknown): boolean {
  if (typeof program !== "string") return false;
  const [before = "", behind = ""] = program.split(CALL);
  return PLAIN.test(`${before}${behind.replace(ARGUMENTS, "")}`);
}

/** The value of a JavaScript string literal; undefined where it is no string, or has escapes that JSON has not. */
function literalOf(source = ""): string | undefined {
  if (!source.startsWith('"')) return /^['`][^\\]*['`]$/.test(source) ? source.slice(1, -1) : undefined;
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
