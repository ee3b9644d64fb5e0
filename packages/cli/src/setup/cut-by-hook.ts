// What a client's model sees of a failed command, by hooks that start no server of ours in the settings: a command that
// gets the result on stdin, and a plugin. Both run as they were written, with the variables of this try in place of theirs.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isRecord, oneLine } from "@jeeves/base";
import { withoutOwnVariables } from "../init/gemini.ts";
import { withPluginEnv } from "../init/opencode.ts";
import { type ProgramPlace, runToEnd } from "./run-program.ts";

const MAX_FAULT_CHARS = 300;

/** The command that a client ran, and what it printed. */
interface RanCommand {
  readonly command: string;
  readonly output: string;
}

/** As Gemini CLI asks: the answer names a file that takes the result's place. Without an answer the result stays. */
export async function cutByCommandHook(
  hook: string,
  { command, output }: RanCommand,
  place: ProgramPlace,
): Promise<string> {
  const chats = join(place.cwd, "tmp", "setup", "chats");
  await mkdir(chats, { recursive: true });
  const event = {
    session_id: "setup",
    transcript_path: join(chats, "session-setup.jsonl"),
    cwd: place.cwd,
    hook_event_name: "AfterTool",
    tool_name: "run_shell_command",
    tool_input: { command },
    tool_response: { llmContent: `Output: ${output}Exit Code: 1`, returnDisplay: "" },
  };
  const words = ["/bin/sh", "-c", withoutOwnVariables(hook)];
  const { exitCode, stdout, stderr } = await runToEnd(words, place, JSON.stringify(event));
  if (exitCode !== 0) throw new Error(`the hook ended with exit code ${exitCode}${faultIn(stderr)}`);
  const answer: unknown = stdout === "" ? {} : JSON.parse(stdout);
  const fields = isRecord(answer) && isRecord(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {};
  const { args } = isRecord(fields.tailToolCallRequest) ? fields.tailToolCallRequest : {};
  return isRecord(args) && typeof args.file_path === "string" ? readFile(args.file_path, "utf8") : output;
}

/** The plugin file of `jeeves init` for this try: it names its server's variables itself. Returns its path. */
export async function copyPlugin(text: string, place: ProgramPlace): Promise<string> {
  const { JEEVES_STATE_DIR, JEEVES_MODE } = place.env;
  const copy = join(place.cwd, "plugin.mjs");
  await writeFile(copy, withPluginEnv(text, { JEEVES_STATE_DIR, JEEVES_MODE }));
  return copy;
}

/** As opencode asks, in a process of its own: the plugin at `path` starts our server, which ends with it. */
export async function cutByPlugin(path: string, { command, output }: RanCommand, place: ProgramPlace): Promise<string> {
  const call = { tool: "bash", sessionID: "setup", callID: "setup", args: { command } };
  const result = { title: "", output, metadata: { exit: 1, truncated: false } };
  const driver = `import { readFileSync } from "node:fs";
import plugin from ${JSON.stringify(pathToFileURL(path).href)};
const messages = async () => ({ data: [] });
// A file of its settings is a function, a package has it as its server.
const hooks = await (plugin.server ?? plugin)({ directory: process.cwd(), client: { session: { messages } } });
const { call, result } = JSON.parse(readFileSync(0, "utf8"));
await hooks["tool.execute.after"]?.(call, result);
process.stdout.write(result.output, () => process.exit());
`;
  const words = [process.execPath, "--input-type=module", "-e", driver];
  const { exitCode, stdout, stderr } = await runToEnd(words, place, JSON.stringify({ call, result }));
  if (exitCode === 0 && stdout !== "") return stdout;
  throw new Error(`the plugin ended with exit code ${exitCode}${faultIn(stderr)}`);
}

/** Node prints the place and the source line before the error, and the stack after it. */
function faultIn(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const words = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0];
  return words === undefined ? ", and printed nothing" : `: ${oneLine(words, MAX_FAULT_CHARS)}`;
}
