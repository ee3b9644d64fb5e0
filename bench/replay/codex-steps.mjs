// Codex' tool calls as commands with what they printed. A script of code mode is taken apart into its commands, where it
// printed one output for each.
const SHELLS = new Set(["shell", "shell_command", "exec_command", "local_shell", "container.exec"]);
const HEADER =
  /^(?:Chunk ID:.*\n|Exit code: .*\n|Wall time:? .*\n|Process (?:exited with code|running with session ID) .*\n|Original token count: .*\n|Script (?:completed|failed|running).*\n|Total output lines: .*\n)*Output:\n?/;
const STILL_RUNS = /^(?:Process running with session ID|Script running)/m;
const HEADER_CHARS = 400;
const POLLS = /\b(?:wait|write_stdin)\b/;

/** A command that goes on, by its number; later calls ask for the rest of what it prints. */
const GOES_ON = /(?:running with (?:session|cell) ID |"session_id":)(\d+)/g;
const ASKS_FOR = /\b(?:session_id|cell_id)["']?\s*:\s*["']?(\d+)/;

/**
 * Reads the calls of one session in their order. Of each, its commands and their outputs: { command, text, exitCode }[];
 * undefined for another tool. What a running command prints later counts as printed by it.
 */
export function createCommandReader() {
  const running = new Map();
  return (step) => {
    const found = commandsOf(step, running);
    const command = found?.map((one) => one.command).join("\n");
    if (command) for (const [, number] of step.result.text.matchAll(GOES_ON)) running.set(number, command);
    return found;
  };
}

function commandsOf({ tool, input, result, output }, running) {
  const exitCode = (text) => (STILL_RUNS.test(text.slice(0, HEADER_CHARS)) ? undefined : result.isError ? 1 : 0);
  const printed = printedIn(output ?? result.text);
  const together = (command) => [{ command, text: printed.map(bare).join("\n"), exitCode: exitCode(result.text) }];
  if (SHELLS.has(tool)) return together(commandIn(parsed(input)));
  if (typeof input !== "string") return undefined;
  const commands = tool === "exec" ? literalsIn(input) : [];
  if (commands.length > 0 && printed.length === commands.length)
    return commands.map((command, index) => ({
      command,
      text: bare(printed[index]),
      exitCode: exitCode(printed[index]),
    }));
  if (commands.length > 0) return together(commands.join("\n"));
  const awaited = POLLS.test(tool === "exec" ? input : tool) ? running.get(ASKS_FOR.exec(input)?.[1]) : undefined;
  return awaited === undefined ? undefined : together(awaited);
}

/** What the agent wrote with a call: a patch or a command, without the form around it. */
export function writtenBy({ tool, input }) {
  const given = parsed(input);
  if (SHELLS.has(tool)) return commandIn(given);
  if (typeof given === "string") return tool === "exec" ? unescaped(given) : given;
  return Object.values(given ?? {})
    .filter((value) => typeof value === "string")
    .join("\n");
}

/** The output without what Codex writes above it. */
function bare(text) {
  const output = withoutHeader(text);
  const inner = parsed(output);
  return typeof inner?.output === "string" ? withoutHeader(inner.output) : output;
}

function withoutHeader(text) {
  return text
    .replace(HEADER, "")
    .replace(/^\n/, "")
    .replace(/^Warning: truncated output .*\n/, "")
    .replace(/^Total output lines: \d+\n\n?/, "");
}

function commandIn(input) {
  const words = input?.command ?? input?.cmd ?? "";
  if (!Array.isArray(words)) return String(words);
  const isShell = /(?:^|\/)(?:ba|z)?sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "");
  return isShell ? String(words[2] ?? "") : words.join(" ");
}

function printedIn(output) {
  const items = Array.isArray(output) ? output.map((item) => item?.text ?? "") : [String(output)];
  if (/^Script \w+/.test(items[0] ?? "") && /Output:\n?$/.test(items[0])) items.shift();
  return items.flatMap((item) => {
    const rows = parsed(item);
    const values = Array.isArray(rows) ? rows.map((row) => row?.value ?? row) : [];
    const isList = values.length > 0 && values.every((row) => row?.output !== undefined);
    return isList ? values.map((row) => JSON.stringify(row)) : [item];
  });
}

/** The literals of `cmd: "…"` in a script, in order. */
function literalsIn(script) {
  const found = [];
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

function unescaped(literal) {
  const escapes = { n: "\n", t: "\t", r: "\r", "\n": "" };
  return literal.replace(/\\([\s\S])/g, (_, code) => escapes[code] ?? code);
}

function parsed(value) {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
