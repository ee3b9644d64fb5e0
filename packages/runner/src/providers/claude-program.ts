// Claude Code by its own program, with no SDK: the same `query` as the Agent SDK's, as far as a run needs it. Messages are
// JSON lines; hooks are answered by control messages between them, as the SDK answers them.
import { isRecord } from "@jeeves/base";
import { readJsonLines } from "../process/json-lines.ts";
import type { ClaudeCall, ClaudeSdk } from "./claude-options.ts";

type Line = Readonly<Record<string, unknown>>;
type Callback = NonNullable<ClaudeCall["hooks"]>["PreToolUse"][number]["hooks"][number];

/** `program`: an absolute path. */
export function createClaudeProgram(program: string): ClaudeSdk {
  return { query: ({ prompt, options }) => query(program, prompt, options) };
}

async function* query(program: string, prompt: string, options: ClaudeCall): AsyncGenerator<unknown> {
  const { abortController, cwd, env, spawnClaudeCodeProcess } = options;
  const { hooks, callbacks } = numbered(options);
  const child = spawnClaudeCodeProcess({ command: program, args: toClaudeArguments(options), cwd, env });
  let failure: Error | undefined;
  child.on("error", (error) => {
    failure = error;
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal));
    child.once("error", () => resolve(null));
  });
  const send = (line: Line) => void child.stdin.write(`${JSON.stringify(line)}\n`);
  send({ type: "control_request", request_id: "jeeves_1", request: { subtype: "initialize", hooks } });
  send({ type: "user", message: { role: "user", content: prompt }, parent_tool_use_id: null, session_id: "" });
  for await (const line of readJsonLines(child.stdout)) {
    if (line.kind !== "value" || !isRecord(line.value)) continue;
    const { type } = line.value;
    if (type === "control_request") void answer(line.value, callbacks, abortController.signal).then(send);
    else if (type !== "control_response" && type !== "control_cancel_request") yield line.value;
    // With its stdin open it would wait for the next prompt.
    if (type === "result") child.stdin.end();
  }
  const code = await ended;
  if (abortController.signal.aborted) throw new Error("Claude Code was stopped");
  if (failure !== undefined) throw failure;
  if (code !== 0) throw new Error(`Claude Code process exited with code ${code}`);
}

/** The arguments of its command line, made from a run's options alone. */
function toClaudeArguments(options: ClaudeCall): readonly string[] {
  const { permissionMode, settingSources, allowedTools, model, maxTurns, mcpServers, strictMcpConfig, extraArgs } =
    options;
  return [
    ...["--output-format", "stream-json", "--input-format", "stream-json", "--verbose"],
    ...["--permission-mode", permissionMode, `--setting-sources=${settingSources.join(",")}`],
    ...(allowedTools.length === 0 ? [] : ["--allowedTools", allowedTools.join(",")]),
    ...(model === undefined ? [] : ["--model", model]),
    ...(maxTurns === undefined ? [] : ["--max-turns", String(maxTurns)]),
    ...(mcpServers === undefined ? [] : ["--mcp-config", JSON.stringify({ mcpServers })]),
    ...Object.entries(extraArgs ?? {}).flatMap(([name, value]) => [`--${name}`, value]),
    ...(strictMcpConfig === true ? ["--strict-mcp-config"] : []),
  ];
}

/** The hooks with a name for each callback, by which the program asks for it. */
function numbered({ hooks = { PreToolUse: [], PostToolUse: [] } }: ClaudeCall) {
  const callbacks = new Map<string, Callback>();
  const named = Object.entries(hooks).map(([moment, groups]) => [
    moment,
    groups.map(({ matcher, hooks: own }) => ({
      matcher,
      hookCallbackIds: own.map((callback) => {
        const id = `hook_${callbacks.size}`;
        callbacks.set(id, callback);
        return id;
      }),
    })),
  ]);
  return { hooks: callbacks.size === 0 ? null : Object.fromEntries(named), callbacks };
}

async function answer(line: Line, callbacks: ReadonlyMap<string, Callback>, signal: AbortSignal): Promise<Line> {
  const { request_id } = line;
  const request = isRecord(line.request) ? line.request : {};
  const callback = callbacks.get(String(request.callback_id));
  if (request.subtype !== "hook_callback" || callback === undefined) {
    const error = `${String(request.subtype)} is not known here`;
    return { type: "control_response", response: { subtype: "error", request_id, error } };
  }
  const callId = typeof request.tool_use_id === "string" ? request.tool_use_id : undefined;
  const response = await callback(isRecord(request.input) ? request.input : {}, callId, { signal });
  return { type: "control_response", response: { subtype: "success", request_id, response } };
}
