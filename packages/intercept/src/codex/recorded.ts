// Codex' recorded calls, for a replay: commands with their output. A script of code mode is split into its commands, where
// it printed one output for each.
import { isRecord } from "@jeeves/base";
import { CODEX_MATCHERS } from "../hook/hook-call.ts";
import type { RecordedCall, RecordedClient, RecordedOutput } from "../transcript/recorded-client.ts";
import { readCodexRecord } from "./transcript.ts";

const SHELLS = new Set(["shell", "shell_command", "exec_command", "local_shell", "container.exec"]);
const HEADER =
  /^(?:Chunk ID:.*\n|Exit code: .*\n|Wall time:? .*\n|Process (?:exited with code|running with session ID) .*\n|Original token count: .*\n|Script (?:completed|failed|running).*\n|Total output lines: .*\n)*Output:\n?/;
const STILL_RUNS = /^(?:Process running with session ID|Script running)/m;
const HEADER_CHARS = 400;
const POLLS = /\b(?:wait|write_stdin)\b/;
/** A command that goes on, by its number; later calls ask for the rest of what it prints. */
const GOES_ON = /(?:running with (?:session|cell) ID |"session_id":)(\d+)/g;
const ASKS_FOR = /\b(?:session_id|cell_id)["']?\s*:\s*["']?(\d+)/;

type CommandOutput = Extract<RecordedOutput, { kind: "command" }>;

/** Transcripts of Codex. */
export const RECORDED_CODEX: RecordedClient = {
  id: "codex",
  readRecord: readCodexRecord,
  responseIn: ({ payload }) => (isRecord(payload) ? payload.output : undefined),
  matchers: CODEX_MATCHERS,
  rewritesCommands: true,
  createCallReader() {
    const running = new Map<string, string>();
    return (call) => {
      const found = commandsOf(call, running);
      const command = found?.map((one) => one.command).join("\n");
      if (command) for (const [, number = ""] of call.result.text.matchAll(GOES_ON)) running.set(number, command);
      const written = writtenBy(call);
      return { written, outputs: found ?? [{ kind: "tool", text: call.result.text, response: undefined }] };
    };
  },
};

/** Undefined for a tool that runs no command. */
function commandsOf(
  { tool, input, result, response }: RecordedCall,
  running: ReadonlyMap<string, string>,
): CommandOutput[] | undefined {
  const exitCode = (text: string) =>
    STILL_RUNS.test(text.slice(0, HEADER_CHARS)) ? undefined : result.isError ? 1 : 0;
  const printed = printedIn(response ?? result.text);
  const together = (command: string): CommandOutput[] => [
    { kind: "command", command, text: printed.map(bare).join("\n"), exitCode: exitCode(result.text) },
  ];
  if (SHELLS.has(tool)) return together(commandIn(parsed(input)));
  if (typeof input !== "string") return undefined;
  const commands = tool === "exec" ? literalsIn(input) : [];
  if (commands.length > 0 && printed.length === commands.length)
    return commands.map((command, index) => {
      const text = printed[index] ?? "";
      return { kind: "command", command, text: bare(text), exitCode: exitCode(text) };
    });
  if (commands.length > 0) return together(commands.join("\n"));
  if (!POLLS.test(tool === "exec" ? input : tool)) return undefined;
  const awaited = running.get(ASKS_FOR.exec(input)?.[1] ?? "");
  return awaited === undefined ? undefined : together(awaited);
}

/** A patch or a command, without the form around it. */
function writtenBy({ tool, input }: RecordedCall): string {
  const given = parsed(input);
  if (SHELLS.has(tool)) return commandIn(given);
  if (typeof given === "string") return tool === "exec" ? unescaped(given) : given;
  return Object.values(isRecord(given) ? given : {})
    .filter((value) => typeof value === "string")
    .join("\n");
}

/** The output without the lines that Codex writes above it. */
function bare(text: string): string {
  const output = withoutHeader(text);
  const inner = parsed(output);
  return isRecord(inner) && typeof inner.output === "string" ? withoutHeader(inner.output) : output;
}

function withoutHeader(text: string): string {
  return text
    .replace(HEADER, "")
    .replace(/^\n/, "")
    .replace(/^Warning: truncated output .*\n/, "")
    .replace(/^Total output lines: \d+\n\n?/, "");
}

function commandIn(input: unknown): string {
  const words: unknown = isRecord(input) ? (input.command ?? input.cmd ?? "") : "";
  if (!Array.isArray(words)) return String(words);
  const isShell = /(?:^|\/)(?:ba|z)?sh$/.test(String(words[0] ?? "")) && /^-\w*c$/.test(String(words[1] ?? ""));
  return isShell ? String(words[2] ?? "") : words.join(" ");
}

function printedIn(output: unknown): string[] {
  const items = Array.isArray(output) ? output.map((item) => textIn(item)) : [String(output)];
  if (/^Script \w+/.test(items[0] ?? "") && /Output:\n?$/.test(items[0] ?? "")) items.shift();
  return items.flatMap((item) => {
    const rows = parsed(item);
    const values: unknown[] = Array.isArray(rows) ? rows.map((row) => (isRecord(row) ? (row.value ?? row) : row)) : [];
    const isList = values.length > 0 && values.every((row) => isRecord(row) && row.output !== undefined);
    return isList ? values.map((row) => JSON.stringify(row)) : [item];
  });
}

function textIn(item: unknown): string {
  return isRecord(item) && typeof item.text === "string" ? item.text : "";
}

/** The literals of `cmd: "…"` in a script, in order. */
function literalsIn(script: string): string[] {
  const found: string[] = [];
  const start = /\bcmd["']?\s*:\s*(String\.raw)?(["'`])/g;
  for (let match = start.exec(script); match !== null; match = start.exec(script)) {
    const [, isRaw, quote] = match;
    let end = start.lastIndex;
    while (end < script.length && script[end] !== quote) end += script[end] === "\\" && !isRaw ? 2 : 1;
    const literal = script.slice(start.lastIndex, end);
    found.push(isRaw ? literal : unescaped(literal));
    start.lastIndex = end + 1;
  }
  return found;
}

function unescaped(literal: string): string {
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };
  return literal.replace(/\\([\s\S])/g, (_, code: string) => escapes[code] ?? code);
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
